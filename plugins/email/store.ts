// The only SQL of the email plugin.
import type { CursorPosition, WorkspaceHandle } from '../../core/index.ts';
import { defineStatement, filledList, olderThan } from '../../core/index.ts';
import type { SendAttachmentRow, SendContentRow, SendEventRow, SendRow } from './tables.ts';

const insertSend = defineStatement((db, p: SendRow) =>
  db.insertInto('sends').values({
    id: p.id,
    workspace_id: p.workspace_id,
    message_id: p.message_id,
    status: p.status,
    template_id: p.template_id,
    template_key: p.template_key,
    template_version: p.template_version,
    category: p.category,
    delivery: p.delivery,
    to_address: p.to_address,
    to_normalised: p.to_normalised,
    from_email: p.from_email,
    from_name: p.from_name,
    subject: p.subject,
    provider: p.provider,
    api_key_id: p.api_key_id,
    sandbox: p.sandbox,
    scenario: p.scenario,
    bypass: p.bypass,
    tags: p.tags,
    metadata: p.metadata,
    stripped_headers: p.stripped_headers,
    why_not_sent: p.why_not_sent,
    opens: p.opens,
    clicks: p.clicks,
    handed_over_at: p.handed_over_at,
    created_at: p.created_at,
    scheduled_at: p.scheduled_at,
    locale: p.locale,
    test: p.test,
  }),
);

const insertContent = defineStatement((db, p: SendContentRow) =>
  db
    .insertInto('send_contents')
    .values({ send_id: p.send_id, workspace_id: p.workspace_id, sealed: p.sealed, finished_at: p.finished_at }),
);

const insertAttachment = defineStatement((db, p: SendAttachmentRow) =>
  db.insertInto('send_attachments').values({
    send_id: p.send_id,
    workspace_id: p.workspace_id,
    position: p.position,
    filename: p.filename,
    content_type: p.content_type,
    inline: p.inline,
    sealed: p.sealed,
    finished_at: p.finished_at,
  }),
);

const insertEvent = defineStatement((db, p: SendEventRow) =>
  db.insertInto('send_events').values({
    id: p.id,
    workspace_id: p.workspace_id,
    send_id: p.send_id,
    type: p.type,
    ts: p.ts,
    details: p.details,
  }),
);

const sendById = defineStatement((db, p: { workspace_id: string; id: string }) =>
  db.selectFrom('sends').selectAll().where('workspace_id', '=', p.workspace_id).where('id', '=', p.id),
);

const eventsOf = defineStatement((db, p: { workspace_id: string; send_id: string }) =>
  db
    .selectFrom('send_events')
    .selectAll()
    .where('workspace_id', '=', p.workspace_id)
    .where('send_id', '=', p.send_id)
    .orderBy('ts')
    .orderBy('id'),
);

const contentOf = defineStatement((db, p: { workspace_id: string; send_id: string }) =>
  db
    .selectFrom('send_contents')
    .selectAll()
    .where('workspace_id', '=', p.workspace_id)
    .where('send_id', '=', p.send_id),
);

const attachmentsOf = defineStatement((db, p: { workspace_id: string; send_id: string }) =>
  db
    .selectFrom('send_attachments')
    .selectAll()
    .where('workspace_id', '=', p.workspace_id)
    .where('send_id', '=', p.send_id)
    .orderBy('position'),
);

const setState = defineStatement(
  (
    db,
    p: {
      workspace_id: string;
      id: string;
      status: SendRow['status'];
      provider: string;
      why_not_sent: string | null;
      opens: number;
      clicks: number;
      handed_over_at: number | null;
    },
  ) =>
    db
      .updateTable('sends')
      .set({
        status: p.status,
        provider: p.provider,
        why_not_sent: p.why_not_sent,
        opens: p.opens,
        clicks: p.clicks,
        handed_over_at: p.handed_over_at,
      })
      .where('workspace_id', '=', p.workspace_id)
      .where('id', '=', p.id),
);

const setHandOver = defineStatement(
  (db, p: { workspace_id: string; id: string; provider: string; handed_over_at: number | null }) =>
    db
      .updateTable('sends')
      .set({ provider: p.provider, handed_over_at: p.handed_over_at })
      .where('workspace_id', '=', p.workspace_id)
      .where('id', '=', p.id),
);

const finishContent = defineStatement((db, p: { workspace_id: string; send_id: string; now: number }) =>
  db
    .updateTable('send_contents')
    .set({ finished_at: p.now })
    .where('workspace_id', '=', p.workspace_id)
    .where('send_id', '=', p.send_id),
);

