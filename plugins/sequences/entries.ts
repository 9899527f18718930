// The entries of contacts in sequences. Every call that enters contacts locks their entries first.
import { filledList, type WorkspaceHandle } from '../../core/index.ts';
import { entryRows } from './tables.ts';

/**
 * Locks the entries of contacts, so that two calls decide one after the other. Creates missing entries. One statement locks existing
 * rows and inserts missing ones, in the order of the contacts. With separate statements, or with an insert that skips rows that another
 * call just created, two calls could deadlock. Returns how often each contact has entered.
 */
export async function lockEntries(
  trx: WorkspaceHandle,
  sequenceId: string,
  contactIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  if (contactIds.length === 0) return new Map();
  const ids = [...new Set(contactIds)].sort();
  const initialRows = ids.map((id) => ({ sequence_id: sequenceId, contact_id: id, entries: 0, last_at: now }));
  await entryRows.upsertAndLock(trx, initialRows, ['sequence_id', 'contact_id']);
  // On MySQL, the caller's transaction may have begun before these rows existed: a plain read would not see them.
  const rows = await entryRows.findIn(trx, 'contact_id', ids, 'update', { sequence_id: sequenceId });
  return new Map(rows.map(({ contact_id: id, entries }) => [id, entries]));
}

/** Counts one more entry of each of these contacts. */
export async function countEntries(
  { db }: WorkspaceHandle,
  sequenceId: string,
  contactIds: readonly string[],
  now: number,
): Promise<void> {
  await db
    .updateTable('sequence_entries')
    .set((row) => ({ entries: row('entries', '+', 1), last_at: now }))
    .where('sequence_id', '=', sequenceId)
    .where('contact_id', 'in', filledList(contactIds))
    .execute();
}
