// The rows of contacts, and the SQL that the table helpers do not cover.
import {
  type CursorPosition,
  defineStatement,
  filledList,
  type Handle,
  newerThan,
  type TenantRows,
  tenantRows,
  type WorkspaceHandle,
} from '../../core/index.ts';
import { phoneOf } from './phone.ts';
import { withSearchColumns } from './search-columns.ts';
import {
  type ContactActivityRow,
  type ContactEventRow,
  type ContactRow,
  contactActivity,
  contactEvents,
  contactSources,
  contacts,
  formerAddresses,
} from './tables.ts';

export const contactRows = tenantRows(contacts);
export const eventRows = tenantRows(contactEvents, { time: 'ts' });
export const activityRows: TenantRows<ContactActivityRow> = tenantRows(contactActivity);

const countActivity = defineStatement((db, p: { contact_id: string; type: string; at: number }) =>
  db
    .insertInto('contact_activity')
    .values({ contact_id: p.contact_id, type: p.type, first_at: p.at, last_at: p.at, count: 1 })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'sandbox', 'contact_id', 'type']).doUpdateSet((row) => ({
        count: row('contact_activity.count', '+', 1),
        // Events may be stored out of order, because the clocks of processes differ a little.
        first_at: row
          .case()
          .when('contact_activity.first_at', '>', row.ref('excluded.first_at'))
          .then(row.ref('excluded.first_at'))
          .else(row.ref('contact_activity.first_at'))
          .end(),
        last_at: row
          .case()
          .when('contact_activity.last_at', '<', row.ref('excluded.last_at'))
          .then(row.ref('excluded.last_at'))
          .else(row.ref('contact_activity.last_at'))
          .end(),
      })),
    ),
);

/** Adds an event to the timeline of a contact and to its activity, with the deferred writes of the transaction. */
export function addEvent(handle: WorkspaceHandle, event: ContactEventRow): void {
  eventRows.deferInsert(handle, event);
  handle.defer(countActivity, { contact_id: event.contact_id, type: event.type, at: event.ts });
}

const formerRows = tenantRows(formerAddresses);
const sourceRows = tenantRows(contactSources);

/** The columns of a contact that change. */
export function changesOf(handle: WorkspaceHandle, row: ContactRow): Partial<ContactRow> {
  const { id: _, created_at: __, ...changes } = withSearchColumns(handle, row);
  return changes;
}

/** The maximum number of values in one statement. */
const valuesAtOnce = 1_024;

function* partsOf(values: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < values.length; from += valuesAtOnce) yield values.slice(from, from + valuesAtOnce);
}

/** Names of contacts, by kind. */
export type NamesByKind = Readonly<Record<'external_id' | 'email' | 'id', readonly string[]>>;

/** The contacts that have one of these names. */
export async function findNamed(handle: WorkspaceHandle, names: NamesByKind): Promise<ContactRow[]> {
  const contactsById = new Map<string, ContactRow>();
  for (const name of ['external_id', 'email', 'id'] as const)
    for (const valuePart of partsOf(names[name]))
      for (const row of await contactRows.findIn(handle, name, valuePart)) contactsById.set(row.id, row);
  return [...contactsById.values()];
}

/** Locks the contacts that have one of these names until the transaction ends. */
export async function lockContacts(handle: WorkspaceHandle, names: NamesByKind): Promise<ContactRow[]> {
  // Read before they are locked: for missing ids, MySQL would lock the gaps between rows, including rows of other workspaces.
  const ids = (await findNamed(handle, names)).map(({ id }) => id);
  const locked: ContactRow[] = [];
  for (const idPart of partsOf(ids.sort())) locked.push(...(await contactRows.findIn(handle, 'id', idPart, 'update')));
  return locked;
}

/** Contacts without their attributes, for locks. */
const contactKeys = tenantRows(contacts, { columns: ['id', 'created_at'] });

/** Locks existing contacts, in the order of their ids. */
export async function lockExisting(
  handle: WorkspaceHandle,
  ids: readonly string[],
  lock: 'share' | 'update',
): Promise<void> {
  await contactKeys.findIn(handle, 'id', [...new Set(ids)], lock);
}

/** The names of a contact. */
export interface ContactNames {
  readonly id: string;
  readonly external_id: string | null;
  /** The normalised address. */
  readonly email: string | null;
  /** The address as the caller wrote it. Mail is sent to it. */
  readonly addressAsGiven: string | null;
}

/** The workspace and side of a contact. */
export interface ContactLocation {
  readonly workspaceId: string;
  readonly sandbox: boolean;
  /** The normalised address. */
  readonly email: string | null;
}

const locationOf = defineStatement((db, p: { id: string }) =>
  db.selectFrom('contacts').select(['workspace_id', 'sandbox', 'email']).where('id', '=', p.id),
);

