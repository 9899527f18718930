// One life of a whole service: accepts sends under load and delivers them, until it is killed or asked to end. `node
// worker-process.js PLAN.json`, compiled and started by worker-life.ts.
import { openSync, readFileSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import { bullmqQueue } from '../../adapters/queue/bullmq.ts';
import type { PhaseListener } from '../../core/contract/ports/platform.ts';
import type { Service } from '../../core/kernel/compose.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { redisUrl } from '../support/redis-server.ts';
import { createMailService, send, storageOf } from './mail-service.ts';
import { plantInMail, plantInStorage } from './planted-faults.ts';
import type { JournalEntry, WorkerPlan } from './worker-plan.ts';

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as WorkerPlan;
const journal = openSync(plan.journal, 'a');
const writeEntry = (entry: JournalEntry): void => void writeSync(journal, `${JSON.stringify(entry)}\n`);

function killer(): PhaseListener {
  const { killAt } = plan;
  let seenCount = 0;
  return (phase) => {
    if (phase !== killAt?.phase) return;
    seenCount += 1;
    if (seenCount !== killAt.occurrence) return;
    writeEntry({ kind: 'killing', phase });
    process.kill(process.pid, 'SIGKILL');
  };
}

/** Error codes after which a caller retries. */
const retryableCodes = new Set(['idempotency_key_in_progress', 'service_unavailable']);

async function sendUntilAnswered(service: Service, key: string): Promise<void> {
  for (;;) {
    const { status, headers, body } = await send(service, plan.apiKey, key);
    if (status === 202) {
      const { id } = JSON.parse(String(body)) as { id: string };
      writeEntry({ kind: 'accepted', key, id, replayed: headers['Idempotent-Replay'] === 'true' });
      return;
    }
    const { error } = JSON.parse(String(body)) as { error: { code: string } };
    if (!retryableCodes.has(error.code)) {
      writeEntry({ kind: 'surprise', key, status, body: String(body) });
      return;
    }
    await pause(50);
  }
}

async function sendAll(service: Service): Promise<void> {
  const waiting = plan.keys.values();
  const caller = async (): Promise<void> => {
    for (const key of waiting) await sendUntilAnswered(service, key);
  };
  await Promise.all(Array.from({ length: plan.callers }, caller));
}

async function unfinishedJobs(service: Service): Promise<number> {
  const database = await service.core.database();
  const row = await database.read(unscoped('the test looks at every workspace'), ({ db }) =>
    db
      .selectFrom('jobs')
      .select((builder) => builder.fn.countAll<number>().as('rows'))
      .where('state', 'not in', ['done', 'failed'])
      .executeTakeFirst(),
  );
  return Number(row?.rows ?? 0);
}

async function endInOrder(service: Service, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while ((await unfinishedJobs(service)) > 0 && performance.now() < deadline) await pause(50);
  if ((await unfinishedJobs(service)) === 0) writeEntry({ kind: 'drained' });
  await service.stop();
}

async function runLife(): Promise<void> {
  const service = createMailService({
    storage: plantInStorage(storageOf(plan.database), plan.plant),
    mail: plantInMail(
      smtpMail({ host: '127.0.0.1', port: plan.smtpPort, tls: { rejectUnauthorized: false } }),
      plan.plant,
    ),
    onPhase: killer(),
    settings: { jobLeaseMs: plan.leaseMs, jobPollMs: 100, queueLostAfterMs: 5_000 },
    ...(plan.queuePrefix !== undefined && { queue: bullmqQueue({ url: redisUrl, prefix: plan.queuePrefix }) }),
  });
  await service.start();
  writeEntry({ kind: 'ready' });
  console.log('ready');
  await sendAll(service);
  if (plan.endWithinMs !== undefined) await endInOrder(service, plan.endWithinMs);
}

await runLife();
