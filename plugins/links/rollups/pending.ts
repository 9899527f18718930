// The clicks that are not in the sums yet: the waiting batches, and the set of batches that a roll-up adds part by
// part. All are on one side of a workspace. Code that changes a set must hold the lock of the roll-ups.
import { defineStatement, filledList, type WorkspaceHandle } from '../../../core/index.ts';
import { type RecordedClick, unpackClicks } from '../clicks/batch.ts';
import { batchRows, setRows } from '../tables.ts';

/** The batches that a roll-up has begun. */
export interface PendingSet {
  readonly id: string;
  readonly batches: readonly string[];
  /** The number of clicks in the batches. */
  readonly count: number;
  /** The number of clicks that are already in the sums. Clicks are added link by link. */
  readonly done: number;
}

/** The clicks of a set, read once for all its parts. */
export interface SetClicks {
  /** The id of the set. */
  readonly id: string;
  readonly clicks: readonly RecordedClick[];
}

/** The maximum number of batches in a set. */
const maxBatches = 500;

const pendingBatches = defineStatement((db) =>
  db
    .selectFrom('link_pending_batches')
    .select(['id', 'clicks'])
    .orderBy('id')
    .limit(({ lit }) => lit(maxBatches)),
);

/** The oldest waiting batches, with at most `limit` clicks in total. At least one batch if any waits. */
async function listPending(handle: WorkspaceHandle, limit: number): Promise<{ batches: string[]; count: number }> {
  const batches: string[] = [];
  let count = 0;
  for (const { id, clicks } of await handle.all(pendingBatches, {})) {
    if (count + Number(clicks) > limit && batches.length > 0) break;
    batches.push(id);
    count += Number(clicks);
  }
  return { batches, count };
}

/** The number of batches in one read. */
const batchesPerRead = 4;

/** Runs one read. A roll-up reads in its transaction; a job lets other work run between two reads. */
export type RunRead = <T>(work: (handle: WorkspaceHandle) => Promise<T>) => Promise<T>;

/**
 * The clicks of batches, always in the same order: by link, because the clicks of one link share most of their sums, then in
 * the order in which they were written.
 */
async function readClicks(read: RunRead, batches: readonly string[]): Promise<RecordedClick[]> {
  const byLink = new Map<string, RecordedClick[]>();
  const sorted = [...batches].sort();
  for (let from = 0; from < sorted.length; from += batchesPerRead) {
    const ids = filledList(sorted.slice(from, from + batchesPerRead));
    const rows = await read(({ db }) =>
      db.selectFrom('link_click_batches').selectAll().where('id', 'in', ids).orderBy('id').execute(),
    );
    for (const row of rows)
      for (const click of unpackClicks(batchRows.decode(row).clicks)) {
        const group = byLink.get(click.linkId);
        if (group === undefined) byLink.set(click.linkId, [click]);
        else group.push(click);
      }
  }
  return [...byLink.keys()].sort().flatMap((linkId) => byLink.get(linkId) ?? []);
}

export async function readSet(read: RunRead, { id, batches, count }: PendingSet): Promise<SetClicks> {
  const clicks = await readClicks(read, batches);
  // Retention may have deleted some of the clicks while the service was stopped. `done` then no longer matches the
  // remaining clicks, so none are returned.
  return { id, clicks: clicks.length === count ? clicks : [] };
}

const currentSet = defineStatement((db) =>
  db
    .selectFrom('link_rollup_sets')
    .selectAll()
    .limit(({ lit }) => lit(1)),
);

/** The set in progress; undefined if there is none. */
export async function findSet(handle: WorkspaceHandle): Promise<PendingSet | undefined> {
  const row = await handle.one(currentSet, {});
  if (row === undefined) return undefined;
  const { id, batches, clicks, done } = setRows.decode(row);
  return { id, batches, count: clicks, done };
}

/** Begins a set with the waiting batches, at most `limit` clicks; undefined if none waits. */
export async function beginSet(
  trx: WorkspaceHandle,
  { id, limit, now }: { readonly id: string; readonly limit: number; readonly now: number },
): Promise<PendingSet | undefined> {
  const { batches, count } = await listPending(trx, limit);
  if (batches.length === 0) return undefined;
  await setRows.insert(trx, { id, batches, clicks: count, done: 0, created_at: now });
  return { id, batches, count, done: 0 };
}

/** Stores how many clicks of a set are in the sums. */
export const advanceSet = (trx: WorkspaceHandle, { id }: PendingSet, done: number): Promise<unknown> =>
  setRows.update(trx, id, { done });

/** Ends a set and removes its batches from the waiting batches. */
export async function endSet(trx: WorkspaceHandle, { id, batches }: PendingSet): Promise<void> {
  await trx.db.deleteFrom('link_pending_batches').where('id', 'in', filledList(batches)).execute();
  await setRows.remove(trx, id);
}

/** At most `limit` clicks that are not in the sums yet. */
export async function readPending(handle: WorkspaceHandle, limit: number): Promise<RecordedClick[]> {
  const read: RunRead = (work) => work(handle);
  const set = await findSet(handle);
  const openClicks = set === undefined ? [] : (await readSet(read, set)).clicks.slice(set.done, set.done + limit);
  if (openClicks.length === limit) return openClicks;
  const { batches } = await listPending(handle, limit + (set?.count ?? 0));
  const waitingClicks = await readClicks(
    read,
    batches.filter((id) => set?.batches.includes(id) !== true),
  );
  return [...openClicks, ...waitingClicks].slice(0, limit);
}