const finishAttachments = defineStatement((db, p: { workspace_id: string; send_id: string; now: number }) =>
  db
    .updateTable('send_attachments')
    .set({ finished_at: p.now })
    .where('workspace_id', '=', p.workspace_id)
    .where('send_id', '=', p.send_id),
);

const touchSend = defineStatement((db, p: { workspace_id: string; id: string }) =>
  db
    .updateTable('sends')
    .set(({ ref }) => ({ opens: ref('opens') }))
    .where('workspace_id', '=', p.workspace_id)
    .where('id', '=', p.id),
);

/** Puts the rows of a new send off to the end of the call. */
export function addSend(
  handle: WorkspaceHandle,
  send: SendRow,
  content: SendContentRow,
  attachments: readonly SendAttachmentRow[],
  events: readonly SendEventRow[],
): void {
  handle.defer(insertSend, send);
  handle.defer(insertContent, content);
  for (const attachment of attachments) handle.defer(insertAttachment, attachment);
  for (const event of events) handle.defer(insertEvent, event);
}

export function addEvent(handle: WorkspaceHandle, event: SendEventRow): void {
  handle.defer(insertEvent, event);
}

export async function findSend(handle: WorkspaceHandle, id: string): Promise<SendRow | undefined> {
  return handle.one(sendById, { id });
}

/** The send, locked for this transaction: of two reports at once, the second one sees what the first one wrote. */
export async function lockSend(handle: WorkspaceHandle, id: string): Promise<SendRow | undefined> {
  await handle.run(touchSend, { id });
  return findSend(handle, id);
}

/** Which of these sends there are, without their timelines. */
export async function findSends(handle: WorkspaceHandle, ids: readonly string[]): Promise<SendRow[]> {
  if (ids.length === 0) return [];
  return handle.db
    .selectFrom('sends')
    .selectAll()
    .where('workspace_id', '=', handle.workspaceId)
    .where('id', 'in', filledList(ids))
    .execute();
}

export async function listEvents(handle: WorkspaceHandle, sendId: string): Promise<SendEventRow[]> {
  return handle.all(eventsOf, { send_id: sendId });
}

export async function findContent(handle: WorkspaceHandle, sendId: string): Promise<SendContentRow | undefined> {
  return handle.one(contentOf, { send_id: sendId });
}

export async function listAttachments(handle: WorkspaceHandle, sendId: string): Promise<SendAttachmentRow[]> {
  return handle.all(attachmentsOf, { send_id: sendId });
}

/** Writes what a later fact changed; `finished` starts the time after which the content is erased. */
export function saveState(handle: WorkspaceHandle, send: SendRow, finished: number | undefined): void {
  handle.defer(setState, {
    id: send.id,
    status: send.status,
    provider: send.provider,
    why_not_sent: send.why_not_sent,
    opens: send.opens,
    clicks: send.clicks,
    handed_over_at: send.handed_over_at,
  });
  if (finished === undefined) return;
  handle.defer(finishContent, { send_id: send.id, now: finished });
  handle.defer(finishAttachments, { send_id: send.id, now: finished });
}

/** Writes to whom a send is being handed over, and since when; nothing that a fact changes. */
export function saveHandOver(handle: WorkspaceHandle, send: SendRow): void {
  handle.defer(setHandOver, { id: send.id, provider: send.provider, handed_over_at: send.handed_over_at });
}

