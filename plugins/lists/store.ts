// SQL for lists that the table helpers do not cover: thousands of members at a time, and their counts.
import {
  defineStatement,
  filledList,
  type Handle,
  newerThan,
  type Statement,
  type WorkspaceHandle,
} from '../../core/index.ts';
import { type ConfirmationRow, type CountsRow, countRows, type MemberRow } from './tables.ts';

/** The maximum number of ids in one statement. */
const chunkSize = 1_024;

/** Splits values into chunks that fit into one statement. */
export function* chunksOf<T>(values: readonly T[], size: number = chunkSize): Generator<readonly T[]> {
  for (let from = 0; from < values.length; from += size) yield values.slice(from, from + size);
}

/** Locks the counts of a list on the handle's side. Every change of members locks them first. */
export async function lockCounts(handle: WorkspaceHandle, list_id: string): Promise<CountsRow> {
  const storedCounts = await countRows.lock(handle, list_id);
  if (storedCounts !== undefined) return storedCounts;
  const emptyCounts = { list_id, confirmed: 0, unconfirmed: 0 };
  await countRows.insertUnlessTaken(handle, emptyCounts);
  return (await countRows.lock(handle, list_id)) ?? emptyCounts;
}

/** Adds to the counts. The caller has locked them. */
export async function changeCounts(
  handle: WorkspaceHandle,
  counts: CountsRow,
  change: { readonly confirmed?: number; readonly unconfirmed?: number },
): Promise<void> {
  const { confirmed = 0, unconfirmed = 0 } = change;
  if (confirmed === 0 && unconfirmed === 0) return;
  await countRows.update(handle, counts.list_id, {
    confirmed: counts.confirmed + confirmed,
    unconfirmed: counts.unconfirmed + unconfirmed,
  });
}

/** The columns of a membership that changes need. */
export type Membership = Pick<MemberRow, 'contact_id' | 'status' | 'source'>;

/** The memberships of these contacts in a list. */
export async function membersAmong(
  { db }: WorkspaceHandle,
  listId: string,
  contactIds: readonly string[],
): Promise<Map<string, Membership>> {
  const memberships = new Map<string, Membership>();
  for (const ids of chunksOf([...contactIds].sort())) {
    const rows = await db
      .selectFrom('list_members')
      .select(['contact_id', 'status', 'source'])
      .where('list_id', '=', listId)
      // This range changes no result, but lets every database search its index.
      .where('contact_id', '>=', ids[0] ?? '')
      .where('contact_id', '<=', ids.at(-1) ?? '')
      .where('contact_id', 'in', filledList(ids))
      .execute();
    for (const row of rows) memberships.set(row.contact_id, row);
  }
  return memberships;
}

/** The columns that new members share. */
export type NewMembers = Omit<MemberRow, 'contact_id'>;

type InsertParameters = NewMembers & Readonly<Record<`contact_${number}`, string>>;

/** Insert statements for different numbers of rows, each compiled once. Any number of members is a sum of these sizes. */
const inserts = [512, 64, 8, 1].map((size): { size: number; statement: Statement<InsertParameters, unknown> } => ({
  size,
  statement: defineStatement((db, p: InsertParameters) =>
    db.insertInto('list_members').values(
      Array.from({ length: size }, (_, index) => ({
        list_id: p.list_id,
        contact_id: p[`contact_${index}`] ?? '',
        status: p.status,
        source: p.source,
        consent_note: p.consent_note,
        added_at: p.added_at,
        confirmed_at: p.confirmed_at,
      })),
    ),
  ),
}));

/** Inserts members. None of the contacts may already be a member. */
export async function insertMembers(
  handle: WorkspaceHandle,
  shared: NewMembers,
  contactIds: readonly string[],
): Promise<void> {
  let from = 0;
  for (const { size, statement } of inserts)
    for (; contactIds.length - from >= size; from += size) {
      const ids = contactIds.slice(from, from + size);
      const idParameters = Object.fromEntries(ids.map((id, index) => [`contact_${index}`, id]));
      await handle.run(statement, { ...shared, ...idParameters } as InsertParameters);
    }
}

