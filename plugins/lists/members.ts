// Adds, confirms and removes members inside the caller's transaction: rows, counts, events and the jobs that send mail.
// Every change locks the counts of the list first. This keeps the counts exact and emits each event once.
import type { TransactionContext } from '../../core/index.ts';
import type { ContactNames } from '../contacts/index.ts';
import { type ListRow, listRows } from './contact-lists.ts';
import { errors } from './errors.ts';
import type { MemberEvent } from './events.ts';
import { askBatchSize, sendMemberConfirmationsKind } from './jobs/kinds.ts';
import type { AddedMembers, AddMembersOptions, MemberSource, RemovedMembers } from './service.ts';
import {
  changeCounts,
  chunksOf,
  confirmMembers,
  deleteMembers,
  insertMembers,
  lockCounts,
  type Membership,
  membersAmong,
} from './store.ts';

type Change = 'added' | 'confirmed' | 'removed';
type NamesByContact = ReadonlyMap<string, ContactNames>;

/** Finds a list and locks it against changes and deletion until the transaction ends. @throws list_not_found */
export async function lockList({ trx }: TransactionContext, listId: string): Promise<ListRow> {
  const list = await listRows.findBy(trx, { id: listId }, 'share');
  if (list === undefined) throw errors.list_not_found({ id: listId });
  return list;
}

/** Emits the events for these members. */
function announce(
  { emitEach }: TransactionContext,
  change: Change,
  listId: string,
  people: NamesByContact,
  members: readonly (Pick<Membership, 'contact_id'> & Pick<MemberEvent, 'status' | 'source'>)[],
): Promise<void> {
  const items = members.flatMap(({ contact_id: contactId, status, source }) => {
    const contact = people.get(contactId);
    if (contact === undefined) return [];
    const { id, external_id, email } = contact;
    return [{ data: { listId, contact: { id, external_id, email }, status, source }, subject: id }];
  });
  return emitEach(`list_member.${change}`, items);
}

/** Enqueues confirmation mails to members, in jobs of the lane bulk. */
function enqueueConfirmationMails(
  { enqueue }: TransactionContext,
  listId: string,
  contactIds: readonly string[],
): void {
  for (const ids of chunksOf(contactIds, askBatchSize))
    enqueue({ kind: sendMemberConfirmationsKind, payload: { listId, contactIds: ids }, lane: 'bulk' });
}

/** Confirms unconfirmed members. The caller has locked the counts and writes their change. */
async function confirmAll(
  ctx: TransactionContext,
  listId: string,
  members: readonly Membership[],
  people: NamesByContact,
  consentNote: string | undefined,
): Promise<void> {
  const ids = members.map(({ contact_id: id }) => id);
  await confirmMembers(ctx.trx, listId, ids, { confirmed_at: ctx.now, consent_note: consentNote });
  const confirmed = members.map((member) => ({ ...member, status: 'confirmed' as const }));
  await announce(ctx, 'confirmed', listId, people, confirmed);
}

/** @throws list_not_found */
export async function addMembers(
  ctx: TransactionContext,
  listId: string,
  contactIds: readonly string[],
  { source, confirmed = false, consentNote }: AddMembersOptions,
): Promise<AddedMembers> {
  const { trx, now } = ctx;
  const list = await lockList(ctx, listId);
  const ids = [...new Set(contactIds)];
  const people = await ctx.services.contacts.among(trx, ids);
  const counts = await lockCounts(trx, listId);
  const existingIds = ids.filter((id) => people.has(id));
  const members = await membersAmong(trx, listId, existingIds);
  const newIds = existingIds.filter((id) => !members.has(id));
  const unconfirmed = [...members.values()].filter(({ status }) => status === 'unconfirmed');
  const status = confirmed || list.optin === 'single' ? 'confirmed' : 'unconfirmed';
  await insertMembers(
    trx,
    {
      list_id: listId,
      status,
      source,
      consent_note: consentNote ?? null,
      added_at: now,
      confirmed_at: status === 'confirmed' ? now : null,
    },
    newIds,
  );
  const isConfirming = status === 'confirmed' && unconfirmed.length > 0;
  if (isConfirming) await confirmAll(ctx, listId, unconfirmed, people, consentNote);
  const confirmedCount = isConfirming ? unconfirmed.length : 0;
  await changeCounts(trx, counts, {
    confirmed: (status === 'confirmed' ? newIds.length : 0) + confirmedCount,
    unconfirmed: (status === 'confirmed' ? 0 : newIds.length) - confirmedCount,
  });
  const newMembers = newIds.map((id) => ({ contact_id: id, status, source }) as const);
  await announce(ctx, 'added', listId, people, newMembers);
  // A person who has not confirmed yet gets another mail, as often as the limits allow.
  if (status === 'unconfirmed')
    enqueueConfirmationMails(ctx, listId, [...newIds, ...unconfirmed.map(({ contact_id: id }) => id)]);
  return { added: newIds.length, alreadyMembers: members.size, notFound: ids.length - existingIds.length };
}

/** Removes members. With `only`, removes only members with that status. @throws list_not_found */
export async function removeMembers(
  ctx: TransactionContext,
  listId: string,
  contactIds: readonly string[],
  only?: Membership['status'],
): Promise<RemovedMembers> {
  const { trx } = ctx;
  await lockList(ctx, listId);
  const ids = [...new Set(contactIds)];
  const people = await ctx.services.contacts.among(trx, ids);
  const counts = await lockCounts(trx, listId);
  const memberships = [...(await membersAmong(trx, listId, ids)).values()];
  const members = memberships.filter(({ status }) => only === undefined || status === only);
  await deleteMembers(
    trx,
    listId,
    members.map(({ contact_id: id }) => id),
  );
  const confirmed = members.filter(({ status }) => status === 'confirmed').length;
  await changeCounts(trx, counts, { confirmed: -confirmed, unconfirmed: confirmed - members.length });
  await announce(ctx, 'removed', listId, people, members);
  return { removed: members.length, notMembers: ids.length - members.length };
}

/** Confirms one member. Returns false if the contact is not a member, or has already confirmed. */
export async function confirmMember(ctx: TransactionContext, listId: string, contact: ContactNames): Promise<boolean> {
  const counts = await lockCounts(ctx.trx, listId);
  const member = (await membersAmong(ctx.trx, listId, [contact.id])).get(contact.id);
  if (member?.status !== 'unconfirmed') return false;
  await confirmAll(ctx, listId, [member], new Map([[contact.id, contact]]), undefined);
  await changeCounts(ctx.trx, counts, { confirmed: 1, unconfirmed: -1 });
  return true;
}

/** Makes a contact a confirmed member, even in a double opt-in list: the address has already been proven. */
export async function joinConfirmed(
  ctx: TransactionContext,
  listId: string,
  contactId: string,
  options: { readonly source: MemberSource; readonly consentNote: string | undefined },
): Promise<void> {
  await addMembers(ctx, listId, [contactId], { ...options, confirmed: true });
}
