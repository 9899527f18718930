// The SQL of the email plugin. The statements for accepting and delivering are compiled once.
import {
  type CursorPosition,
  defineStatement,
  filledList,
  type Handle,
  olderThan,
  type TenantRows,
  tenantRows,
  type WorkspaceHandle,
} from '../../core/index.ts';
import {
  type SendAttachmentRow,
  type SendContentRow,
  type SendEventRow,
  type SendRow,
  type SendTagRow,
  sendAttachments,
  sendContents,
  sendEvents,
  sendLinks,
  sends,
  sendTags,
} from './tables.ts';
import { happenedAt } from './timeline/occurred-at.ts';

export const sendRows = tenantRows(sends);
export const contentRows = tenantRows(sendContents);
export const linkRows = tenantRows(sendLinks);
const tagRows: TenantRows<SendTagRow> = tenantRows(sendTags);
const attachmentRows = tenantRows(sendAttachments);
const eventRows = tenantRows(sendEvents);

const eventsOf = defineStatement((db, p: { send_id: string }) =>
  db.selectFrom('send_events').selectAll().where('send_id', '=', p.send_id).orderBy('ts').orderBy('id'),
);

const attachmentsOf = defineStatement((db, p: { send_id: string }) =>
  db.selectFrom('send_attachments').selectAll().where('send_id', '=', p.send_id).orderBy('position'),
);

const ownerOf = defineStatement((db, p: { id: string }) =>
  db.selectFrom('sends').select('workspace_id').where('id', '=', p.id),
);

type State = Pick<
  SendRow,
  'id' | 'status' | 'provider' | 'why_not_sent' | 'opens' | 'clicks' | 'handed_over_at' | 'scheduled_at'
>;

const setState = defineStatement((db, p: State) =>
  db
    .updateTable('sends')
    .set({
      status: p.status,
      provider: p.provider,
      why_not_sent: p.why_not_sent,
      opens: p.opens,
      clicks: p.clicks,
      handed_over_at: p.handed_over_at,
      scheduled_at: p.scheduled_at,
    })
    .where('id', '=', p.id),
);

const setHandOver = defineStatement((db, p: Pick<SendRow, 'id' | 'provider' | 'handed_over_at'>) =>
  db.updateTable('sends').set({ provider: p.provider, handed_over_at: p.handed_over_at }).where('id', '=', p.id),
);

const finishContent = defineStatement((db, p: { send_id: string; now: number }) =>
  db.updateTable('send_contents').set({ finished_at: p.now }).where('send_id', '=', p.send_id),
);

const finishAttachments = defineStatement((db, p: { send_id: string; now: number }) =>
  db.updateTable('send_attachments').set({ finished_at: p.now }).where('send_id', '=', p.send_id),
);

const startContent = defineStatement((db, p: { send_id: string; now: number }) =>
  db
    .updateTable('send_contents')
    .set({ finished_at: p.now })
    .where('send_id', '=', p.send_id)
    .where('finished_at', 'is', null),
);

const startAttachments = defineStatement((db, p: { send_id: string; now: number }) =>
  db
    .updateTable('send_attachments')
    .set({ finished_at: p.now })
    .where('send_id', '=', p.send_id)
    .where('finished_at', 'is', null),
);

/** Defers the rows of a new send to the end of the transaction. */
export function addSend(
  handle: WorkspaceHandle,
  send: SendRow,
  content: SendContentRow,
  attachments: readonly SendAttachmentRow[],
  event: SendEventRow,
): void {
  sendRows.deferInsert(handle, send);
  for (const tag of new Set(send.tags))
    tagRows.deferInsert(handle, { send_id: send.id, tag, created_at: send.created_at });
  contentRows.deferInsert(handle, content);
  for (const attachment of attachments) attachmentRows.deferInsert(handle, attachment);
  addEvent(handle, event);
}

export function addEvent(handle: WorkspaceHandle, event: SendEventRow): void {
  eventRows.deferInsert(handle, event);
}

/** Replaces tags of a send in the list of each tag. The caller changes the tags of the send itself. */
export async function replaceTags(
  handle: WorkspaceHandle,
  { id, tags, created_at }: Pick<SendRow, 'id' | 'tags' | 'created_at'>,
  replaced: readonly string[],
): Promise<void> {
  const removedTags = tags.filter((tag) => !replaced.includes(tag));
  if (removedTags.length === 0) return;
  await handle.db
    .deleteFrom('send_tags')
    .where('send_id', '=', id)
    .where('tag', 'in', filledList(removedTags))
    .execute();
  const added = new Set(replaced.filter((tag) => !tags.includes(tag)));
  for (const tag of added) await tagRows.insert(handle, { send_id: id, tag, created_at });
}

