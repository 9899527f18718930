// Finds the mail that led to an event: the last mail in which the contact clicked, otherwise the last delivered mail. Reads a bounded
// number of mails.
import { filledList, type ReadContext } from '../../../core/index.ts';
import type { RecordedEvent } from '../../events/index.ts';
import type { ConversionMail, MailOrigin } from './sources.ts';
import type { ConversionBasis } from './tables.ts';

/** The maximum number of mails that are checked, newest first: of mails to the contact's address, and of broadcasts to the contact. */
const maxMails = 200;
/** Mails that were accepted earlier do not count, even if the contact clicked in them recently. */
const oldestMs = 400 * 86_400_000;

/** The mail that an event is attributed to. */
export interface Touch extends MailOrigin {
  readonly sendId: string;
  readonly basis: ConversionBasis;
}

interface Mail extends ConversionMail {
  readonly broadcastId: string | null;
}

/** Mails of a broadcast, and mails with metadata, by which a plugin may recognise its own mails. */
async function readMails({ trx: { db } }: ReadContext, { contactId, email, at }: RecordedEvent): Promise<Mail[]> {
  const fields = ['id', 'broadcast_id', 'metadata'] as const;
  const toAddress =
    email === null
      ? []
      : await db
          .selectFrom('sends')
          .select(fields)
          .where('to_normalised', '=', email)
          .where('created_at', '>=', at - oldestMs)
          .where('test', '=', 0)
          .where((row) => row.or([row('broadcast_id', 'is not', null), row('metadata', 'is not', null)]))
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .limit(maxMails)
          .execute();
  // Mails that went to an earlier address of the contact.
  const received = await db
    .selectFrom('broadcast_recipients')
    .select('send_id')
    .where('contact_id', '=', contactId)
    .where('send_id', 'is not', null)
    .where('created_at', '>=', at - oldestMs)
    .orderBy('created_at', 'desc')
    .limit(maxMails)
    .execute();
  const knownIds = new Set(toAddress.map(({ id }) => id));
  const missingIds = received.flatMap(({ send_id: id }) => (id === null || knownIds.has(id) ? [] : [id]));
  const otherMails =
    missingIds.length === 0
      ? []
      : await db.selectFrom('sends').select(fields).where('id', 'in', filledList(missingIds)).execute();
  return [...toAddress, ...otherMails].map(({ id, broadcast_id: broadcastId, metadata }) => ({
    sendId: id,
    broadcastId,
    metadata: metadata === null ? {} : (JSON.parse(String(metadata)) as ConversionMail['metadata']),
  }));
}

/** The origin of each mail. Mails without an origin are left out. */
async function originsOf(ctx: ReadContext, mails: readonly Mail[]): Promise<ReadonlyMap<string, MailOrigin>> {
  const origins = new Map<string, MailOrigin>();
  const mailsOfPlugins: Mail[] = [];
  for (const mail of mails)
    if (mail.broadcastId === null) mailsOfPlugins.push(mail);
    else origins.set(mail.sendId, { source: 'broadcasts', sourceId: mail.broadcastId, step: null });
  if (mailsOfPlugins.length === 0) return origins;
  for (const [source, entry] of ctx.ports.contributions('broadcasts.conversion_sources'))
    for (const [sendId, origin] of await entry.find(ctx, mailsOfPlugins)) origins.set(sendId, { source, ...origin });
  return origins;
}

interface ReportDetails {
  readonly occurredAt?: string;
  readonly bot?: { readonly verdict: string };
}

/** Something that happened to a mail. */
interface Report {
  readonly sendId: string;
  readonly isClick: boolean;
  readonly at: number;
}

/** Clicks of people, and deliveries, within the time before the event. */
async function readReports(
  { trx: { db } }: ReadContext,
  sendIds: readonly string[],
  { at }: RecordedEvent,
  windowMs: number,
): Promise<Report[]> {
  const rows = await db
    .selectFrom('send_events')
    .select(['send_id', 'type', 'ts', 'details'])
    .where('send_id', 'in', filledList(sendIds))
    .where('type', 'in', ['send.clicked', 'send.delivered'])
    // Events are stored after they happen, so older rows cannot be within the time.
    .where('ts', '>=', at - windowMs)
    .execute();
  return rows.flatMap(({ send_id: sendId, type, ts, details }) => {
    const { occurredAt, bot } = JSON.parse(String(details)) as ReportDetails;
    const happened = occurredAt === undefined ? Number(ts) : Date.parse(occurredAt);
    const isWithin = happened >= at - windowMs && happened <= at;
    return isWithin && bot?.verdict !== 'bot' ? [{ sendId, isClick: type === 'send.clicked', at: happened }] : [];
  });
}

/** The mail that the event is attributed to; undefined if no mail came before it within the time. */
export async function findTouch(ctx: ReadContext, event: RecordedEvent, windowMs: number): Promise<Touch | undefined> {
  const mails = await readMails(ctx, event);
  if (mails.length === 0) return undefined;
  const reports = await readReports(
    ctx,
    mails.map(({ sendId }) => sendId),
    event,
    windowMs,
  );
  const reported = new Set(reports.map(({ sendId }) => sendId));
  const origins = await originsOf(
    ctx,
    mails.filter(({ sendId }) => reported.has(sendId)),
  );
  const last = (isClick: boolean): Report | undefined =>
    reports
      .filter((report) => report.isClick === isClick && origins.has(report.sendId))
      .reduce<Report | undefined>((one, other) => (one === undefined || other.at >= one.at ? other : one), undefined);
  const click = last(true);
  const found = click ?? last(false);
  const origin = found && origins.get(found.sendId);
  if (found === undefined || origin === undefined) return undefined;
  return { ...origin, sendId: found.sendId, basis: click === undefined ? 'delivered' : 'clicked' };
}
