// The entries of contacts in sequences: every call that enters contacts locks their rows first.
import type { WorkspaceHandle } from '../../core/index.ts';
import { filledList } from '../../core/index.ts';

/**
 * Locks the entries of contacts, so that two calls decide one after the other, and makes the missing ones. One statement takes known
 * and missing rows alike, in the order of the contacts: taken apart, or by an insert that passes over what another call just made,
 * two calls could wait for each other. Answers how often each contact has entered.
 */
export async function lockEntries(
  { db }: WorkspaceHandle,
  sequenceId: string,
  contactIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  if (contactIds.length === 0) return new Map();
  const ids = [...new Set(contactIds)].sort();
  await db
    .insertInto('sequence_entries')
    .values(ids.map((id) => ({ sequence_id: sequenceId, contact_id: id, entries: 0, last_at: now })))
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'sandbox', 'sequence_id', 'contact_id'])
        .doUpdateSet(({ ref }) => ({ last_at: ref('sequence_entries.last_at') })),
    )
    .execute();
  const rows = await db
    .selectFrom('sequence_entries')
    .select(['contact_id', 'entries'])
    .where('sequence_id', '=', sequenceId)
    .where('contact_id', 'in', filledList(ids))
    .orderBy('contact_id')
    // A transaction of the program on MySQL may have begun before these rows: a plain read would not see them.
    .forUpdate()
    .execute();
  return new Map(rows.map(({ contact_id: id, entries }) => [id, Number(entries)]));
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
