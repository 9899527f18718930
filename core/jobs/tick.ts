// What time does to the queue: waiting jobs become ready, leases that ran out are taken back, and a job whose holders
// died time after time fails. Called at every poll and before a drain. Cheap when nothing is due: reads.
import type { Workspace } from '../contract/workspace.ts';
import { findWorkspace } from '../pipeline/workspaces.ts';
import type { TransactionScope } from '../storage/database.ts';
import type { EndingPlace } from './endings.ts';
import { failWithoutEffects } from './endings.ts';
import { isLeaseLost, Lease } from './lease.ts';
import { longestList } from './list-statement.ts';
import { dueWaiting, expiredLeases, look, promoteListed, reclaimListed } from './queue.ts';
import { failForGood, readPayload } from './try.ts';

/** What a look at the queue told. */
export interface QueueState {
  /** Whether some job can run now. */
  readonly ready: boolean;
  /** When to look at the waiting jobs again: when the next is due, at once when some were. Undefined when none waits. */
  readonly waitingAt: number | undefined;
}

/** How often in a row a job's holder may die at least, however few tries the job has: a deployment must not fail it. */
const fewestCrashes = 3;
/** So many batches at most are promoted in one tick: what remains is due at the next. */
const mostBatches = 40;

interface ExpiredJob {
  readonly id: string;
  readonly workspace_id: string;
  readonly kind: string;
  readonly payload: string;
  readonly sandbox: number;
  readonly run_at: number;
  readonly crashes: number;
  readonly lease_token: string | null;
}

/**
 * Looks, and does what is due. `leases` says whether to look for those that ran out, too: that reads all running rows,
 * so a quarter of a lease is often enough.
 */
export async function tick(place: EndingPlace, leases: boolean): Promise<QueueState> {
  const now = place.core.ports.now();
  const seen = await place.database.read(undefined, (handle) => handle.one(look, {}));
  let ready = [seen?.urgent, seen?.normal, seen?.bulk].some((lane) => lane !== null && lane !== undefined);
  let waitingAt = seen?.waiting_at ?? undefined;
  if (waitingAt !== undefined && waitingAt <= now) {
    await promote(place, now);
    ready = true;
    waitingAt = now;
  }
  if (leases && (await reclaim(place, now))) ready = true;
  return { ready, waitingAt };
}

/** Whether something could run now. */
export async function isDue(place: EndingPlace): Promise<boolean> {
  const seen = await place.database.read(undefined, (handle) => handle.one(look, {}));
  if (seen === undefined) return false;
  const ready = [seen.urgent, seen.normal, seen.bulk].some((lane) => lane !== null);
  return ready || (seen.waiting_at !== null && seen.waiting_at <= place.core.ports.now());
}

async function promote({ database }: EndingPlace, now: number): Promise<void> {
  const due = database.adapter.capabilities.skipLocked ? dueWaiting.locking : dueWaiting.plain;
  const promoteSome = async (scope: TransactionScope): Promise<number> => {
    const handle = scope.handle(undefined);
    const rows = await handle.all(due, { now, most: longestList });
    if (rows.length > 0)
      await handle.run(
        ...promoteListed(
          rows.map(({ id }) => id),
          {},
        ),
      );
    return rows.length;
  };
  for (let batch = 0; batch < mostBatches; batch += 1) {
    if ((await database.transact(promoteSome)) < longestList) return;
  }
}

/** Takes back what nobody renewed. Answers whether any of it is ready now. */
async function reclaim(place: EndingPlace, now: number): Promise<boolean> {
  const { core, database } = place;
  const some = await database.read(undefined, (handle) => handle.one(expiredLeases.plain, { now, most: 1 }));
  if (some === undefined) return false;
  const expired = database.adapter.capabilities.skipLocked ? expiredLeases.locking : expiredLeases.plain;
  const { back, poison } = await database.transact(async (scope) => {
    const handle = scope.handle(undefined);
    const rows: ExpiredJob[] = await handle.all(expired, { now, most: longestList });
    const hopeless = rows.filter((row) => row.crashes + 1 >= mostCrashes(place, row.kind));
    const ids = rows.filter((row) => !hopeless.includes(row)).map(({ id }) => id);
    if (ids.length > 0) await handle.run(...reclaimListed(ids, { now, reason: 'crashed' }));
    return { back: ids, poison: hopeless };
  });
  if (back.length > 0) core.log.warn({ jobs: back.length }, 'the leases of jobs ran out: they are tried again');
  for (const row of poison) await failPoison(place, row);
  return back.length > 0;
}

function mostCrashes({ core }: EndingPlace, kind: string): number {
  const declaration = core.registry.jobs.get(kind);
  if (declaration === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(fewestCrashes, declaration.retryDelaysMs.length + 1);
}

/** Fails a job that ended every process that ran it. The row is taken under the token of the last of them. */
async function failPoison(place: EndingPlace, row: ExpiredJob): Promise<void> {
  const { core, database } = place;
  core.log.error({ job_id: row.id, kind: row.kind }, 'a job failed for good: whoever ran it died, time after time');
  const lease = new Lease(row.id, row.lease_token ?? '', 0);
  const job = { id: row.id, kind: row.kind, sandbox: row.sandbox === 1, runAt: row.run_at, lease };
  const declaration = core.registry.jobs.get(row.kind);
  const workspace: Workspace | undefined = await database.read(row.workspace_id, (handle) =>
    findWorkspace(handle, core.plans),
  );
  const read = declaration === undefined ? undefined : readPayload(declaration, row.payload);
  if (declaration === undefined || workspace === undefined || read === undefined || 'reason' in read) {
    await failWithoutEffects(place, job, 'crashed');
    return;
  }
  try {
    await failForGood(place, declaration, { ...job, workspace }, read.payload, 'crashed');
  } catch (error) {
    if (!isLeaseLost(error)) throw error;
  }
}
