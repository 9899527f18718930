// The clicks that are in no sum yet: batches that wait, and the set of them that a roll-up adds part by part. All on one side of a
// workspace; what changes a set holds the lock of the roll-ups.
import type { WorkspaceHandle } from '../../../core/index.ts';
import { defineStatement, filledList } from '../../../core/index.ts';
import type { RecordedClick } from '../clicks/batch.ts';
import { unpackClicks } from '../clicks/batch.ts';
import { batchRows, setRows } from '../tables.ts';

/** The batches that a roll-up has begun, and their clicks, link by link: those of one link share most of their sums. */
export interface PendingSet {
  readonly id: string;
  readonly batches: readonly string[];
  readonly clicks: readonly RecordedClick[];
  /** How many of the clicks are in the sums. */
  readonly done: number;
}

/** The most batches of a set. */
const mostBatches = 500;

const pendingBatches = defineStatement((db) =>
  db
    .selectFrom('link_pending_batches')
    .select(['id', 'clicks'])
    .orderBy('id')
    .limit(({ lit }) => lit(mostBatches)),
);

/** The oldest batches that wait, with at most so many clicks: at least one where any waits. */
async function listPending(handle: WorkspaceHandle, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let clicks = 0;
  for (const batch of await handle.all(pendingBatches, {})) {
    clicks += Number(batch.clicks);
    if (clicks > limit && ids.length > 0) break;
    ids.push(batch.id);
  }
  return ids;
}

/** The clicks of batches in one order, whoever reads them: by link, then as they were written. */
async function readClicks(handle: WorkspaceHandle, batches: readonly string[]): Promise<RecordedClick[]> {
  if (batches.length === 0) return [];
  const rows = await handle.db
    .selectFrom('link_click_batches')
    .selectAll()
    .where('id', 'in', filledList(batches))
    .orderBy('id')
    .execute();
  const byLink = new Map<string, RecordedClick[]>();
  for (const row of rows)
    for (const click of unpackClicks(batchRows.decode(row).clicks)) {
      const group = byLink.get(click.linkId);
      if (group === undefined) byLink.set(click.linkId, [click]);
      else group.push(click);
    }
  return [...byLink.keys()].sort().flatMap((linkId) => byLink.get(linkId) ?? []);
}

const currentSet = defineStatement((db) =>
  db
    .selectFrom('link_rollup_sets')
    .selectAll()
    .limit(({ lit }) => lit(1)),
);

/**
 * The set that is under way; undefined where there is none. `known`: one that the caller has read before, so that its clicks are not
 * read again.
 */
export async function findSet(handle: WorkspaceHandle, known?: PendingSet): Promise<PendingSet | undefined> {
  const row = await handle.one(currentSet, {});
  if (row === undefined) return undefined;
  const { id, batches, clicks: count, done } = setRows.decode(row);
  if (known?.id === id) return { ...known, done };
  const clicks = await readClicks(handle, batches);
  // Clicks may be deleted by their retention while a service stands still: those that are left keep no order that `done` tells of.
  return { id, batches, clicks: clicks.length === count ? clicks : [], done };
}

/** Begins a set with the batches that wait; undefined where none does. */
export async function beginSet(
  trx: WorkspaceHandle,
  { id, limit, now }: { readonly id: string; readonly limit: number; readonly now: number },
): Promise<PendingSet | undefined> {
  const batches = await listPending(trx, limit);
  if (batches.length === 0) return undefined;
  const clicks = await readClicks(trx, batches);
  await setRows.insert(trx, { id, batches, clicks: clicks.length, done: 0, created_at: now });
  return { id, batches, clicks, done: 0 };
}

/** Records how many clicks of a set are in the sums; with the last one the set ends. */
export async function advanceSet(
  trx: WorkspaceHandle,
  { id, batches, clicks }: PendingSet,
  done: number,
): Promise<void> {
  if (done < clicks.length) {
    await setRows.update(trx, id, { done });
    return;
  }
  await trx.db.deleteFrom('link_pending_batches').where('id', 'in', filledList(batches)).execute();
  await setRows.remove(trx, id);
}

/** At most so many clicks that are in no sum yet. */
export async function readPending(handle: WorkspaceHandle, limit: number): Promise<RecordedClick[]> {
  const set = await findSet(handle);
  const begun = new Set(set?.batches);
  const rest = (set?.clicks ?? []).slice(set?.done ?? 0, (set?.done ?? 0) + limit);
  const others = (await listPending(handle, limit + (set?.clicks.length ?? 0))).filter((id) => !begun.has(id));
  return [...rest, ...(await readClicks(handle, others))].slice(0, limit);
}
