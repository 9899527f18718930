// The entries of contacts in sequences. Every call that enters contacts locks their entries first.
import { filledList, type WorkspaceHandle } from '../../core/index.ts';
import { entryRows } from './tables.ts';

/**
 * Locks the entries of contacts, so that two calls decide one after the other. Creates missing entries. One statement
 * locks existing rows and inserts missing rows, in the order of the contacts, because with separate statements, or with
 * an insert that skips the new rows of another call, two calls could deadlock. Returns the number of entries of each
 * contact.
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
  // With a lock, because on MySQL a plain read does not see these rows if the caller's transaction began before they
  // existed.
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
