// The segments that are watched on a side: those whose changes a sequence or another plugin needs, or all segments if a
// webhook receives the events of all segments.
import type { ReadContext, TransactionContext } from '../../../core/index.ts';
import { changeTypes } from '../events.ts';

/** The segments whose changes a plugin needs: a set of ids, or all. */
export type WatchedSegments = 'all' | ReadonlySet<string>;

/** An entry of `segments.watchers`. */
export interface SegmentWatcher {
  /** The segments whose changes the plugin needs on the side of the context. Its interests in events count only here. */
  watched(ctx: ReadContext): Promise<WatchedSegments>;
  /**
   * Contacts were stored without events, because the filter changed. `since`: the time of the first of them. Called in the
   * transaction that stores the last of them.
   */
  onStored(ctx: TransactionContext, segmentId: string, since: number): Promise<void>;
}

/** The watched segments on the side of the context. */
export async function watchedSegments(ctx: ReadContext): Promise<WatchedSegments> {
  const { contributions, subscribers } = ctx.ports;
  if (subscribers.inProcess(changeTypes)) return 'all';
  const watchers: ReadonlyMap<string, SegmentWatcher> = contributions('segments.watchers');
  const consumers = await subscribers.consumersOf(ctx.trx, changeTypes);
  if (consumers.some((id) => !watchers.has(id))) return 'all';
  const ids = new Set<string>();
  for (const watcher of watchers.values()) {
    const needed = await watcher.watched(ctx);
    if (needed === 'all') return 'all';
    for (const id of needed) ids.add(id);
  }
  return ids;
}
