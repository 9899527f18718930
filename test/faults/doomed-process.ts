// One process of the mail service that works until it kills itself at the n-th occurrence of a phase, or until SIGTERM: `node
// doomed-process.js PLAN`. Compiled and started by doomed-processes.ts.
import { captureMail } from '../../adapters/mail/capture.ts';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import type { Service } from '../../core/kernel/compose.ts';
import type { standardPlugins } from '../../plugins/index.ts';
import type { ProcessPlan } from './doomed-processes.ts';
import { createMailService, storageOf } from './mail-service.ts';

const plan = JSON.parse(process.argv[2] ?? '{}') as ProcessPlan;
const kills = [plan.kill, plan.kill?.or].flatMap((kill) =>
  kill === undefined ? [] : { ...kill, left: kill.occurrence },
);

const service = createMailService({
  storage: storageOf(plan.database),
  mail:
    plan.smtpPort === undefined
      ? captureMail()
      : smtpMail({ host: '127.0.0.1', port: plan.smtpPort, tls: { rejectUnauthorized: false } }),
  settings: { jobLeaseMs: plan.leaseMs, jobPollMs: 100 },
  onPhase(phase) {
    for (const kill of kills) {
      if (phase !== kill.phase) continue;
      kill.left -= 1;
      if (kill.left === 0) process.kill(process.pid, 'SIGKILL');
    }
  },
});
process.once('SIGTERM', () => void service.stop());
if (plan.resume !== undefined) {
  const { workspaceId, broadcastId } = plan.resume;
  const { broadcasts } = (service as unknown as Service<(typeof standardPlugins)[number]['id']>).as(workspaceId);
  await broadcasts.resume({ broadcastId });
}
await service.start();
console.log('ready');
