// The entries of contacts in sequences: every call that enters contacts locks their rows first.
import type { WorkspaceHandle } from '../../core/index.ts';
import { filledList } from '../../core/index.ts';

async function lockKnown(
  { db }: WorkspaceHandle,
  sequenceId: string,
  contactIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('sequence_entries')
    .select(['contact_id', 'entries'])
    .where('sequence_id', '=', sequenceId)
    .where('contact_id', 'in', filledList(contactIds))
    .orderBy('contact_id')
    .forUpdate()
    .execute();
  return new Map(rows.map(({ contact_id: id, entries }) => [id, Number(entries)]));
}

/** Locks the entries of contacts, so that two calls decide one after the other. Answers how often each has entered. */
export async function lockEntries(
  handle: WorkspaceHandle,
  sequenceId: string,
  contactIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  if (contactIds.length === 0) return new Map();
  const known = await lockKnown(handle, sequenceId, contactIds);
  const missing = contactIds.filter((id) => !known.has(id));
  if (missing.length === 0) return known;
  const fresh = missing.map((id) => ({ sequence_id: sequenceId, contact_id: id, entries: 0, last_at: now }));
  const { numInsertedOrUpdatedRows: made } = await handle.db
    .insertInto('sequence_entries')
    .values(fresh)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  // Where another call made some of them meanwhile, they say how often the contacts have entered by now.
  if (Number(made) !== missing.length) return lockKnown(handle, sequenceId, contactIds);
  for (const id of missing) known.set(id, 0);
  return known;
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
