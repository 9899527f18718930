// SQL of the SMS plugin, in addition to the statements of its tables.
import {
  type CursorPosition,
  defineStatement,
  filledList,
  type Handle,
  olderThan,
  pseudonymOf,
  type WorkspaceHandle,
} from '../../core/index.ts';
import { eventRows, type SmsEventRow, type SmsRow } from './tables.ts';

type State = Pick<
  SmsRow,
  'id' | 'status' | 'provider' | 'sender' | 'provider_message_id' | 'why_not_sent' | 'handed_over_at'
>;

const setState = defineStatement((db, p: State) =>
  db
    .updateTable('sms_messages')
    .set({
      status: p.status,
      provider: p.provider,
      sender: p.sender,
      provider_message_id: p.provider_message_id,
      why_not_sent: p.why_not_sent,
      handed_over_at: p.handed_over_at,
    })
    .where('id', '=', p.id),
);

const finishContent = defineStatement((db, p: { sms_id: string; now: number }) =>
  db
    .updateTable('sms_contents')
    .set({ finished_at: p.now })
    .where('sms_id', '=', p.sms_id)
    .where('finished_at', 'is', null),
);

const eventsOf = defineStatement((db, p: { sms_id: string }) =>
  db.selectFrom('sms_events').selectAll().where('sms_id', '=', p.sms_id).orderBy('ts').orderBy('id'),
);

const ownerOf = defineStatement((db, p: { id: string }) =>
  db.selectFrom('sms_messages').select(['id', 'workspace_id']).where('id', '=', p.id).where('sandbox', '=', 0),
);

const sentSince = defineStatement((db, p: { to_number: string; since: number }) =>
  db
    .selectFrom('sms_messages')
    .select(({ fn }) => fn.countAll<number | string>().as('messages'))
    .where('to_number', '=', p.to_number)
    .where('created_at', '>', p.since)
    .where('status', '<>', 'suppressed'),
);

const othersInRange = defineStatement((db, p: { number_range: string; to_number: string; since: number }) =>
  db
    .selectFrom('sms_messages')
    .select(({ fn }) => fn.count<number | string>('to_number').distinct().as('numbers'))
    .where('number_range', '=', p.number_range)
    .where('created_at', '>', p.since)
    .where('to_number', '<>', p.to_number)
    .where('status', '<>', 'suppressed'),
);

const consentsOf = defineStatement((db, p: { number: string; pseudonym: string }) =>
  db
    .selectFrom('sms_consents')
    .select(['position', 'class', 'revoked_at'])
    .where('to_number', 'in', [p.number, p.pseudonym]),
);

const grantOf = defineStatement((db, p: { number: string; pseudonym: string }) =>
  db
    .selectFrom('sms_consents')
    .select('id')
    .where('to_number', 'in', [p.number, p.pseudonym])
    .where('granted_at', 'is not', null)
    .orderBy('position', 'desc')
    .limit(({ lit }) => lit(1)),
);

const suppressionOf = defineStatement((db, p: { number: string; pseudonym: string }) =>
  db.selectFrom('sms_suppressions').selectAll().where('to_number', 'in', [p.number, p.pseudonym]),
);

const dropSuppression = defineStatement((db, p: { number: string; pseudonym: string }) =>
  db.deleteFrom('sms_suppressions').where('to_number', 'in', [p.number, p.pseudonym]),
);

/** The values under which a number is stored: itself, or its pseudonym if the person was erased. */
const namesOf = ({ workspaceId }: WorkspaceHandle, number: string) => ({
  number,
  pseudonym: pseudonymOf(workspaceId, number),
});

export async function listEvents(handle: WorkspaceHandle, smsId: string): Promise<SmsEventRow[]> {
  return (await handle.all(eventsOf, { sms_id: smsId })).map(eventRows.decode);
}

/** The timelines of these messages, by id. */
export async function timelinesOf(
  handle: WorkspaceHandle,
  rows: readonly SmsRow[],
): Promise<ReadonlyMap<string, SmsEventRow[]>> {
  const timelines = new Map<string, SmsEventRow[]>(rows.map(({ id }) => [id, []]));
  for (const event of await eventRows.findIn(handle, 'sms_id', [...timelines.keys()]))
    timelines.get(event.sms_id)?.push(event);
  for (const events of timelines.values()) events.sort((a, b) => a.ts - b.ts);
  return timelines;
}

/** Saves a message after a timeline entry. `finished` starts the retention of its text. */
export function saveState(handle: WorkspaceHandle, sms: SmsRow, finished: number | undefined): void {
  const { id, status, provider, sender, provider_message_id, why_not_sent, handed_over_at } = sms;
  handle.defer(setState, { id, status, provider, sender, provider_message_id, why_not_sent, handed_over_at });
  if (finished !== undefined) startRetention(handle, id, finished);
}

/** Starts the retention of a text if it has not started yet. */
export function startRetention(handle: WorkspaceHandle, smsId: string, now: number): void {
  handle.defer(finishContent, { sms_id: smsId, now });
}

