// SQL of broadcasts that their rows do not cover.
import type { PersonIdentifiers, TransactionContext, WorkspaceHandle } from '../../core/index.ts';
import { type BroadcastRow, broadcastRows } from './broadcasts.ts';
import { type BroadcastStatus, maxOpenBroadcasts } from './schema.ts';
import { type RecipientRow, recipientRows } from './tables.ts';
import { addCounts } from './tallies.ts';

/** The states of broadcasts that are neither sent nor canceled. */
export const openStates: readonly BroadcastStatus[] = ['draft', 'scheduled', 'preparing', 'sending', 'paused'];

/** The broadcasts in these states, newest first. */
export const openBroadcasts = (handle: WorkspaceHandle, states: readonly BroadcastStatus[]): Promise<BroadcastRow[]> =>
  broadcastRows.page(handle, {
    conditions: (columns) => [columns('status', 'in', [...states])],
    limit: maxOpenBroadcasts,
  });

/** The number of broadcasts of the side that are neither sent nor canceled. */
export async function countOpen({ db }: WorkspaceHandle): Promise<number> {
  const row = await db
    .selectFrom('broadcasts')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('status', 'in', [...openStates])
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

type Person = Pick<PersonIdentifiers, 'personId' | 'emails'>;

/** The recipients of a person, and the recipients with an address of that person, the newest first. */
export async function recipientsOf(
  handle: WorkspaceHandle,
  { personId, emails }: Person,
  limit: number,
): Promise<RecipientRow[]> {
  const recipients =
    personId === null ? [] : await recipientRows.page(handle, { where: { contact_id: personId }, limit });
  const knownIds = new Set(recipients.map(({ id }) => id));
  for (const address of emails) {
    const rows = await recipientRows.page(handle, { where: { address }, limit });
    recipients.push(...rows.filter(({ id }) => !knownIds.has(id)));
  }
  return recipients.sort((one, other) => other.created_at - one.created_at).slice(0, limit);
}

/** The maximum number of recipients of a person that one transaction erases. */
const batch = 200;

/**
 * Removes a person from their recipients, and their addresses from the recipients of others. A recipient of the person whose mail is not accepted
 * yet becomes excluded. A recipient of another person gets the mail at the current address of that person. Returns whether there may be more rows
 * to erase.
 */
export async function eraseRecipients(ctx: TransactionContext, person: Person): Promise<boolean> {
  const { trx, now } = ctx;
  const recipients = await recipientsOf(trx, person, batch);
  const ids = recipients.map(({ id }) => id);
  for (const row of await recipientRows.findIn(trx, 'id', ids, 'update')) {
    const isOwn = row.contact_id === null || row.contact_id === person.personId;
    const ends = isOwn && (row.state === 'waiting' || row.state === 'undecided');
    await recipientRows.update(trx, row.id, {
      address: null,
      // This also clears the time of a held-out contact, whose turn no longer comes.
      ...(isOwn ? { contact_id: null, due_at: null } : {}),
      ...(ends ? { state: 'excluded' as const, reason: 'erased', at: now } : {}),
    });
    if (ends) addCounts(ctx, row.broadcast_id, { waiting: -1, 'excluded.erased': 1 });
  }
  return recipients.length === batch;
}