/** A page of the sends with a tag, newest first. */
export async function listTagged(
  handle: WorkspaceHandle,
  {
    tag,
    since,
    until,
  }: { readonly tag: string; readonly since?: number | undefined; readonly until?: number | undefined },
  { after, limit }: { readonly after: CursorPosition | undefined; readonly limit: number },
): Promise<SendRow[]> {
  let query = handle.db.selectFrom('send_tags').select('send_id').where('tag', '=', tag);
  if (since !== undefined) query = query.where('created_at', '>=', since);
  if (until !== undefined) query = query.where('created_at', '<', until);
  if (after !== undefined) query = query.where(olderThan('created_at', 'send_id', after));
  const taggedRows = await query.orderBy('created_at', 'desc').orderBy('send_id', 'desc').limit(limit).execute();
  const rows = await sendRows.findIn(
    handle,
    'id',
    taggedRows.map(({ send_id }) => send_id),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return taggedRows.flatMap(({ send_id }) => byId.get(send_id) ?? []);
}

export async function listEvents(handle: WorkspaceHandle, sendId: string): Promise<SendEventRow[]> {
  return (await handle.all(eventsOf, { send_id: sendId })).map(eventRows.decode);
}

export async function listAttachments(handle: WorkspaceHandle, sendId: string): Promise<SendAttachmentRow[]> {
  return (await handle.all(attachmentsOf, { send_id: sendId })).map(attachmentRows.decode);
}

/** Saves a send after a timeline entry. `finished` starts the retention of its content and, if `attached`, of its own attachments. */
export function saveState(
  handle: WorkspaceHandle,
  send: SendRow,
  finished: number | undefined,
  { attached }: { readonly attached: boolean },
): void {
  const { id, status, provider, why_not_sent, opens, clicks, handed_over_at, scheduled_at } = send;
  handle.defer(setState, { id, status, provider, why_not_sent, opens, clicks, handed_over_at, scheduled_at });
  if (finished === undefined) return;
  handle.defer(finishContent, { send_id: id, now: finished });
  if (attached) handle.defer(finishAttachments, { send_id: id, now: finished });
}

/** Starts the retention of a send's content if no timeline entry has started it. */
export function startRetention(handle: WorkspaceHandle, sendId: string, now: number): void {
  handle.defer(startContent, { send_id: sendId, now });
  handle.defer(startAttachments, { send_id: sendId, now });
}

/** Stores the attachments that the sends of a batch share. */
export function addAttachments(handle: WorkspaceHandle, attachments: readonly SendAttachmentRow[]): void {
  for (const attachment of attachments) attachmentRows.deferInsert(handle, attachment);
}

/** Starts the retention of the attachments of a batch. */
export function finishBatch(handle: WorkspaceHandle, batchId: string, now: number): void {
  handle.defer(finishAttachments, { send_id: batchId, now });
}

/** Counts an open or a click that is not stored on the timeline. */
export async function countHit({ db }: WorkspaceHandle, sendId: string, counter: 'opens' | 'clicks'): Promise<void> {
  await db
    .updateTable('sends')
    .set((row) => ({ [counter]: row(counter, '+', 1) }))
    .where('id', '=', sendId)
    .execute();
}

/** Saves the provider and the time of a hand-over. Does not touch columns that timeline entries change. */
export function saveHandOver(handle: WorkspaceHandle, { id, provider, handed_over_at }: SendRow): void {
  handle.defer(setHandOver, { id, provider, handed_over_at });
}

/** The statuses of the existing sends among these ids. */
export async function listStatuses(handle: WorkspaceHandle, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return handle.db.selectFrom('sends').select(['id', 'status']).where('id', 'in', filledList(ids)).execute();
}

/**
 * The newest sends to a normalised address. The query builder makes this statement for each call, like those of lists, so that the database plans
 * it for the values and uses the index for lists by recipient.
 */
export function latestSendsTo(
  { db }: WorkspaceHandle,
  to: string,
  { limit, after }: { readonly limit: number; readonly after?: CursorPosition | undefined },
) {
  const latestSends = db
    .selectFrom('sends')
    .select(['id', 'created_at', 'status', 'template_key', 'subject', 'sandbox'])
    .where('to_normalised', '=', to);
  const older = after === undefined ? latestSends : latestSends.where(olderThan('created_at', 'id', after));
  return older.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

/** The number of the latest sends to an address that are searched for soft bounces. */
const searchedSends = 200;
/** The longest time after the hand-over in which a server tries to deliver a message, with a margin. */
const longestTriesMs = 10 * 86_400_000;

/** The timeline entries of bounces since a time, for mail to this address. Read by soft-bounces.ts. */
export async function listSoftBounces(handle: WorkspaceHandle, to: string, since: number): Promise<SendEventRow[]> {
  const sends = await handle.db
    .selectFrom('sends')
    .select(['id', 'status'])
    .where('to_normalised', '=', to)
    .where('created_at', '>=', since - longestTriesMs)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(searchedSends)
    .execute();
  const ids = sends.flatMap(({ id, status }) => (status === 'bounced' || status === 'complained' ? [id] : []));
  const events = ids.length === 0 ? [] : await eventRows.findIn(handle, 'send_id', ids);
  return events.filter((event) => event.type === 'send.bounced' && happenedAt(event) >= since);
}

/** Sends that do not count towards a cap, because they never left. */
const neverLeft: SendRow['status'][] = ['suppressed', 'canceled', 'failed'];

/** The times at which marketing mail to these normalised addresses was accepted since a time, the newest first, by address. */
export async function listAcceptedMarketing(
  { db }: WorkspaceHandle,
  addresses: readonly string[],
  since: number,
): Promise<ReadonlyMap<string, number[]>> {
  const rows = await db
    .selectFrom('sends')
    .select(['to_normalised', 'created_at'])
    .where('to_normalised', 'in', filledList(addresses))
    .where('created_at', '>', since)
    .where('category', '=', 'marketing' satisfies SendRow['category'])
    .where('test', '=', 0)
    .where('status', 'not in', neverLeft)
    .orderBy('created_at', 'desc')
    .execute();
  const timesByAddress = new Map<string, number[]>();
  for (const { to_normalised: to, created_at: at } of rows)
    timesByAddress.set(to, [...(timesByAddress.get(to) ?? []), Number(at)]);
  return timesByAddress;
}

/** The maximum number of a template's sends that are searched, newest first. The limit keeps the check cheap. */
const scanned = 10_000;

/**
 * The callers that sent from a template since a time, among the latest 10,000 sends of the template: the ids of at most `limit` API keys, and the
 * number of sends without an API key. Test sends do not count.
 */
export async function callersThatSent(
  { db }: WorkspaceHandle,
  templateKey: string,
  since: number,
  limit: number,
): Promise<{ readonly keys: readonly string[]; readonly withoutKey: number }> {
  const latest = db
    .selectFrom('sends')
    .select(['api_key_id', 'test'])
    .where('template_key', '=', templateKey)
    .where('created_at', '>=', since)
    .orderBy('created_at', 'desc')
    .limit(scanned);
  const realSends = db.selectFrom(latest.as('latest')).where('test', '=', 0);
  const rows = await realSends
    .select('api_key_id')
    .distinct()
    .where('api_key_id', 'is not', null)
    .orderBy('api_key_id')
    .limit(limit)
    .execute();
  const withoutKey = await realSends
    .select(({ fn }) => fn.countAll().as('sends'))
    .where('api_key_id', 'is', null)
    .executeTakeFirstOrThrow();
  return {
    keys: rows.flatMap((row) => (row.api_key_id === null ? [] : [row.api_key_id])),
    withoutKey: Number(withoutKey.sends),
  };
}

/** The timelines of these sends, by id. All of the sends must be on the handle's side. */
export async function timelinesOf(
  handle: WorkspaceHandle,
  rows: readonly SendRow[],
): Promise<ReadonlyMap<string, SendEventRow[]>> {
  const timelines = new Map<string, SendEventRow[]>(rows.map((row) => [row.id, []]));
  for (const event of await eventRows.findIn(handle, 'send_id', [...timelines.keys()]))
    timelines.get(event.send_id)?.push(event);
  for (const events of timelines.values()) events.sort((one, other) => one.ts - other.ts);
  return timelines;
}

/** The ids of the sends among these whose content is not finished. */
export async function listUnfinished(handle: WorkspaceHandle, ids: readonly string[]): Promise<string[]> {
  const rows = await handle.db
    .selectFrom('send_contents')
    .select('send_id')
    .where('send_id', 'in', filledList(ids))
    .where('finished_at', 'is', null)
    .execute();
  return rows.map(({ send_id: id }) => id);
}

/** The workspace of a send, for requests that only contain a send id. */
export async function findOwner(handle: Handle, sendId: string): Promise<string | undefined> {
  return (await handle.one(ownerOf, { id: sendId }))?.workspace_id;
}

const recipientOf = defineStatement((db, p: { id: string }) =>
  db.selectFrom('sends').select(['workspace_id', 'sandbox', 'to_normalised']).where('id', '=', p.id),
);

/** The recipient of a send, for requests that only contain a send id. */
export async function findRecipient(handle: Handle, sendId: string) {
  const row = await handle.one(recipientOf, { id: sendId });
  return row && { workspaceId: row.workspace_id, sandbox: Number(row.sandbox) === 1, email: row.to_normalised };
}

/** Deletes the stored rendering input of these sends, and their link targets. */
export async function removeContents({ db }: WorkspaceHandle, ids: readonly string[]): Promise<void> {
  for (const table of ['send_contents', 'send_attachments', 'send_links'] as const)
    await db.deleteFrom(table).where('send_id', 'in', filledList(ids)).execute();
}

/** Overwrites the details of a timeline entry. */
export async function rewriteEvent({ db }: WorkspaceHandle, event: SendEventRow): Promise<void> {
  await db
    .updateTable('send_events')
    .set({ details: JSON.stringify(event.details) })
    .where('send_id', '=', event.send_id)
    .where('ts', '=', event.ts)
    .where('id', '=', event.id)
    .execute();
}
