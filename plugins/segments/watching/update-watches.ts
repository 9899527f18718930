// Begins and ends the watching of segments. Called when a plugin starts or stops needing changes, when a segment changes, and by
// the schedule, which finds missed changes.
import { createHash } from 'node:crypto';
import { onSide, type TransactionContext, type WorkspaceHandle } from '../../../core/index.ts';
import { lockWorkspace } from '../../../core/unstable.ts';
import { filterAmong } from '../named-filters.ts';
import type { ResolvedFilter } from '../query.ts';
import { maxSegments, type SegmentRow, segmentRows } from '../segments.ts';
import { type WatchRow, watchRows } from '../tables.ts';
import { compareKind, forgetKind } from './kinds.ts';
import { positionsAfter } from './store.ts';
import { storeChanges } from './store-changes.ts';
import { type SegmentWatcher, watchedSegments } from './watched.ts';

/**
 * The maximum number of contacts that one call stores itself, over all segments that it begins to watch. A job stores
 * larger audiences.
 */
const maxStoredByCall = 1_000;

const hashOf = ({ filter, named }: ResolvedFilter): string => {
  const referredFilters = [...named].sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([filter, referredFilters]))
    .digest('hex');
};

/** A segment that must be watched, with its current filter. */
interface SegmentToWatch {
  readonly segmentId: string;
  readonly filter: ResolvedFilter;
  readonly hash: string;
}

/** The necessary changes on one side. */
interface Difference {
  readonly begun: readonly SegmentToWatch[];
  readonly changed: readonly { readonly watch: WatchRow; readonly wanted: SegmentToWatch }[];
  readonly ended: readonly WatchRow[];
}

async function differenceOn(ctx: TransactionContext): Promise<Difference> {
  const { trx } = ctx;
  const watches = await watchRows.page(trx, { limit: 2 * maxSegments });
  const segments: SegmentRow[] = await segmentRows.page(trx, { limit: maxSegments });
  const ids = segments.length === 0 ? new Set<string>() : await watchedSegments(ctx);
  const wantedSegments = new Map<string, SegmentToWatch>();
  for (const { id, filter } of segments) {
    if (ids !== 'all' && !ids.has(id)) continue;
    const resolved = filterAmong(segments, filter);
    wantedSegments.set(id, { segmentId: id, filter: resolved, hash: hashOf(resolved) });
  }
  const watchedIds = new Set(watches.map(({ segment_id: id }) => id));
  return {
    begun: [...wantedSegments.values()].filter(({ segmentId }) => !watchedIds.has(segmentId)),
    changed: watches.flatMap((watch) => {
      const wantedSegment = wantedSegments.get(watch.segment_id);
      return wantedSegment === undefined || wantedSegment.hash === watch.filter_hash
        ? []
        : [{ watch, wanted: wantedSegment }];
    }),
    ended: watches.filter(({ segment_id: id }) => !wantedSegments.has(id)),
  };
}

const isEmpty = ({ begun, changed, ended }: Difference): boolean => begun.length + changed.length + ended.length === 0;

/** The ids of all contacts of a side; undefined if there are more than `max`. */
async function contactIdsUpTo(trx: WorkspaceHandle, max: number): Promise<string[] | undefined> {
  const positions = max <= 0 ? [] : await positionsAfter(trx, null, max + 1);
  return max <= 0 || positions.length > max ? undefined : positions.map(({ id }) => id);
}

/** Begins, changes and ends the watches of one side. Returns the number of contacts that this call may still store. */
async function updateSide(ctx: TransactionContext, budget: number): Promise<number> {
  if (isEmpty(await differenceOn(ctx))) return budget;
  // If two calls run at once, the second one sees the watches of the first.
  await lockWorkspace(ctx.trx);
  const { trx, now, sandbox } = ctx;
  const { begun, changed, ended } = await differenceOn(ctx);
  let remaining = budget;
  const store = async (watch: WatchRow, wanted: SegmentToWatch): Promise<void> => {
    const ids = await contactIdsUpTo(trx, remaining);
    if (ids === undefined) {
      ctx.enqueue({ kind: compareKind, payload: { segmentId: wanted.segmentId }, key: wanted.segmentId, sandbox });
      return;
    }
    remaining -= ids.length;
    await storeChanges(trx, { watchId: watch.id, filter: wanted.filter }, ids, now);
    await watchRows.update(trx, watch.id, { stored_at: now });
    if (watch.pass > 1) await notifyStored(ctx, watch);
  };
  for (const wanted of begun) {
    const row: WatchRow = {
      id: ctx.newId('sgw'),
      segment_id: wanted.segmentId,
      filter_hash: wanted.hash,
      pass: 1,
      stored_at: null,
      begun_at: now,
      continued_at: null,
      created_at: now,
    };
    if (await watchRows.insertUnlessTaken(trx, row)) await store(row, wanted);
  }
  for (const { watch, wanted } of changed) {
    const locked = await watchRows.lock(trx, watch.id);
    if (locked === undefined) continue;
    const nextPass = {
      filter_hash: wanted.hash,
      pass: locked.pass + 1,
      stored_at: null,
      begun_at: now,
      continued_at: null,
    };
    await store(await watchRows.change(trx, locked, nextPass), wanted);
  }
  for (const { id } of ended) {
    await watchRows.remove(trx, id);
    ctx.enqueue({ kind: forgetKind, payload: { watchId: id }, key: id, sandbox });
  }
  return remaining;
}

/** Notifies the watchers that contacts were stored without events because a filter changed. */
export async function notifyStored(ctx: TransactionContext, watch: WatchRow): Promise<void> {
  const watchers: ReadonlyMap<string, SegmentWatcher> = ctx.ports.contributions('segments.watchers');
  for (const watcher of watchers.values()) await watcher.onStored(ctx, watch.segment_id, watch.begun_at);
}

/** Makes the watched segments equal to the needed ones, on the sides that the context reaches. */
export async function updateWatches(ctx: TransactionContext): Promise<void> {
  let budget = maxStoredByCall;
  for (const sandbox of ctx.sandbox ? [true] : [false, true]) budget = await updateSide(onSide(ctx, sandbox), budget);
}

/** Compares every watched segment of one side, in jobs. */
async function compareOn(ctx: TransactionContext, sandbox: boolean): Promise<void> {
  for (const { segment_id: segmentId } of await watchRows.page(ctx.trx.onSide(sandbox), { limit: 2 * maxSegments }))
    ctx.enqueue({ kind: compareKind, payload: { segmentId }, key: segmentId, sandbox });
}

/** Compares every watched segment of the context's side, in jobs. */
export const compareSide = (ctx: TransactionContext): Promise<void> => compareOn(ctx, ctx.sandbox);

/** Compares every watched segment of the sides that the context reaches, in jobs. */
export async function compareAll(ctx: TransactionContext): Promise<void> {
  for (const sandbox of ctx.sandbox ? [true] : [false, true]) await compareOn(ctx, sandbox);
}
