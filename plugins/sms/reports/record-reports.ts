// Records a provider's reports: about a message that it accepted, and replies of recipients.
import type { TransactionContext } from '../../../core/index.ts';
import { optIn, optOut, suppressForProvider } from '../consent/opt-outs.ts';
import type { SmsReport } from '../port/index.ts';
import { type Keyword, keywordOf } from '../rules/keywords.ts';
import { loadSettings } from '../settings.ts';
import { listEvents } from '../store.ts';
import { smsRows } from '../tables.ts';
import { recordOnTimeline, type SmsTimelineEntry } from '../timeline/record.ts';

type StatusReport = Extract<SmsReport, { kind: 'status' }>;
type InboundReport = Extract<SmsReport, { kind: 'inbound' }>;

const sentences: Readonly<Record<NonNullable<StatusReport['reason']>, string>> = {
  invalid_number: 'The number does not exist.',
  landline: 'The number is a landline, or cannot receive SMS.',
  unreachable: 'The phone could not be reached.',
  blocked: 'The recipient or the carrier blocks messages of this sender.',
  opted_out: 'The recipient answered STOP to the provider.',
  content: 'The carrier filtered the message.',
  not_permitted: 'The provider does not send to this country for this account.',
  account: "The provider's account cannot send now.",
  sender: 'The sender is not registered for this, or does not belong to the account.',
  expired: 'The message could not be delivered in its time.',
  unknown: 'The carrier did not say why.',
};

function entryOf({ status, reason, code }: StatusReport): SmsTimelineEntry {
  const finished = false;
  if (status === 'sent') return { type: 'sms.sent', status, finished };
  if (status === 'delivered') return { type: 'sms.delivered', status, finished };
  const cause = reason ?? 'unknown';
  const sentence = sentences[cause];
  const details = { reason: sentence, cause, ...(code === undefined ? {} : { providerCode: code }) };
  return { type: 'sms.failed', status, details, whyNotSent: sentence, ownWords: true, finished };
}

/**
 * Records each fact once: one failure, one delivery, and that the message was sent. The `providerMessageId` has at most 200
 * characters, and is empty if the report contains only our id of the SMS.
 */
export async function recordStatus(ctx: TransactionContext, smsId: string, report: StatusReport): Promise<void> {
  const sms = await smsRows.lock(ctx.trx, smsId);
  if (sms === undefined || sms.status === 'suppressed' || sms.sandbox) return;
  const { provider_message_id: storedId } = sms;
  const { providerMessageId: reportedId } = report;
  // A report with another id came to this message's URL by mistake.
  if (storedId !== null && reportedId !== '' && storedId !== reportedId) return;
  const entry = entryOf(report);
  const events = await listEvents(ctx.trx, smsId);
  // 'sent' is recorded only if the delivery job has not recorded it, for example because of a crash.
  const isLate = entry.type === 'sms.sent' && sms.status !== 'queued';
  // A delivery is final. If there are two failures, the first one counts.
  const hasFinalStatus =
    sms.status === 'delivered' || (entry.type === 'sms.failed' && events.some(({ type }) => type === entry.type));
  if (!isLate && !hasFinalStatus)
    await recordOnTimeline(ctx, sms, entry, reportedId === '' ? {} : { provider_message_id: reportedId });
  if (report.reason === 'opted_out') await suppressForProvider(ctx, sms);
}

/** The request of a reply. A stop word in the text counts even if the provider does not report it, unless it reports a START. */
function requestOf({ text, asks }: InboundReport): Keyword | undefined {
  const keyword = keywordOf(text);
  return keyword === 'stop' && asks !== 'start' ? keyword : (asks ?? keyword);
}

/** Records a recipient's reply, in one workspace that sent to them. Returns the text to send back, if any. */
export async function recordInbound(ctx: TransactionContext, report: InboundReport): Promise<string | undefined> {
  const { from, text } = report;
  const keyword = requestOf(report);
  if (keyword === 'stop') await optOut(ctx, from, [...text.trim()].slice(0, 40).join(''));
  if (keyword === 'start') await optIn(ctx, from);
  return keyword === 'help' ? ((await loadSettings(ctx.trx)).help_text ?? undefined) : undefined;
}
