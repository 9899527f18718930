// One life of a service that accepts events and delivers them to two webhooks, until it is killed or has delivered all.
// `node webhooks-process.js PLAN.json`, compiled and started by webhooks-kill.test.ts. Prints every accepted event on
// stdout with a synchronous write, so that a kill cannot lose the line.
import { readFileSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Phase } from '../../core/contract/ports/platform.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { createMailService, type DatabaseLocation, storageOf } from './mail-service.ts';

/** The plan of a life. */
export interface EventsPlan {
  readonly database: DatabaseLocation;
  readonly apiKey: string;
  readonly workspaceId: string;
  /** Idempotency-Keys, each for one event. */
  readonly keys: readonly string[];
  readonly leaseMs: number;
  readonly killAt?: { readonly phase: Phase; readonly occurrence: number };
  /** Ends when everything is delivered. (Default: runs until it is killed) */
  readonly toTheEnd?: boolean;
}

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as EventsPlan;
const printEntry = (entry: object): void => void writeSync(1, `${JSON.stringify(entry)}\n`);

let seenCount = 0;
const service = createMailService({
  storage: storageOf(plan.database),
  outgoing: { allow: ['127.0.0.1'] },
  settings: { jobLeaseMs: plan.leaseMs, jobPollMs: 100 },
  onPhase(phase) {
    if (phase !== plan.killAt?.phase) return;
    seenCount += 1;
    if (seenCount === plan.killAt.occurrence) process.kill(process.pid, 'SIGKILL');
  },
});

async function emit(key: string): Promise<void> {
  for (;;) {
    const { status, body } = await service.dispatch({
      method: 'POST',
      url: '/v1/events',
      headers: {
        authorization: `Bearer ${plan.apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({ type: 'order.paid', contact: { external_id: `user-${key}` }, metadata: { order: key } }),
      address: '127.0.0.1',
    });
    const answer = JSON.parse(String(body)) as { id?: string; error?: { code: string } };
    if (status === 201) {
      printEntry({ kind: 'accepted', key, id: answer.id });
      return;
    }
    if (!['idempotency_key_in_progress', 'service_unavailable'].includes(answer.error?.code ?? ''))
      printEntry({ kind: 'surprise', key, status, body: String(body) });
    await pause(50);
  }
}

async function unfinished(): Promise<number> {
  const database = await service.core.database();
  const rows = await database.read(unscoped('the test looks at every workspace'), ({ db }) =>
    db.selectFrom('jobs').select('id').where('state', 'in', ['waiting', 'ready', 'running']).limit(1).execute(),
  );
  return rows.length;
}

await service.start();
printEntry({ kind: 'ready' });
const waiting = plan.keys.values();
const caller = async (): Promise<void> => {
  for (const key of waiting) await emit(key);
};
await Promise.all(Array.from({ length: 8 }, caller));
while (plan.toTheEnd !== true || (await unfinished()) > 0) await pause(50);
await service.stop();
printEntry({ kind: 'drained' });
