// Time-based changes of the queue: due jobs become ready, expired leases are reclaimed, and jobs whose holders crashed
// repeatedly are retried apart from each other. Called at every poll and before a drain. If nothing is due, it only
// reads.
import type { TransactionScope } from '../storage/database.ts';
import { maxListLength } from '../storage/list-statement.ts';
import { unscoped } from '../storage/scope.ts';
import { pullBackRetries } from './clock-set-back.ts';
import type { JobEndContext } from './job-end.ts';
import type { LateLeases } from './late-leases.ts';
import { dueWaiting, expiredLeases, promoteListed, queueStatusWithout, reclaimListed, setAside } from './queue.ts';
import { queueTransaction } from './queue-transaction.ts';
import { formFor } from './skip-locked.ts';
import type { UnknownKinds } from './unknown-kinds.ts';

const unscopedReason = unscoped('the queue serves every workspace');

/** The core and the database of the queue, and the kinds of jobs that this process cannot run. */
export interface TickContext extends JobEndContext {
  readonly unknownKinds: UnknownKinds;
}

/** The state of the queue, without jobs of unknown kinds. */
export interface QueueState {
  /** Whether a job can run now. */
  readonly ready: boolean;
  /** The due time of the next waiting job; now, if jobs were just promoted. Undefined if no job waits. */
  readonly waitingAt: number | undefined;
}

/** A job becomes suspect after more than this many crashes in a row; before that, it is ready again at once. */
const toleratedCrashes = 2;
/** From this number of crashes on, the log line is an error. */
const alarmingCrashes = 8;
/**
 * The delays of a suspect job in seconds, by the number of crashes beyond `toleratedCrashes`; the last delay repeats for
 * ever. A job never fails because of crashes: another job may have crashed its process, and accepted work is kept. The
 * first delays are short for innocent jobs; the longer ones separate the job that crashes processes from the others.
 */
const suspectDelays = [1, 5, 15, 30, 30, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600] as const;
/** The largest number of batches that one tick promotes. The next tick promotes further batches. */
const maxBatches = 40;

/**
 * Runs the due changes. With `lateLeases`, also looks for expired leases. That reads all running rows, so once in a
 * quarter of a lease is enough.
 */
export async function tick(context: TickContext, lateLeases: LateLeases | undefined): Promise<QueueState> {
  const now = context.core.ports.now();
  const status = await statusOf(context);
  let ready = hasReady(status);
  let waitingAt = status?.waiting_at ?? undefined;
  if (waitingAt !== undefined && waitingAt <= now) {
    await promote(context, now);
    ready = true;
    waitingAt = now;
  }
  if (lateLeases !== undefined) {
    const ended = await lateLeases.end(context.database, now);
    if (ended > 0)
      context.core.log.warn(
        { jobs: ended },
        'leases would have ended too late, probably because a clock was set back; they were ended now',
      );
    const replanned = await pullBackRetries(context.database, now);
    if (replanned > 0)
      context.core.log.warn(
        { jobs: replanned },
        'retries were planned by a clock that was ahead; they were planned again',
      );
    if (await reclaim(context, now)) ready = true;
  }
  return { ready, waitingAt };
}

type QueueStatusRow = Readonly<Record<'urgent' | 'normal' | 'bulk' | 'outbound', number | null>>;

const hasReady = (status: QueueStatusRow | undefined): boolean =>
  status !== undefined && [status.urgent, status.normal, status.bulk, status.outbound].some((lane) => lane !== null);

const statusOf = ({
  database,
  unknownKinds: { slots },
}: TickContext): Promise<(QueueStatusRow & { waiting_at: number | null }) | undefined> =>
  database.read(unscopedReason, (handle) => handle.one(queueStatusWithout(slots), slots.values));

/** Whether something could run now. */
export async function isDue(context: TickContext): Promise<boolean> {
  const status = await statusOf(context);
  if (status === undefined) return false;
  return hasReady(status) || (status.waiting_at !== null && status.waiting_at <= context.core.ports.now());
}

async function promote({ database }: JobEndContext, now: number): Promise<void> {
  const selectDue = formFor(database.adapter, dueWaiting);
  const promoteBatch = async (scope: TransactionScope): Promise<number> => {
    const handle = scope.handle(unscopedReason);
    const rows = await handle.all(selectDue, { now, limit: maxListLength });
    if (rows.length > 0)
      await handle.run(
        ...promoteListed(
          rows.map(({ id }) => id),
          {},
        ),
      );
    return rows.length;
  };
  for (let batch = 0; batch < maxBatches; batch += 1) {
    if ((await queueTransaction(database, promoteBatch)) < maxListLength) return;
  }
}

/** Reclaims expired leases. Returns whether any of their jobs is ready now. */
async function reclaim(context: JobEndContext, now: number): Promise<boolean> {
  const { core, database } = context;
  const expiredRow = await database.read(unscopedReason, (handle) =>
    handle.one(expiredLeases.plain, { now, limit: 1 }),
  );
  if (expiredRow === undefined) return false;
  const selectExpired = formFor(database.adapter, expiredLeases);
  const { readyIds, suspects } = await queueTransaction(database, async (scope) => {
    const handle = scope.handle(unscopedReason);
    const rows = await handle.all(selectExpired, { now, limit: maxListLength });
    const suspects = rows.filter((row) => row.crashes >= toleratedCrashes);
    const ids = rows.filter((row) => row.crashes < toleratedCrashes).map(({ id }) => id);
    if (ids.length > 0) await handle.run(...reclaimListed(ids, { now, reason: 'crashed' }));
    for (const { id, crashes } of suspects) {
      await handle.run(setAside, { id, now, reason: 'crashed', run_at: now + suspectDelayMs(context, crashes) });
    }
    return { readyIds: ids, suspects };
  });
  if (readyIds.length > 0) core.log.warn({ jobs: readyIds.length }, 'leases of jobs expired; the jobs are tried again');
  if (suspects.length > 0) {
    const level = suspects.some(({ crashes }) => crashes >= alarmingCrashes) ? 'error' : 'warn';
    const fields = { job_ids: suspects.map(({ id }) => id) };
    core.log[level](fields, 'the processes that ran these jobs crashed repeatedly; the jobs are retried separately');
  }
  return readyIds.length > 0;
}

/**
 * The delay of a suspect job, with random jitter. Jobs of the same claim therefore return one by one, and a job that
 * crashes its process does so alone.
 */
function suspectDelayMs({ core }: JobEndContext, crashes: number): number {
  const index = Math.min(crashes - toleratedCrashes, suspectDelays.length - 1);
  const [high = 0, low = 0] = core.randomness.bytes(2);
  return Math.round((suspectDelays[index] ?? 0) * 1_000 * (0.5 + (high * 256 + low) / 65_536));
}
