// The only SQL of the contacts plugin.
import { sql } from 'kysely';
import type { CursorPosition, WorkspaceHandle } from '../../core/index.ts';
import { defineStatement, filledList, olderThan } from '../../core/index.ts';
import type { ContactEventRow, ContactRow } from './tables.ts';

/**
 * Reads what is committed by now. A program's own transaction on MySQL shows everything as it was at its first look, unless the
 * rows are locked; the others see it without, or refuse to write over it.
 */
const fresh = <Q extends { forUpdate(): Q }>({ db }: Pick<WorkspaceHandle, 'db'>, query: Q): Q =>
  db.getExecutor().adapter.supportsReturning ? query : query.forUpdate();

const byId = defineStatement((db, p: { workspace_id: string; id: string }) =>
  db.selectFrom('contacts').selectAll().where('workspace_id', '=', p.workspace_id).where('id', '=', p.id),
);

const freshById = defineStatement((db, p: { workspace_id: string; id: string }) =>
  fresh(
    { db },
    db.selectFrom('contacts').selectAll().where('workspace_id', '=', p.workspace_id).where('id', '=', p.id),
  ),
);

/** An insert that met a name holds it like this already; nothing more is needed to see whose it is. */
const shared = sql`lock in share mode`;

const byName = (name: 'email' | 'external_id', again: boolean) =>
  defineStatement((db, p: { workspace_id: string; value: string }) => {
    const found = db
      .selectFrom('contacts')
      .selectAll()
      .where('workspace_id', '=', p.workspace_id)
      .where(name, '=', p.value);
    return again && !db.getExecutor().adapter.supportsReturning ? found.modifyEnd(shared) : found;
  });

const first = { email: byName('email', false), external_id: byName('external_id', false) };
const again = { email: byName('email', true), external_id: byName('external_id', true) };

/** Waits for whoever is inserting the same name, and then inserts nothing; no statement fails, so no transaction ends. */
const insertUnlessTaken = defineStatement((db, p: ContactRow) => {
  const insert = db.insertInto('contacts').values({
    id: p.id,
    workspace_id: p.workspace_id,
    external_id: p.external_id,
    email: p.email,
    address_as_given: p.address_as_given,
    attributes: p.attributes,
    created_at: p.created_at,
    updated_at: p.updated_at,
  });
  // MySQL has no `on conflict`; it is the one without `returning`, too.
  const { supportsReturning } = db.getExecutor().adapter;
  return supportsReturning ? insert.onConflict((conflict) => conflict.doNothing()) : insert.ignore();
});

/** For batches: a name that is taken fails the transaction, which is then run again. */
const insert = defineStatement((db, p: ContactRow) =>
  db.insertInto('contacts').values({
    id: p.id,
    workspace_id: p.workspace_id,
    external_id: p.external_id,
    email: p.email,
    address_as_given: p.address_as_given,
    attributes: p.attributes,
    created_at: p.created_at,
    updated_at: p.updated_at,
  }),
);

const update = defineStatement((db, p: Omit<ContactRow, 'created_at'>) =>
  db
    .updateTable('contacts')
    .set({
      external_id: p.external_id,
      email: p.email,
      address_as_given: p.address_as_given,
      attributes: p.attributes,
      updated_at: p.updated_at,
    })
    .where('workspace_id', '=', p.workspace_id)
    .where('id', '=', p.id),
);

const touch = defineStatement((db, p: { workspace_id: string; id: string }) =>
  db
    .updateTable('contacts')
    .set(({ ref }) => ({ updated_at: ref('updated_at') }))
    .where('workspace_id', '=', p.workspace_id)
    .where('id', '=', p.id),
);

const remove = defineStatement((db, p: { workspace_id: string; id: string }) =>
  db.deleteFrom('contacts').where('workspace_id', '=', p.workspace_id).where('id', '=', p.id),
);

const insertEvent = defineStatement((db, p: ContactEventRow) =>
  db.insertInto('contact_events').values({
    id: p.id,
    workspace_id: p.workspace_id,
    contact_id: p.contact_id,
    type: p.type,
    ts: p.ts,
    synthetic: p.synthetic,
    metadata: p.metadata,
  }),
);

export const findContact = (handle: WorkspaceHandle, id: string): Promise<ContactRow | undefined> =>
  handle.one(byId, { id });

/** `isRepeated`: looks were overtaken twice, so that another one like them would see the same again. */
export const findByEmail = (
  handle: WorkspaceHandle,
  value: string,
  isRepeated = false,
): Promise<ContactRow | undefined> => handle.one((isRepeated ? again : first).email, { value });

export const findByExternalId = (
  handle: WorkspaceHandle,
  value: string,
  isRepeated = false,
): Promise<ContactRow | undefined> => handle.one((isRepeated ? again : first).external_id, { value });

/** Answers false where one of its names is somebody else's already. */
export const insertContact = async (handle: WorkspaceHandle, row: ContactRow): Promise<boolean> =>
  (await handle.run(insertUnlessTaken, row)) > 0;

/** Fails the transaction where one of its names is somebody else's by then. */
export const deferContactInsert = (handle: WorkspaceHandle, row: ContactRow): void => handle.defer(insert, row);

export const deferContactUpdate = (handle: WorkspaceHandle, { created_at: _, ...row }: ContactRow): void =>
  handle.defer(update, row);

/** Takes their addresses from these contacts, so that others can have them. */
export async function releaseAddresses(handle: WorkspaceHandle, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await handle.db
    .updateTable('contacts')
    .set({ email: null })
    .where('workspace_id', '=', handle.workspaceId)
    .where('id', 'in', filledList(ids))
    .execute();
}

