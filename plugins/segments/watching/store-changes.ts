// Stores the changes of a watched segment: the contacts that entered it or left it, with one event for each of them, in one transaction.
// Processes lock the watch one after the other, so that each change is emitted once.
import type { TransactionContext, WorkspaceHandle } from '../../../core/index.ts';
import type { SegmentChange } from '../events.ts';
import type { ResolvedFilter } from '../query.ts';
import { segmentRows } from '../segments.ts';
import { memberRows, type WatchRow, watchRows } from '../tables.ts';
import { contactsInside, deleteStored, storedAmong } from './store.ts';

/** A pass over the contacts of a watched segment, with the values from its beginning. */
export interface Pass {
  readonly watchId: string;
  readonly segmentId: string;
  readonly pass: number;
  readonly filter: ResolvedFilter;
}

/** The contacts that entered and left. */
interface Changes {
  readonly entered: readonly string[];
  readonly left: readonly string[];
}

/** Makes the stored contacts equal to the filter, for these contacts. The caller has locked the watch. */
export async function storeChanges(
  trx: WorkspaceHandle,
  { watchId, filter }: Pick<Pass, 'watchId' | 'filter'>,
  ids: readonly string[],
  now: number,
): Promise<Changes> {
  if (ids.length === 0) return { entered: [], left: [] };
  const inside = await contactsInside(trx, ids, filter, now);
  const stored = await storedAmong(trx, watchId, ids);
  const entered = ids.filter((id) => inside.has(id) && !stored.has(id));
  const leaving = ids.filter((id) => !inside.has(id) && stored.has(id));
  const rows = entered.map((id) => ({ watch_id: watchId, contact_id: id, stored_at: now }));
  memberRows.deferUnlessTaken(trx, rows, ['watch_id', 'contact_id']);
  await deleteStored(trx, watchId, leaving);
  return { entered, left: leaving };
}

/** Locks the watch of a pass. Undefined if the watch has ended, or if the filter has changed since. */
export async function lockPass(trx: WorkspaceHandle, { watchId, pass }: Pass): Promise<WatchRow | undefined> {
  const watch = await watchRows.lock(trx, watchId);
  return watch?.pass === pass ? watch : undefined;
}

/**
 * Stores the changes of these contacts, and emits their events. While the contacts of a new watch or a changed filter are
 * being stored, no events are emitted. False if the pass has ended.
 */
export async function storeAndEmitChanges(
  ctx: TransactionContext,
  pass: Pass,
  ids: readonly string[],
): Promise<boolean> {
  const watch = await lockPass(ctx.trx, pass);
  if (watch === undefined) return false;
  const { entered, left } = await storeChanges(ctx.trx, pass, ids, ctx.now);
  if (watch.stored_at === null) return true;
  const segment = await segmentRows.find(ctx.trx, pass.segmentId);
  if (segment === undefined) return false;
  // Contacts that were erased meanwhile are not found, so they cause no event.
  const contactsById = await ctx.services.contacts.among(ctx.trx, [...entered, ...left]);
  const eventsFor = (changed: readonly string[]): { data: SegmentChange; subject: string }[] =>
    changed.flatMap((id) => {
      const contact = contactsById.get(id);
      if (contact === undefined) return [];
      const { external_id, email } = contact;
      const data = { segment: { segmentId: segment.id, name: segment.name }, contact: { id, external_id, email } };
      return [{ data, subject: id }];
    });
  await ctx.emitEach('segment.entered', eventsFor(entered));
  await ctx.emitEach('segment.left', eventsFor(left));
  ctx.ports.phase('segments.storing_changes', pass.watchId);
  return true;
}