/** The newest sends to a normalised address, along the index of the list by recipient. Planned for its values, as lists are. */
export function latestSendsTo(
  { db, workspaceId }: WorkspaceHandle,
  to: string,
  { limit, after }: { readonly limit: number; readonly after?: CursorPosition | undefined },
) {
  const all = db
    .selectFrom('sends')
    .select(['id', 'created_at', 'status', 'template_key', 'subject', 'sandbox'])
    .where('workspace_id', '=', workspaceId)
    .where('to_normalised', '=', to);
  const older = after === undefined ? all : all.where(olderThan('created_at', 'id', after));
  return older.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

/** So many of a template's latest sends are looked through: what a refusal tells must not cost what a report does. */
const scanned = 10_000;

/**
 * Ids of the API keys that sent from a template since then, by its latest 10,000 sends; test sends are no use of it.
 */
export async function keysThatSent(
  handle: WorkspaceHandle,
  templateKey: string,
  since: number,
  limit: number,
): Promise<string[]> {
  const latest = handle.db
    .selectFrom('sends')
    .select(['api_key_id', 'test'])
    .where('workspace_id', '=', handle.workspaceId)
    .where('template_key', '=', templateKey)
    .where('created_at', '>=', since)
    .orderBy('created_at', 'desc')
    .limit(scanned);
  const rows = await handle.db
    .selectFrom(latest.as('latest'))
    .select('api_key_id')
    .distinct()
    .where('api_key_id', 'is not', null)
    .where('test', 'is', null)
    .orderBy('api_key_id')
    .limit(limit)
    .execute();
  return rows.flatMap((row) => (row.api_key_id === null ? [] : [row.api_key_id]));
}

/** At most one of these narrows a list. */
export interface SendFilter {
  readonly template_key?: string | undefined;
  readonly status?: SendRow['status'] | undefined;
  readonly to_normalised?: string | undefined;
  readonly api_key_id?: string | undefined;
}

/** A page of sends, newest first, with the timelines of those shown. */
export async function listSends(
  handle: WorkspaceHandle,
  filter: SendFilter,
  times: { readonly since: number | undefined; readonly until: number | undefined },
  limit: number,
  after: CursorPosition | undefined,
): Promise<{ rows: SendRow[]; events: Map<string, SendEventRow[]> }> {
  let query = handle.db.selectFrom('sends').selectAll().where('workspace_id', '=', handle.workspaceId);
  for (const column of ['template_key', 'status', 'to_normalised', 'api_key_id'] as const) {
    const value = filter[column];
    if (value !== undefined) query = query.where(column, '=', value);
  }
  if (times.since !== undefined) query = query.where('created_at', '>=', times.since);
  if (times.until !== undefined) query = query.where('created_at', '<', times.until);
  if (after !== undefined) query = query.where(olderThan('created_at', 'id', after));
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return { rows, events: await timelinesOf(handle, rows.slice(0, limit)) };
}

async function timelinesOf(handle: WorkspaceHandle, rows: readonly SendRow[]): Promise<Map<string, SendEventRow[]>> {
  const timelines = new Map<string, SendEventRow[]>(rows.map((row) => [row.id, []]));
  const ids = [...timelines.keys()].sort();
  const [first = '', last = first] = [ids[0], ids.at(-1)];
  if (rows.length === 0) return timelines;
  // The range says nothing new. Postgres, where its statistics know the workspace as a small one, would read all of its
  // events to find those of the list; a range it always seeks.
  const events = await handle.db
    .selectFrom('send_events')
    .selectAll()
    .where('workspace_id', '=', handle.workspaceId)
    .where('send_id', 'in', filledList(ids))
    .where('send_id', '>=', first)
    .where('send_id', '<=', last)
    .orderBy('ts')
    .orderBy('id')
    .execute();
  for (const event of events) timelines.get(event.send_id)?.push(event);
  return timelines;
}

/** Of these sends, those that are still to be rendered. */
export async function listUnfinished(handle: WorkspaceHandle, ids: readonly string[]): Promise<string[]> {
  const rows = await handle.db
    .selectFrom('send_contents')
    .select('send_id')
    .where('workspace_id', '=', handle.workspaceId)
    .where('send_id', 'in', filledList(ids))
    .where('finished_at', 'is', null)
    .execute();
  return rows.map(({ send_id: id }) => id);
}

/** Removes what these sends were, or would have been, rendered from. */
export async function removeContents({ db, workspaceId }: WorkspaceHandle, ids: readonly string[]): Promise<void> {
  for (const table of ['send_contents', 'send_attachments'] as const)
    await db
      .deleteFrom(table)
      .where('workspace_id', '=', workspaceId)
      .where('send_id', 'in', filledList(ids))
      .execute();
}

/** Writes to whom a send went, and what it said of them. */
export async function rewriteSend({ db, workspaceId }: WorkspaceHandle, row: SendRow): Promise<void> {
  const { to_address, to_normalised, subject, metadata, why_not_sent } = row;
  await db
    .updateTable('sends')
    .set({ to_address, to_normalised, subject, metadata, why_not_sent })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', row.id)
    .execute();
}

export async function rewriteEvent({ db, workspaceId }: WorkspaceHandle, event: SendEventRow): Promise<void> {
  await db
    .updateTable('send_events')
    .set({ details: event.details })
    .where('workspace_id', '=', workspaceId)
    .where('send_id', '=', event.send_id)
    .where('ts', '=', event.ts)
    .where('id', '=', event.id)
    .execute();
}
