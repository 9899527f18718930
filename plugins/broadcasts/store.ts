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

/** How many broadcasts of the side are neither sent nor canceled. */
export async function countOpen({ db }: WorkspaceHandle): Promise<number> {
  const row = await db
    .selectFrom('broadcasts')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('status', 'in', [...openStates])
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

type Person = Pick<PersonIdentifiers, 'personId' | 'emails'>;

/** The recipients of a person, and those with an address of that person, the newest first. */
export async function recipientsOf(
  handle: WorkspaceHandle,
  { personId, emails }: Person,
  limit: number,
): Promise<RecipientRow[]> {
  const found = personId === null ? [] : await recipientRows.page(handle, { where: { contact_id: personId }, limit });
  const known = new Set(found.map(({ id }) => id));
  for (const address of emails) {
    const rows = await recipientRows.page(handle, { where: { address }, limit });
    found.push(...rows.filter(({ id }) => !known.has(id)));
  }
  return found.sort((one, other) => other.created_at - one.created_at).slice(0, limit);
}

/** How many recipients of a person one transaction erases. */
const batch = 200;

/**
 * Removes a person from their recipients, and their addresses from the recipients of others. Those whose turn has not come are excluded;
 * the contact of another person gets the mail at its present address. Returns whether there may be more.
 */
export async function eraseRecipients(ctx: TransactionContext, person: Person): Promise<boolean> {
  const { trx, now } = ctx;
  const found = await recipientsOf(trx, person, batch);
  const ids = found.map(({ id }) => id);
  for (const row of await recipientRows.findIn(trx, 'id', ids, 'update')) {
    const isOwn = row.contact_id === null || row.contact_id === person.personId;
    const ends = isOwn && (row.state === 'waiting' || row.state === 'undecided');
    await recipientRows.update(trx, row.id, {
      address: null,
      // A contact who is held out has no turn any more, either.
      ...(isOwn ? { contact_id: null, due_at: null } : {}),
      ...(ends ? { state: 'excluded' as const, reason: 'erased', at: now } : {}),
    });
    if (ends) addCounts(ctx, row.broadcast_id, { waiting: -1, 'excluded.erased': 1 });
  }
  return found.length === batch;
}
