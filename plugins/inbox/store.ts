// The only SQL of the inbox plugin.
import {
  type CursorPosition,
  contains,
  defineStatement,
  filledList,
  olderThan,
  tenantRows,
  type WorkspaceHandle,
} from '../../core/index.ts';
import {
  type InboxMessageRow,
  type InboxPartRow,
  inboxMessages,
  inboxParts,
  type NewInboxMessage,
  type NewInboxPart,
} from './tables.ts';

const newMessages = tenantRows(inboxMessages);
const newParts = tenantRows(inboxParts);

const messageById = defineStatement((db, p: { send_id: string }) =>
  db.selectFrom('inbox_messages').selectAll().where('send_id', '=', p.send_id),
);

const partAt = defineStatement((db, p: { send_id: string; position: number }) =>
  db.selectFrom('inbox_parts').selectAll().where('send_id', '=', p.send_id).where('position', '=', p.position),
);

const partsOf = defineStatement((db, p: { send_id: string }) =>
  db.selectFrom('inbox_parts').selectAll().where('send_id', '=', p.send_id).orderBy('position'),
);

const totalsOf = defineStatement((db) =>
  db
    .selectFrom('inbox_messages')
    .select(({ fn }) => [fn.countAll<number>().as('messages'), fn.sum<number | string | null>('size').as('bytes')]),
);

const unseenOf = defineStatement((db) =>
  db
    .selectFrom('inbox_messages')
    .select(({ fn }) => fn.countAll<number>().as('messages'))
    .where('seen_at', 'is', null),
);

/** The number and size of the messages in a workspace's inbox. */
export interface InboxTotals {
  readonly messages: number;
  readonly bytes: number;
}

/** Inserts the rows of a message at the end of the transaction. */
export function addMessage(handle: WorkspaceHandle, message: NewInboxMessage, parts: readonly NewInboxPart[]): void {
  newMessages.deferInsert(handle, message);
  for (const part of parts) newParts.deferInsert(handle, part);
}

export async function findMessage(handle: WorkspaceHandle, id: string): Promise<InboxMessageRow | undefined> {
  return handle.one(messageById, { send_id: id });
}

export async function findPart(
  handle: WorkspaceHandle,
  id: string,
  position: number,
): Promise<InboxPartRow | undefined> {
  return handle.one(partAt, { send_id: id, position });
}

export async function listParts(handle: WorkspaceHandle, id: string): Promise<InboxPartRow[]> {
  return handle.all(partsOf, { send_id: id });
}

export async function readTotals(handle: WorkspaceHandle): Promise<InboxTotals> {
  const row = await handle.one(totalsOf, {});
  // PostgreSQL returns a sum of 64-bit integers as text.
  return { messages: Number(row?.messages ?? 0), bytes: Number(row?.bytes ?? 0) };
}

export async function countUnseen(handle: WorkspaceHandle): Promise<number> {
  return Number((await handle.one(unseenOf, {}))?.messages ?? 0);
}

/** Ids and sizes of all messages, newest first. Used to find the messages above the limits. */
export async function listSizes(handle: WorkspaceHandle): Promise<{ send_id: string; size: number }[]> {
  return handle.db
    .selectFrom('inbox_messages')
    .select(['send_id', 'size'])
    .orderBy('created_at', 'desc')
    .orderBy('send_id', 'desc')
    .execute();
}

/** The filters of a list. A message must match every filter that is set. */
export interface MessageFilter {
  readonly toNormalised?: string | undefined;
  /** Folded text that the subject contains. */
  readonly subject?: string | undefined;
  /** Folded words. The searched text must contain all of them. */
  readonly words?: readonly string[];
}

/** The messages that match a filter. */
function filtered({ db }: WorkspaceHandle, { toNormalised, subject, words = [] }: MessageFilter) {
  let query = db.selectFrom('inbox_messages');
  if (toNormalised !== undefined) query = query.where('to_normalised', '=', toNormalised);
  if (subject !== undefined) query = query.where(({ ref }) => contains(ref('subject_folded'), subject));
  for (const word of words) query = query.where(({ ref }) => contains(ref('search_text'), word));
  return query;
}

/** The number of messages that match a filter. */
export async function countMatching(handle: WorkspaceHandle, filter: MessageFilter): Promise<number> {
  const { messages } = await filtered(handle, filter)
    .select(({ fn }) => [fn.countAll<number>().as('messages')])
    .executeTakeFirstOrThrow();
  return Number(messages);
}

/** A page of messages plus one more, newest first. */
export async function listMessages(
  handle: WorkspaceHandle,
  filter: MessageFilter,
  limit: number,
  after: CursorPosition | undefined,
): Promise<InboxMessageRow[]> {
  let query = filtered(handle, filter).selectAll();
  if (after !== undefined) query = query.where(olderThan('created_at', 'send_id', after));
  return query
    .orderBy('created_at', 'desc')
    .orderBy('send_id', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Marks one message, or all messages of the workspace, as seen. A message that was seen before keeps its time. */
export async function markSeen(handle: WorkspaceHandle, id: string | undefined, now: number): Promise<void> {
  let query = handle.db.updateTable('inbox_messages').set({ seen_at: now }).where('seen_at', 'is', null);
  if (id !== undefined) query = query.where('send_id', '=', id);
  await query.execute();
}

const batch = 200;

/** Removes messages and returns how many were removed. */
export async function removeMessages(handle: WorkspaceHandle, ids: readonly string[]): Promise<number> {
  let removed = 0;
  for (let start = 0; start < ids.length; start += batch) {
    const idBatch = filledList(ids.slice(start, start + batch));
    const { numDeletedRows } = await handle.db
      .deleteFrom('inbox_messages')
      .where('send_id', 'in', idBatch)
      .executeTakeFirstOrThrow();
    removed += Number(numDeletedRows);
    await handle.db.deleteFrom('inbox_parts').where('send_id', 'in', idBatch).execute();
  }
  return removed;
}