/** Confirms members. Stores the note if one is given. */
export async function confirmMembers(
  { db }: WorkspaceHandle,
  listId: string,
  contactIds: readonly string[],
  set: { readonly confirmed_at: number; readonly consent_note?: string | undefined },
): Promise<void> {
  const { confirmed_at, consent_note } = set;
  for (const ids of chunksOf(contactIds))
    await db
      .updateTable('list_members')
      .set({ status: 'confirmed', confirmed_at, ...(consent_note === undefined ? {} : { consent_note }) })
      .where('list_id', '=', listId)
      .where('contact_id', 'in', filledList(ids))
      .execute();
}

export async function deleteMembers(
  { db }: WorkspaceHandle,
  listId: string,
  contactIds: readonly string[],
): Promise<void> {
  for (const ids of chunksOf(contactIds))
    await db
      .deleteFrom('list_members')
      .where('list_id', '=', listId)
      .where('contact_id', 'in', filledList(ids))
      .execute();
}

/** A position in the order of `listUnconfirmed`. */
export interface UnconfirmedPosition {
  readonly addedAt: number;
  readonly contactId: string;
}

/** The oldest unconfirmed members after a position that were added before `addedBefore`. */
export async function listUnconfirmed(
  { db }: WorkspaceHandle,
  listId: string,
  addedBefore: number,
  after: UnconfirmedPosition,
  limit: number,
): Promise<UnconfirmedPosition[]> {
  const { addedAt, contactId } = after;
  const rows = await db
    .selectFrom('list_members')
    .select(['contact_id', 'added_at'])
    .where('list_id', '=', listId)
    .where('status', '=', 'unconfirmed')
    .where('added_at', '<', addedBefore)
    .where(newerThan('added_at', 'contact_id', { createdAt: addedAt, id: contactId }))
    .orderBy('added_at')
    .orderBy('contact_id')
    .limit(limit)
    .execute();
  return rows.map(({ contact_id, added_at }) => ({ contactId: contact_id, addedAt: Number(added_at) }));
}

/** The lists with unconfirmed members on the handle's side. */
export async function listsWithUnconfirmed({ db }: WorkspaceHandle): Promise<string[]> {
  const rows = await db.selectFrom('list_counts').select('list_id').where('unconfirmed', '>', 0).execute();
  return rows.map(({ list_id: id }) => id);
}

/** Up to `limit` members of a list, with any status. */
export async function someMembers({ db }: WorkspaceHandle, listId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('list_members')
    .select('contact_id')
    .where('list_id', '=', listId)
    .limit(limit)
    .execute();
  return rows.map(({ contact_id: id }) => id);
}

/** The times of confirmation mails for a list since `since`, by normalised address. */
export async function confirmationsSince(
  { db }: WorkspaceHandle,
  listId: string,
  emails: readonly string[],
  since: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  if (emails.length === 0) return new Map();
  const rows = await db
    .selectFrom('list_confirmations')
    .select(['email', 'created_at'])
    .where('email', 'in', filledList(emails))
    .where('list_id', '=', listId)
    .where('created_at', '>', since)
    .execute();
  const timesByEmail = new Map<string, number[]>();
  for (const { email, created_at } of rows)
    timesByEmail.set(email, [...(timesByEmail.get(email) ?? []), Number(created_at)]);
  return timesByEmail;
}

type MailboxConfirmation = Pick<ConfirmationRow, 'list_id' | 'form' | 'subject' | 'requested_by' | 'created_at'>;