/** Finds a contact in any workspace, for requests that only contain its id. */
export async function locateContact(handle: Handle, id: string): Promise<ContactLocation | undefined> {
  const row = await handle.one(locationOf, { id });
  return row && { workspaceId: row.workspace_id, sandbox: Number(row.sandbox) === 1, email: row.email };
}

/** The names of the existing contacts among these ids, by id. */
export async function namesAmong({ db }: WorkspaceHandle, ids: readonly string[]): Promise<Map<string, ContactNames>> {
  const namesById = new Map<string, ContactNames>();
  for (const idPart of partsOf([...ids].sort())) {
    const rows = await db
      .selectFrom('contacts')
      .select(['id', 'external_id', 'email', 'address_as_given as addressAsGiven'])
      // The ids alone select the same rows, but with this range every database seeks in the index.
      .where('id', '>=', idPart[0] ?? '')
      .where('id', '<=', idPart.at(-1) ?? '')
      .where('id', 'in', filledList(idPart))
      .execute();
    for (const row of rows) namesById.set(row.id, row);
  }
  return namesById;
}

/** Clears the addresses of these contacts, so that other contacts can take them. */
export async function releaseAddresses({ db }: WorkspaceHandle, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('contacts')
    .set({ email: null, email_pseudonym: null })
    .where('id', 'in', filledList(ids))
    .execute();
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

/** The custom events of a contact of one type. */
export interface EventRange {
  readonly contact_id: string;
  readonly type: string;
  /** Only events from this time on. */
  readonly from: number;
}

/** The maximum number of events that one statement reads. */
const eventsAtOnce = 200;

// The limit is a literal: SQLite prepares a statement again each time its limit is bound.
const oldestEvents = defineStatement((db, p: Omit<EventRange, 'from'> & { readonly ts: number; readonly id: string }) =>
  db
    .selectFrom('contact_events')
    .selectAll()
    .where('contact_id', '=', p.contact_id)
    .where('type', '=', p.type)
    .where(newerThan('ts', 'id', { createdAt: p.ts, id: p.id }))
    .orderBy('ts')
    .orderBy('id')
    .limit(({ lit }) => lit(eventsAtOnce)),
);

/** Reads custom events of a contact, oldest first, page by page, until the caller stops. */
export async function* listOldestEvents(
  handle: WorkspaceHandle,
  { contact_id, type, from }: EventRange,
): AsyncGenerator<ContactEventRow> {
  for (let last: Pick<ContactEventRow, 'ts' | 'id'> | undefined = { ts: from, id: '' }; last !== undefined; ) {
    const events = await handle.all(oldestEvents, { contact_id, type, ts: last.ts, id: last.id });
    const rows: ContactEventRow[] = events.map((row) => eventRows.decode(row));
    yield* rows;
    last = rows.length < eventsAtOnce ? undefined : rows.at(-1);
  }
}

/**
 * The contact's activity of one type: the number of its events, and the times of the first and the last event. These figures stay after the
 * events are deleted.
 */
export const readActivity = (
  handle: WorkspaceHandle,
  contact_id: string,
  type: string,
): Promise<ContactActivityRow | undefined> => activityRows.findBy(handle, { contact_id, type });

const newestEvents = defineStatement((db, p: EventRange & { readonly ts: number; readonly id: string }) =>
  db
    .selectFrom('contact_events')
    .selectAll()
    .where('contact_id', '=', p.contact_id)
    .where('type', '=', p.type)
    .where('ts', '>=', p.from)
    .where('ts', '<=', p.ts)
    .where((row) => row.or([row('ts', '<', p.ts), row('id', '<', p.id)]))
    .orderBy('ts', 'desc')
    .orderBy('id', 'desc')
    .limit(({ lit }) => lit(eventsAtOnce)),
);

/** Reads custom events of a contact, newest first, page by page, until the caller stops. */
export async function* listNewestEvents(handle: WorkspaceHandle, range: EventRange): AsyncGenerator<ContactEventRow> {
  let before: Pick<ContactEventRow, 'ts' | 'id'> | undefined = { ts: Number.MAX_SAFE_INTEGER, id: '' };
  while (before !== undefined) {
    const events = await handle.all(newestEvents, { ...range, ts: before.ts, id: before.id });
    const rows: ContactEventRow[] = events.map((row) => eventRows.decode(row));
    yield* rows;
    before = rows.length < eventsAtOnce ? undefined : rows.at(-1);
  }
}

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
    // The ids alone select the same rows, but with this range every database seeks in the index.
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
  const takenAddresses = new Set((await contactRows.findIn(handle, 'email', emails)).map(({ email }) => email));
  return emails.filter((email) => !takenAddresses.has(email));
}

/** The stored cursor into the source; null before the first page. */
export const readSourceCursor = async (handle: WorkspaceHandle): Promise<string | null> =>
  (await sourceRows.findBy(handle, {}))?.source_cursor ?? null;

/**
 * Moves the cursor on from `before`. Returns false if another process has moved it. @throws StorageError `unique` if another process stored the
 * first cursor
 */
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
