// Records what happens to a message after it was accepted: its status, its timeline and the event, in one transaction.
import { isPseudonym, type TransactionContext } from '../../core/index.ts';
import type { SmsEventType } from './events.ts';
import { presentEvent, presentSms } from './present.ts';
import type { SmsPublic, SmsTimelineDetails } from './schema.ts';
import { listEvents, saveState } from './store.ts';
import { eventRows, type SmsEventRow, type SmsRow, type SmsStatus, smsRows } from './tables.ts';

/** Later facts never move a status backwards. A handset's receipt is the last word, also after a failure that was assumed. */
const rank: Readonly<Record<SmsStatus, number>> = {
  scheduled: 0,
  queued: 1,
  sent: 2,
  failed: 3,
  undelivered: 3,
  delivered: 4,
  suppressed: 9,
};

/** The status after a fact. */
export const moveStatus = (from: SmsStatus, to: SmsStatus): SmsStatus => (rank[to] > rank[from] ? to : from);

/** A new entry of a message's timeline. */
export interface TimelineEntry {
  readonly type: SmsEventType | 'transactional.suppressed';
  /** Left out where the entry changes none. */
  readonly status?: SmsStatus;
  readonly details?: SmsTimelineDetails;
  readonly whyNotSent?: string;
  /** The words are the service's own, and may be stored although the recipient was erased. (Default: false) */
  readonly ownWords?: true;
  /** Nothing is left to do: the text is erased after its retention. */
  readonly finished: boolean;
}

/** In place of a provider's words about an erased person. */
const notKept = "Not kept: the recipient's personal data was erased.";

/** An entry about an erased person: what happened stays, and texts that may name the person go. */
function withoutWords({ details = {}, whyNotSent, ...entry }: TimelineEntry): TimelineEntry {
  return {
    ...entry,
    details: { ...details, ...(details.reason === undefined ? {} : { reason: notKept }) },
    ...(whyNotSent === undefined ? {} : { whyNotSent: notKept }),
  };
}

/** An erasure during the hand-over ended the message. The provider's answer to the hand-over adds nothing; a handset's receipt does. */
const endedByErasure = ({ to_number, status }: SmsRow): boolean => status === 'failed' && isPseudonym(to_number);

/** What a hand-over changes beside the status. */
export type HandOver = Partial<Pick<SmsRow, 'provider' | 'sender' | 'provider_message_id' | 'handed_over_at'>>;

/**
 * Writes an entry. The row is locked and read again, since it may have changed meanwhile. The effects' handle must be on the
 * side of the message.
 */
export async function recordOnTimeline(
  effects: TransactionContext,
  sms: SmsRow,
  given: TimelineEntry,
  handOver: HandOver = {},
): Promise<SmsPublic> {
  const stored = (await smsRows.lock(effects.trx, sms.id)) ?? sms;
  if (given.status === 'failed' && endedByErasure(stored))
    return presentSms(stored, await listEvents(effects.trx, sms.id));
  const entry = isPseudonym(stored.to_number) && given.ownWords !== true ? withoutWords(given) : given;
  const next: SmsRow = {
    ...stored,
    ...handOver,
    status: entry.status === undefined ? stored.status : moveStatus(stored.status, entry.status),
    why_not_sent: entry.status === 'delivered' ? null : (entry.whyNotSent ?? stored.why_not_sent),
  };
  const synthetic = sms.sandbox;
  const item: SmsEventRow = {
    id: effects.newId('evt'),
    sms_id: sms.id,
    type: entry.type,
    ts: effects.now,
    details: { ...(synthetic ? { synthetic: true } : {}), ...entry.details },
  };
  const events = await listEvents(effects.trx, sms.id);
  saveState(effects.trx, next, entry.finished ? effects.now : undefined);
  eventRows.deferInsert(effects.trx, item);
  const shown = presentSms(next, [...events, item]);
  // The id prevents a second event for the same fact; the subject lets an erasure find it.
  const options = { synthetic, id: item.id, subject: stored.to_number };
  effects.emit(entry.type, { ...shown, event: presentEvent(item) }, options);
  return shown;
}

/** The provider took the message. A report may have said so before: then the timeline has it already. */
export async function recordSent(effects: TransactionContext, sms: SmsRow, handOver: HandOver): Promise<void> {
  const stored = (await smsRows.lock(effects.trx, sms.id)) ?? sms;
  const isKnown = (await listEvents(effects.trx, sms.id)).some(({ type }) => type === 'sms.sent');
  if (isKnown || endedByErasure(stored)) saveState(effects.trx, { ...stored, ...handOver }, effects.now);
  else await recordOnTimeline(effects, sms, { type: 'sms.sent', status: 'sent', finished: true }, handOver);
}

/** The entry of a message that will not go out. */
export const failed = (reason: string, details: SmsTimelineDetails = {}): TimelineEntry => ({
  type: 'sms.failed',
  status: 'failed',
  details: { ...details, reason },
  whyNotSent: reason,
  finished: true,
});

/** The entry of a message that is not sent because of the recipient's word. */
export const suppressed = (reason: string): TimelineEntry => ({
  type: 'transactional.suppressed',
  status: 'suppressed',
  details: { reason },
  whyNotSent: reason,
  finished: true,
});
