// What time does to the queue: waiting jobs become ready, leases that ran out are taken back, and jobs whose holders
// died time after time are tried apart. Called at every poll and before a drain. Cheap when nothing is due: reads.
import type { TransactionScope } from '../storage/database.ts';
import { maxListLength } from '../storage/list-statement.ts';
import { unscoped } from '../storage/scope.ts';
import type { EndingPlace } from './endings.ts';
import { dueWaiting, expiredLeases, promoteListed, queueStatus, reclaimListed, setAside } from './queue.ts';

const everywhere = unscoped('the queue serves every workspace');

/** The state of the queue. */
export interface QueueState {
  /** Whether some job can run now. */
  readonly ready: boolean;
  /** When to poll the waiting jobs again: when the next is due, at once when some were. Undefined when none waits. */
  readonly waitingAt: number | undefined;
}

/** So many deaths in a row of a job's holders say nothing of the job: it is ready again at once. */
const innocentCrashes = 2;
/** From so many on, somebody should look. */
const alarmingCrashes = 8;
/**
 * How long a suspect then waits, by the deaths beyond that, in seconds; the last goes on for ever. A job is never
 * failed for crashes: it may only have been claimed beside the one that ends processes, and what was accepted is kept.
 * Short at first, for the innocent; the guilty one moves away from everybody else's time.
 */
const suspectDelays = [1, 5, 15, 30, 30, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600] as const;
/** So many batches at most are promoted in one tick: what remains is due at the next. */
const maxBatches = 40;

/**
 * Looks, and does what is due. `leases` says whether to look for those that ran out, too: that reads all running rows,
 * so a quarter of a lease is often enough.
 */
export async function tick(place: EndingPlace, leases: boolean): Promise<QueueState> {
  const now = place.core.ports.now();
  const seen = await place.database.read(everywhere, (handle) => handle.one(queueStatus, {}));
  let ready = hasReady(seen);
  let waitingAt = seen?.waiting_at ?? undefined;
  if (waitingAt !== undefined && waitingAt <= now) {
    await promote(place, now);
    ready = true;
    waitingAt = now;
  }
  if (leases && (await reclaim(place, now))) ready = true;
  return { ready, waitingAt };
}

type Seen = Readonly<Record<'urgent' | 'normal' | 'bulk' | 'outbound', number | null>>;

const hasReady = (seen: Seen | undefined): boolean =>
  seen !== undefined && [seen.urgent, seen.normal, seen.bulk, seen.outbound].some((lane) => lane !== null);

/** Whether something could run now. */
export async function isDue(place: EndingPlace): Promise<boolean> {
  const seen = await place.database.read(everywhere, (handle) => handle.one(queueStatus, {}));
  if (seen === undefined) return false;
  return hasReady(seen) || (seen.waiting_at !== null && seen.waiting_at <= place.core.ports.now());
}

async function promote({ database }: EndingPlace, now: number): Promise<void> {
  const due = database.adapter.capabilities.skipLocked ? dueWaiting.locking : dueWaiting.plain;
  const promoteSome = async (scope: TransactionScope): Promise<number> => {
    const handle = scope.handle(everywhere);
    const rows = await handle.all(due, { now, limit: maxListLength });
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
    if ((await database.transact(promoteSome)) < maxListLength) return;
  }
}

/** Takes back what nobody renewed. Answers whether any of it is ready now. */
async function reclaim(place: EndingPlace, now: number): Promise<boolean> {
  const { core, database } = place;
  const some = await database.read(everywhere, (handle) => handle.one(expiredLeases.plain, { now, limit: 1 }));
  if (some === undefined) return false;
  const expired = database.adapter.capabilities.skipLocked ? expiredLeases.locking : expiredLeases.plain;
  const { back, suspects } = await database.transact(async (scope) => {
    const handle = scope.handle(everywhere);
    const rows = await handle.all(expired, { now, limit: maxListLength });
    const suspects = rows.filter((row) => row.crashes >= innocentCrashes);
    const ids = rows.filter((row) => row.crashes < innocentCrashes).map(({ id }) => id);
    if (ids.length > 0) await handle.run(...reclaimListed(ids, { now, reason: 'crashed' }));
    for (const { id, crashes } of suspects) {
      await handle.run(setAside, { id, now, reason: 'crashed', run_at: now + suspicionMs(place, crashes) });
    }
    return { back: ids, suspects };
  });
  if (back.length > 0) core.log.warn({ jobs: back.length }, 'the leases of jobs ran out: they are tried again');
  if (suspects.length > 0) {
    const level = suspects.some(({ crashes }) => crashes >= alarmingCrashes) ? 'error' : 'warn';
    const fields = { job_ids: suspects.map(({ id }) => id) };
    core.log[level](fields, 'whoever ran these jobs died, time after time: they are tried again, apart');
  }
  return back.length > 0;
}

/** Spread by chance, so that jobs which were claimed together come back one by one and the guilty one dies alone. */
function suspicionMs({ core }: EndingPlace, crashes: number): number {
  const step = Math.min(crashes - innocentCrashes, suspectDelays.length - 1);
  const [high = 0, low = 0] = core.randomness.bytes(2);
  return Math.round((suspectDelays[step] ?? 0) * 1_000 * (0.5 + (high * 256 + low) / 65_536));
}
