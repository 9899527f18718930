// Checks whether active runs would send to domains that a leash does not allow. Used when a leashed key resumes the sequence.
import type { WorkspaceHandle } from '../../core/index.ts';

/** Returns the first email domain of a contact with an active run that is not in `allowed`; undefined if all domains are allowed. */
export async function disallowedActiveDomain(
  { db }: WorkspaceHandle,
  sequenceId: string,
  allowed: readonly string[],
): Promise<string | undefined> {
  let query = db
    .selectFrom('sequence_runs')
    .innerJoin('contacts', 'contacts.id', 'sequence_runs.contact_id')
    .select('contacts.email')
    .where('sequence_runs.sequence_id', '=', sequenceId)
    .where('sequence_runs.status', '=', 'active');
  for (const domain of allowed) query = query.where('contacts.email', 'not like', `%@${domain}`);
  const row = await query.limit(1).executeTakeFirst();
  return row?.email?.slice(row.email.lastIndexOf('@') + 1);
}