/** The fields of a provider's report that identify the message. */
export interface ReportedSms {
  /** Our id of the SMS; empty if the report does not contain it. */
  readonly smsId: string;
  readonly provider: string;
  readonly providerMessageId: string;
  /** The only workspace whose message the report may be about. */
  readonly workspaceId: string | undefined;
}

/**
 * Finds the message of a report: by its own id, otherwise by the provider's id if exactly one message has it. Two accounts of a provider
 * may use the same ids, and a report must not reach another workspace's message. Sandbox messages are never handed over.
 */
export async function findReported(
  handle: Handle,
  { smsId, provider, providerMessageId, workspaceId }: ReportedSms,
): Promise<{ readonly id: string; readonly workspaceId: string } | undefined> {
  const owner = smsId === '' ? undefined : await handle.one(ownerOf, { id: smsId });
  if (owner !== undefined)
    return workspaceId === undefined || workspaceId === owner.workspace_id
      ? { id: owner.id, workspaceId: owner.workspace_id }
      : undefined;
  if (providerMessageId === '') return undefined;
  const everywhere = handle.db
    .selectFrom('sms_messages')
    .select(['id', 'workspace_id'])
    .where('provider_message_id', '=', providerMessageId)
    .where('provider', '=', provider)
    .where('sandbox', '=', 0)
    .limit(2);
  const [found, another] = await (workspaceId === undefined
    ? everywhere
    : everywhere.where('workspace_id', '=', workspaceId)
  ).execute();
  return found === undefined || another !== undefined ? undefined : { id: found.id, workspaceId: found.workspace_id };
}

/** The workspaces that sent messages to a number from one of these senders. */
export async function workspacesThatSent(
  { db }: Handle,
  number: string,
  senders: readonly string[],
): Promise<string[]> {
  if (senders.length === 0) return [];
  const rows = await db
    .selectFrom('sms_messages')
    .select('workspace_id')
    .distinct()
    .where('to_number', '=', number)
    .where('sender', 'in', filledList(senders))
    .where('sandbox', '=', 0)
    .execute();
  return rows.map(({ workspace_id: id }) => id);
}

/** The number of messages that were sent to a number since a time, without suppressed messages. */
export const countSentTo = async (handle: WorkspaceHandle, number: string, since: number): Promise<number> =>
  Number((await handle.one(sentSince, { to_number: number, since }))?.messages ?? 0);

/** The number of other numbers of the same range that got messages since a time. */
export const countOthersInRange = async (
  handle: WorkspaceHandle,
  number: string,
  range: string,
  since: number,
): Promise<number> =>
  Number((await handle.one(othersInRange, { number_range: range, to_number: number, since }))?.numbers ?? 0);

/** The consent ledger of a number, without its texts. */
export const listConsents = (handle: WorkspaceHandle, number: string) =>
  handle.all(consentsOf, namesOf(handle, number));

/** The id of the latest consent of a number. */
export const latestGrant = async (handle: WorkspaceHandle, number: string): Promise<string | undefined> =>
  (await handle.one(grantOf, namesOf(handle, number)))?.id;

/** The suppression of a number. It is stored under the number or its pseudonym. */
export async function findSuppressed(handle: WorkspaceHandle, number: string) {
  const [row] = await handle.all(suppressionOf, namesOf(handle, number));
  return row;
}

/** Removes the suppression of a number. Returns whether there was one. */
export const removeSuppression = async (handle: WorkspaceHandle, number: string): Promise<boolean> =>
  (await handle.run(dropSuppression, namesOf(handle, number))) > 0;

/** The newest messages to a number. Uses the index for lists by recipient. */
export function latestTo(
  { db }: WorkspaceHandle,
  number: string,
  { limit, after }: { readonly limit: number; readonly after?: CursorPosition | undefined },
) {
  const all = db
    .selectFrom('sms_messages')
    .select(['id', 'created_at', 'status', 'template_key', 'body', 'sandbox'])
    .where('to_number', '=', number);
  const older = after === undefined ? all : all.where(olderThan('created_at', 'id', after));
  return older.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

/** Deletes the stored texts of these messages. */
export async function removeContents({ db }: WorkspaceHandle, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('sms_contents').where('sms_id', 'in', filledList(ids)).execute();
}

/** Overwrites the details of a timeline entry. */
export async function rewriteEvent({ db }: WorkspaceHandle, event: SmsEventRow): Promise<void> {
  await db
    .updateTable('sms_events')
    .set({ details: JSON.stringify(event.details) })
    .where('sms_id', '=', event.sms_id)
    .where('ts', '=', event.ts)
    .where('id', '=', event.id)
    .execute();
}

/** The ids of those messages that have not reached a final status yet. */
export async function listUnfinished({ db }: WorkspaceHandle, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('sms_contents')
    .select('sms_id')
    .where('sms_id', 'in', filledList(ids))
    .where('finished_at', 'is', null)
    .execute();
  return rows.map(({ sms_id: id }) => id);
}