export const updateContact = (handle: WorkspaceHandle, { created_at: _, ...row }: ContactRow): Promise<number> =>
  handle.run(update, row);

/** The contact, locked for this transaction. */
export async function lockContact(handle: WorkspaceHandle, id: string): Promise<ContactRow | undefined> {
  await handle.run(touch, { id });
  return handle.one(freshById, { id });
}

export const deleteContact = async (handle: WorkspaceHandle, id: string): Promise<boolean> =>
  (await handle.run(remove, { id })) > 0;

export const addEvent = (handle: WorkspaceHandle, row: ContactEventRow): void => handle.defer(insertEvent, row);

/** The newest events of a contact, the latest first; those after a position of the timeline, where one is given. */
export function listLatestEvents(
  { db, workspaceId }: WorkspaceHandle,
  contactId: string,
  limit: number,
  after?: CursorPosition,
): Promise<ContactEventRow[]> {
  const all = db
    .selectFrom('contact_events')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('contact_id', '=', contactId);
  const older = after === undefined ? all : all.where(olderThan('ts', 'id', after));
  return older.orderBy('ts', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

/** What a list is narrowed by; everything that is given must hold. */
export interface ContactFilter {
  readonly email: string | undefined;
  readonly external_id: string | undefined;
}

/** A page of contacts and one more, newest first. */
export async function listContacts(
  handle: WorkspaceHandle,
  filter: ContactFilter,
  limit: number,
  after: CursorPosition | undefined,
): Promise<ContactRow[]> {
  let query = handle.db.selectFrom('contacts').selectAll().where('workspace_id', '=', handle.workspaceId);
  for (const column of ['email', 'external_id'] as const) {
    const value = filter[column];
    if (value !== undefined) query = query.where(column, '=', value);
  }
  if (after !== undefined) query = query.where(olderThan('created_at', 'id', after));
  return query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Of a batch: those that have one of these names, locked for this transaction. */
export async function lockContacts(
  handle: WorkspaceHandle,
  names: Readonly<Record<'external_id' | 'email' | 'id', readonly string[]>>,
): Promise<ContactRow[]> {
  const find = async (column: keyof typeof names, values: readonly string[]) =>
    values.length === 0
      ? []
      : handle.db
          .selectFrom('contacts')
          .select('id')
          .where('workspace_id', '=', handle.workspaceId)
          .where(column, 'in', filledList(values))
          .execute();
  const found = [
    ...(await find('external_id', names.external_id)),
    ...(await find('email', names.email)),
    ...(await find('id', names.id)),
  ];
  const ids = [...new Set(found.map(({ id }) => id))].sort();
  if (ids.length === 0) return [];
  await handle.db
    .updateTable('contacts')
    .set(({ ref }) => ({ updated_at: ref('updated_at') }))
    .where('workspace_id', '=', handle.workspaceId)
    .where('id', 'in', filledList(ids))
    .execute();
  const held = handle.db
    .selectFrom('contacts')
    .selectAll()
    .where('workspace_id', '=', handle.workspaceId)
    .where('id', 'in', filledList(ids));
  return fresh(handle, held).execute();
}

/** Takes these lines off a timeline. */
export async function removeEvents(
  handle: WorkspaceHandle,
  contactId: string,
  events: readonly ContactEventRow[],
): Promise<void> {
  if (events.length === 0) return;
  const times = events.map(({ ts }) => ts);
  await handle.db
    .deleteFrom('contact_events')
    .where('workspace_id', '=', handle.workspaceId)
    .where('contact_id', '=', contactId)
    // Says nothing new, and lets every database seek.
    .where('ts', '>=', Math.min(...times))
    .where('ts', '<=', Math.max(...times))
    .where('id', 'in', filledList(events.map(({ id }) => id)))
    .execute();
}

/** A page of contacts, the oldest first: for going through all of them. */
export async function listOldest(
  handle: WorkspaceHandle,
  limit: number,
  after: CursorPosition | undefined,
): Promise<ContactRow[]> {
  let query = handle.db.selectFrom('contacts').selectAll().where('workspace_id', '=', handle.workspaceId);
  if (after !== undefined)
    query = query
      .where('created_at', '>=', after.createdAt)
      .where((row) =>
        row.or([
          row('created_at', '>', after.createdAt),
          row.and([row('created_at', '=', after.createdAt), row('id', '>', after.id)]),
        ]),
      );
  return query.orderBy('created_at').orderBy('id').limit(limit).execute();
}

/** How far the source has been read; null at the first time. */
export async function readSourceCursor({ db, workspaceId }: WorkspaceHandle): Promise<string | null> {
  const row = await db
    .selectFrom('contact_sources')
    .select('source_cursor')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row?.source_cursor ?? null;
}

/** Moves on from `before`; answers false where somebody else has. */
export async function saveSourceCursor(
  { db, workspaceId }: WorkspaceHandle,
  before: string | null,
  source_cursor: string,
  updated_at: number,
): Promise<boolean> {
  if (before === null) {
    await db.insertInto('contact_sources').values({ workspace_id: workspaceId, source_cursor, updated_at }).execute();
    return true;
  }
  const { numUpdatedRows } = await db
    .updateTable('contact_sources')
    .set({ source_cursor, updated_at })
    .where('workspace_id', '=', workspaceId)
    .where('source_cursor', '=', before)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows) > 0;
}
