// The rows of contacts, and the SQL that the table helpers do not cover.
import {
  type CursorPosition,
  defineStatement,
  filledList,
  type Handle,
  tenantRows,
  type WorkspaceHandle,
} from '../../core/index.ts';
import { phoneOf } from './phone.ts';
import {
  type ContactEventRow,
  type ContactRow,
  contactEvents,
  contactSources,
  contacts,
  formerAddresses,
} from './tables.ts';

export const contactRows = tenantRows(contacts);
export const eventRows = tenantRows(contactEvents, { time: 'ts' });
const formerRows = tenantRows(formerAddresses);
const sourceRows = tenantRows(contactSources);

/** The columns of a contact that change. */
export const changesOf = ({ id: _, created_at: __, ...changes }: ContactRow): Partial<ContactRow> => changes;

/** Locks the contacts that have one of these names until the transaction ends. */
export async function lockContacts(
  handle: WorkspaceHandle,
  names: Readonly<Record<'external_id' | 'email' | 'id', readonly string[]>>,
): Promise<ContactRow[]> {
  const found = [
    ...(await contactRows.findIn(handle, 'external_id', names.external_id)),
    ...(await contactRows.findIn(handle, 'email', names.email)),
    // Read before they are locked: for missing ids, MySQL would lock the gaps between rows, including rows of other workspaces.
    ...(await contactRows.findIn(handle, 'id', names.id)),
  ];
  const ids = [...new Set(found.map(({ id }) => id))].sort();
  return contactRows.findIn(handle, 'id', ids, 'update');
}

/** The names of a contact. */
export interface ContactNames {
  readonly id: string;
  readonly external_id: string | null;
  /** The normalised address. */
  readonly email: string | null;
  /** The address as it was given. Mail is sent to it. */
  readonly addressAsGiven: string | null;
}

/** The workspace and side of a contact. */
export interface ContactPlace {
  readonly workspaceId: string;
  readonly sandbox: boolean;
  /** The normalised address. */
  readonly email: string | null;
}

const placeOf = defineStatement((db, p: { id: string }) =>
  db.selectFrom('contacts').select(['workspace_id', 'sandbox', 'email']).where('id', '=', p.id),
);

/** Finds a contact in any workspace, for requests that only contain its id. */
export async function locateContact(handle: Handle, id: string): Promise<ContactPlace | undefined> {
  const row = await handle.one(placeOf, { id });
  return row && { workspaceId: row.workspace_id, sandbox: Number(row.sandbox) === 1, email: row.email };
}

/** The maximum number of ids in one statement. */
const idsAtOnce = 1_024;

/** The names of the existing contacts among these ids, by id. */
export async function namesAmong({ db }: WorkspaceHandle, ids: readonly string[]): Promise<Map<string, ContactNames>> {
  const found = new Map<string, ContactNames>();
  const sorted = [...ids].sort();
  for (let from = 0; from < sorted.length; from += idsAtOnce) {
    const some = sorted.slice(from, from + idsAtOnce);
    const rows = await db
      .selectFrom('contacts')
      .select(['id', 'external_id', 'email', 'address_as_given as addressAsGiven'])
      // Redundant, but with this range every database seeks in the index.
      .where('id', '>=', some[0] ?? '')
      .where('id', '<=', some.at(-1) ?? '')
      .where('id', 'in', filledList(some))
      .execute();
    for (const row of rows) found.set(row.id, row);
  }
  return found;
}

/** Clears the addresses of these contacts, so that other contacts can take them. */
export async function releaseAddresses({ db }: WorkspaceHandle, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.updateTable('contacts').set({ email: null }).where('id', 'in', filledList(ids)).execute();
}

/** A page of contacts, oldest first, for reading all of them. */
export async function listOldest(
  { db }: WorkspaceHandle,
  limit: number,
  after: CursorPosition | undefined,
): Promise<ContactRow[]> {
  let query = db.selectFrom('contacts').selectAll();
  if (after !== undefined)
    query = query
      .where('created_at', '>=', after.createdAt)
      .where((row) =>
        row.or([
          row('created_at', '>', after.createdAt),
          row.and([row('created_at', '=', after.createdAt), row('id', '>', after.id)]),
        ]),
      );
  return (await query.orderBy('created_at').orderBy('id').limit(limit).execute()).map(contactRows.decode);
}

/** The events of a contact, newest first, from the start or from a position on the timeline. */
export const listLatestEvents = (
  handle: WorkspaceHandle,
  contact_id: string,
  limit: number,
  after?: CursorPosition,
): Promise<ContactEventRow[]> => eventRows.page(handle, { where: { contact_id }, after, limit });

/** Removes these events from a timeline. */
export async function removeEvents(
  { db }: WorkspaceHandle,
  contactId: string,
  events: readonly ContactEventRow[],
): Promise<void> {
  if (events.length === 0) return;
  const times = events.map(({ ts }) => ts);
  await db
    .deleteFrom('contact_events')
    .where('contact_id', '=', contactId)
    // Redundant, but with this range every database seeks in the index.
    .where('ts', '>=', Math.min(...times))
    .where('ts', '<=', Math.max(...times))
    .where('id', 'in', filledList(events.map(({ id }) => id)))
    .execute();
}

/** Stores a contact's former address and former phone number if they changed or were removed. */
export async function rememberAddress(handle: WorkspaceHandle, before: ContactRow, after: ContactRow): Promise<void> {
  const changed = [
    [before.email, after.email],
    [phoneOf(before), phoneOf(after)],
  ].flatMap(([had, has]) => (typeof had === 'string' && had !== has ? [had] : []));
  for (const email of changed)
    await formerRows.upsert(handle, { email, contact_id: before.id }, ['email'], { contact_id: before.id });
}

/** The former addresses of a contact, except addresses that now belong to another contact. */
export async function listFormerAddresses(handle: WorkspaceHandle, contactId: string): Promise<string[]> {
  const had = await formerRows.findIn(handle, 'contact_id', [contactId]);
  const emails = had.map(({ email }) => email);
  const taken = new Set((await contactRows.findIn(handle, 'email', emails)).map(({ email }) => email));
  return emails.filter((email) => !taken.has(email));
}

/** The stored cursor into the source; null before the first page. */
export const readSourceCursor = async (handle: WorkspaceHandle): Promise<string | null> =>
  (await sourceRows.findBy(handle, {}))?.source_cursor ?? null;

/** Advances the cursor from `before`. Returns false if another process advanced it. @throws StorageError `unique` for a first cursor */
export async function saveSourceCursor(
  handle: WorkspaceHandle,
  before: string | null,
  source_cursor: string,
  updated_at: number,
): Promise<boolean> {
  if (before !== null) return sourceRows.update(handle, before, { source_cursor, updated_at });
  await sourceRows.insert(handle, { source_cursor, updated_at });
  return true;
}
