// One process that runs the steps of sequences, until it kills itself at the n-th occurrence of a phase, or until SIGTERM: `node
// sequences-process.js PLAN`. Compiled and started by sequences-run.ts.
import { captureMail } from '../../adapters/mail/capture.ts';
import type { Phase } from '../../core/contract/ports/platform.ts';
import { createMailService, type Place, storageOf } from './mail-service.ts';

/** The plan of one process. */
export interface SequencesPlan {
  readonly place: Place;
  readonly leaseMs: number;
  readonly kill?: { readonly phase: Phase; readonly occurrence: number };
}

const plan = JSON.parse(process.argv[2] ?? '{}') as SequencesPlan;
let seen = 0;

const service = createMailService({
  storage: storageOf(plan.place),
  mail: captureMail(),
  settings: { jobLeaseMs: plan.leaseMs, jobPollMs: 100 },
  onPhase(phase) {
    if (phase !== plan.kill?.phase) return;
    seen += 1;
    if (seen === plan.kill.occurrence) process.kill(process.pid, 'SIGKILL');
  },
});
process.once('SIGTERM', () => void service.stop());
await service.start();
console.log('ready');
