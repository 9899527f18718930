// Records what happens to a message after it was accepted: its status, its timeline and its event, in one transaction.
import { isPseudonym, type TransactionContext } from '../../../core/index.ts';
import type { SmsEventType } from '../events.ts';
import { presentEvent, presentSms } from '../present.ts';
import type { SmsPublic, SmsTimelineDetails } from '../schema.ts';
import { listEvents, saveState } from '../store.ts';
import { eventRows, type SmsEventRow, type SmsRow, type SmsStatus, smsRows } from '../tables.ts';

/** The order of the statuses: a later report never moves a message to a lower rank. `delivered` counts even after a failure. */
const rankByStatus: Readonly<Record<SmsStatus, number>> = {
  scheduled: 0,
  queued: 1,
  sent: 2,
  failed: 3,
  undelivered: 3,
  delivered: 4,
  suppressed: 9,
};

/** The status after a report. */
export const statusAfter = (from: SmsStatus, to: SmsStatus): SmsStatus =>
  rankByStatus[to] > rankByStatus[from] ? to : from;

/** A new entry of a message's timeline. */
export interface SmsTimelineEntry {
  readonly type: SmsEventType | 'transactional.suppressed';
  /** Omit it if the entry does not change the status. */
  readonly status?: SmsStatus;
  readonly details?: SmsTimelineDetails;
  readonly whyNotSent?: string;
  /** Whether the service wrote the texts, so that they are stored even if the recipient was erased. (Default: false) */
  readonly ownWords?: true;
  /** Whether the status is final. The text is then erased after its retention. */
  readonly finished: boolean;
}

/** Replaces a provider's text about an erased person. */
const notKept = "Not kept: the recipient's personal data was erased.";

/** The entry without texts that may name an erased person. */
function withoutWords({ details = {}, whyNotSent, ...entry }: SmsTimelineEntry): SmsTimelineEntry {
  return {
    ...entry,
    details: { ...details, ...(details.reason === undefined ? {} : { reason: notKept }) },
    ...(whyNotSent === undefined ? {} : { whyNotSent: notKept }),
  };
}

/** Whether an erasure ended the message during the hand-over. Then only a delivery report is still recorded, not the hand-over. */
const wasEndedByErasure = ({ to_number, status }: SmsRow): boolean => status === 'failed' && isPseudonym(to_number);

/** The columns that a hand-over changes in addition to the status. */
export type HandOver = Partial<Pick<SmsRow, 'provider' | 'sender' | 'provider_message_id' | 'handed_over_at'>>;

/**
 * Writes an entry. Locks the row and reads it again, because it may have changed in the meantime. The handle of `ctx` must be on the
 * side of the message.
 */
export async function recordOnTimeline(
  ctx: TransactionContext,
  sms: SmsRow,
  input: SmsTimelineEntry,
  handOver: HandOver = {},
): Promise<SmsPublic> {
  const stored = (await smsRows.lock(ctx.trx, sms.id)) ?? sms;
  if (input.status === 'failed' && wasEndedByErasure(stored))
    return presentSms(stored, await listEvents(ctx.trx, sms.id));
  const entry = isPseudonym(stored.to_number) && input.ownWords !== true ? withoutWords(input) : input;
  const next: SmsRow = {
    ...stored,
    ...handOver,
    status: entry.status === undefined ? stored.status : statusAfter(stored.status, entry.status),
    why_not_sent: entry.status === 'delivered' ? null : (entry.whyNotSent ?? stored.why_not_sent),
  };
  const synthetic = sms.sandbox;
  const item: SmsEventRow = {
    id: ctx.newId('evt'),
    sms_id: sms.id,
    type: entry.type,
    ts: ctx.now,
    details: { ...(synthetic ? { synthetic: true } : {}), ...entry.details },
  };
  const events = await listEvents(ctx.trx, sms.id);
  saveState(ctx.trx, next, entry.finished ? ctx.now : undefined);
  eventRows.deferInsert(ctx.trx, item);
  const shown = presentSms(next, [...events, item]);
  // The id prevents a second event for the same fact. The subject lets an erasure find the event.
  const options = { synthetic, id: item.id, subject: stored.to_number };
  ctx.emit(entry.type, { ...shown, event: presentEvent(item) }, options);
  return shown;
}

/** Records that the provider accepted the message. If a report recorded 'sent' before, only the hand-over is saved. */
export async function recordSent(ctx: TransactionContext, sms: SmsRow, handOver: HandOver): Promise<void> {
  const stored = (await smsRows.lock(ctx.trx, sms.id)) ?? sms;
  const isKnown = (await listEvents(ctx.trx, sms.id)).some(({ type }) => type === 'sms.sent');
  if (isKnown || wasEndedByErasure(stored)) saveState(ctx.trx, { ...stored, ...handOver }, ctx.now);
  else await recordOnTimeline(ctx, sms, { type: 'sms.sent', status: 'sent', finished: true }, handOver);
}

/** The entry of a message that will not be sent. */
export const failed = (reason: string, details: SmsTimelineDetails = {}): SmsTimelineEntry => ({
  type: 'sms.failed',
  status: 'failed',
  details: { ...details, reason },
  whyNotSent: reason,
  finished: true,
});

/** The entry of a message that is not sent because the recipient is suppressed or withdrew consent. */
export const suppressed = (reason: string): SmsTimelineEntry => ({
  type: 'transactional.suppressed',
  status: 'suppressed',
  details: { reason },
  whyNotSent: reason,
  finished: true,
});