/** Confirmation mails to mailboxes since `since`, for all lists and forms, ignoring address tags. */
export async function confirmationsByMailbox(
  { db }: WorkspaceHandle,
  mailboxes: readonly string[],
  since: number,
): Promise<ReadonlyMap<string, readonly MailboxConfirmation[]>> {
  if (mailboxes.length === 0) return new Map();
  const rows = await db
    .selectFrom('list_confirmations')
    .select(['mailbox', 'list_id', 'form', 'subject', 'requested_by', 'created_at'])
    .where('mailbox', 'in', filledList(mailboxes))
    .where('created_at', '>', since)
    .execute();
  const byMailbox = new Map<string, MailboxConfirmation[]>();
  for (const { mailbox, created_at, ...row } of rows)
    byMailbox.set(mailbox, [...(byMailbox.get(mailbox) ?? []), { ...row, created_at: Number(created_at) }]);
  return byMailbox;
}

/** Whether the list has members on either side. */
export async function hasMembers(handle: WorkspaceHandle, listId: string): Promise<boolean> {
  const { db } = handle.bothSides('both sides share the list, and so its opt-in');
  const countRow = await db
    .selectFrom('list_counts')
    .select('list_id')
    .where('list_id', '=', listId)
    .where((row) => row.or([row('confirmed', '>', 0), row('unconfirmed', '>', 0)]))
    .executeTakeFirst();
  return countRow !== undefined;
}

/** Deletes the counts of a list, its confirmation mails, and the forms that its trap dropped. */
export async function removeListData({ db }: WorkspaceHandle, listId: string): Promise<void> {
  for (const table of ['list_counts', 'list_confirmations', 'list_trapped_forms'] as const)
    await db.deleteFrom(table).where('list_id', '=', listId).execute();
}

/** The workspace and side of a confirmation mail, for requests that only contain its id. */
export async function locateConfirmation(
  handle: Handle,
  id: string,
): Promise<{ readonly workspaceId: string; readonly sandbox: boolean } | undefined> {
  const row = await handle.one(confirmationLocation, { id });
  return row === undefined ? undefined : { workspaceId: row.workspace_id, sandbox: Number(row.sandbox) === 1 };
}

const confirmationLocation = defineStatement((db, p: { id: string }) =>
  db.selectFrom('list_confirmations').select(['workspace_id', 'sandbox']).where('id', '=', p.id),
);

/** The workspace of a list, for requests that only contain the list's id. */
export async function ownerOfList(handle: Handle, id: string): Promise<string | undefined> {
  return (await handle.one(listOwner, { id }))?.workspace_id;
}

const listOwner = defineStatement((db, p: { id: string }) =>
  db.selectFrom('lists').select('workspace_id').where('id', '=', p.id),
);

/** The lists of a contact, newest membership first. */
export async function membershipsOf({ db }: WorkspaceHandle, contactId: string, limit: number) {
  return db
    .selectFrom('list_members')
    .innerJoin('lists', 'lists.id', 'list_members.list_id')
    .select([
      'list_members.list_id as listId',
      'lists.name as name',
      'list_members.status as status',
      'list_members.source as source',
      'list_members.consent_note as consentNote',
      'list_members.added_at as addedAt',
      'list_members.confirmed_at as confirmedAt',
    ])
    .where('list_members.contact_id', '=', contactId)
    .orderBy('list_members.added_at', 'desc')
    .orderBy('list_members.list_id', 'desc')
    .limit(limit)
    .execute();
}

/** The public lists of the workspace by name, at most `limit`. */
export async function publicLists({ db }: WorkspaceHandle, limit: number) {
  return db
    .selectFrom('lists')
    .select(['id', 'name', 'description'])
    .where('visibility', '=', 'public')
    .orderBy('name')
    .limit(limit)
    .execute();
}

/** The public lists that a contact confirmed, by name, at most `limit`. */
export async function confirmedPublicLists({ db }: WorkspaceHandle, contactId: string, limit: number) {
  return db
    .selectFrom('list_members')
    .innerJoin('lists', 'lists.id', 'list_members.list_id')
    .select(['lists.id as id', 'lists.name as name', 'lists.description as description'])
    .where('list_members.contact_id', '=', contactId)
    .where('list_members.status', '=', 'confirmed')
    .where('lists.visibility', '=', 'public')
    .orderBy('lists.name')
    .limit(limit)
    .execute();
}
