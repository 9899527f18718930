// Records what happens to a send after it was accepted: its status, its timeline and its event.

import { isPseudonym, type TransactionContext, toIsoTime } from '../../../core/index.ts';
import { parseUrl } from '../../../core/unstable.ts';
import { freeSlots } from '../decision/marketing-facts.ts';
import { reportChange } from '../delivery/broadcast-sends.ts';
import type { SendEventType } from '../events.ts';
import { presentEvent, presentSend } from '../present.ts';
import type { SendPublic, SendTimelineDetails } from '../schema.ts';
import { addEvent, listEvents, saveState, sendRows } from '../store.ts';
import type { SendEventRow, SendRow, SendStatus } from '../tables.ts';

/**
 * A later event never moves a status backwards. The exceptions are a delayed message that was finally handed over, and an accepted message
 * that has to wait.
 */
const rank: Readonly<Record<SendStatus, number>> = {
  scheduled: 0,
  sent: 1,
  delivery_delayed: 2,
  delivered: 3,
  bounced: 4,
  complained: 5,
  failed: 9,
  suppressed: 9,
  canceled: 9,
};

const final: ReadonlySet<SendStatus> = new Set(['failed', 'suppressed', 'canceled']);

/** The status after an event. */
export function statusAfter(from: SendStatus, to: SendStatus): SendStatus {
  if (final.has(from)) return from;
  if (from === 'delivery_delayed' && to === 'sent') return to;
  // A mail that was due at once has to wait. It was not handed over yet.
  if (from === 'sent' && to === 'scheduled') return to;
  return rank[to] > rank[from] ? to : from;
}

/** A new entry of a send's timeline. */
export interface SendTimelineEntry {
  readonly type: SendEventType;
  /** The new status. Omit it if the entry does not change the status. */
  readonly status?: SendStatus;
  /** An open or click with the verdict `bot` is on the timeline but not counted. Unknown clients are counted. */
  readonly details?: SendTimelineDetails;
  readonly whyNotSent?: string;
  /** The new time at which the message should leave. Null: at an unknown time. Omit it if the entry does not change the time. */
  readonly scheduledAt?: number | null;
  readonly provider?: string;
  /** The time of the event by the provider's clock, in milliseconds since the epoch. (Default: not known) */
  readonly occurredAt?: number | undefined;
  /** The texts are written by the service, so they may be stored even if the recipient was erased. (Default: false) */
  readonly isServiceText?: true;
  /** Whether the send is finished. Its content is then erased after the retention time. */
  readonly finished: boolean;
  /** False if the caller knows that the send has no attachments of its own. (Default: true) */
  readonly hasAttachments?: boolean;
  /** Skips the entry if the send has ended in the meantime, because its recipient was erased during a hand-over. (Default: false) */
  readonly unlessEnded?: true;
}

const erasedText = "Not kept: the recipient's personal data was erased.";

/** Whether the recipient was erased. A pseudonym then replaces the address. */
export const hasPseudonym = ({ to_normalised: to }: Pick<SendRow, 'to_normalised'>): boolean => isPseudonym(to);

/** Keeps only the origin of a clicked link: its path and query may contain personal data. */
export function withoutPath(details: SendTimelineDetails): SendTimelineDetails {
  const { click } = details;
  if (click === undefined) return details;
  return { ...details, click: { url: parseUrl(click.url)?.origin ?? '' } };
}

/** An entry about an erased person: keeps the facts and removes texts that may name the person. */
function withoutWords({ details = {}, whyNotSent, ...entry }: SendTimelineEntry): SendTimelineEntry {
  const { bounce, reason } = details;
  return {
    ...entry,
    details: {
      ...withoutPath(details),
      ...(bounce === undefined ? {} : { bounce: { ...bounce, diagnostic: erasedText } }),
      ...(reason === undefined ? {} : { reason: erasedText }),
    },
    ...(whyNotSent === undefined ? {} : { whyNotSent: erasedText }),
  };
}

/**
 * Writes an entry: status, timeline and event commit together. Reads the row again, because it may have changed in the meantime. The
 * handle of `ctx` must be on the side of the send. Only `provider` and `handed_over_at` of `send` are used.
 * Returns the updated row.
 */
export async function recordOnTimeline(
  ctx: TransactionContext,
  send: SendRow,
  entry: SendTimelineEntry,
): Promise<SendRow> {
  return (await record(ctx, send, entry)).next;
}

/** Like `recordOnTimeline`, but returns the updated send as the API shows it. */
export async function recordAndShow(
  ctx: TransactionContext,
  send: SendRow,
  entry: SendTimelineEntry,
): Promise<SendPublic> {
  return (await record(ctx, send, entry)).show();
}

/** Whether a marketing mail ends here without having been handed over. A mail that its server refused was handed over. */
const isGivenUp = ({ category, sandbox, why_not_sent: why }: SendRow, type: SendEventType): boolean =>
  category === 'marketing' &&
  !sandbox &&
  (type === 'send.canceled' || type === 'transactional.suppressed' || (type === 'send.failed' && why === 'expired'));

async function record(
  ctx: TransactionContext,
  send: SendRow,
  newEntry: SendTimelineEntry,
): Promise<{ readonly next: SendRow; readonly show: () => Promise<SendPublic> }> {
  // Locked, because a report and a delivery may change the status at the same time.
  const stored = (await sendRows.lock(ctx.trx, send.id)) ?? send;
  if (newEntry.unlessEnded && final.has(stored.status)) {
    return { next: stored, show: async () => presentSend(stored, await listEvents(ctx.trx, send.id)) };
  }
  const entry = hasPseudonym(stored) && newEntry.isServiceText === undefined ? withoutWords(newEntry) : newEntry;
  const counted = entry.details?.bot?.verdict === 'bot' ? 0 : 1;
  const status = entry.status === undefined ? stored.status : statusAfter(stored.status, entry.status);
  // The reason for waiting is removed when the message no longer waits.
  const waited = stored.status === 'scheduled' && status !== 'scheduled';
  const next: SendRow = {
    ...stored,
    status,
    scheduled_at: entry.scheduledAt === undefined ? stored.scheduled_at : entry.scheduledAt,
    provider: entry.provider ?? send.provider,
    handed_over_at: send.handed_over_at,
    why_not_sent: entry.whyNotSent ?? (waited ? null : stored.why_not_sent),
    opens: stored.opens + (entry.type === 'send.opened' ? counted : 0),
    clicks: stored.clicks + (entry.type === 'send.clicked' ? counted : 0),
  };
  // The send's own flag: a test send with a live key is synthetic too.
  const synthetic = send.sandbox;
  const item: SendEventRow = {
    id: ctx.newId('evt'),
    send_id: send.id,
    type: entry.type,
    ts: ctx.now,
    details: {
      ...(entry.occurredAt === undefined ? {} : { occurredAt: toIsoTime(entry.occurredAt) }),
      ...(synthetic ? { synthetic: true } : {}),
      ...entry.details,
    },
  };
  let earlier: Promise<SendEventRow[]> | undefined;
  const show = async (): Promise<SendPublic> => {
    earlier ??= listEvents(ctx.trx, send.id);
    return presentSend(next, [...(await earlier), item]);
  };
  const data = async () => ({ ...(await show()), event: presentEvent(item) });
  // The id prevents a second event for the same fact. The subject lets an erasure find the event.
  await ctx.emitIfSubscribed(entry.type, data, { synthetic, id: item.id, subject: stored.to_normalised });
  saveState(ctx.trx, next, entry.finished ? ctx.now : undefined, { attached: entry.hasAttachments ?? true });
  addEvent(ctx.trx, item);
  if (isGivenUp(next, entry.type)) await freeSlots(ctx, { sendId: send.id, fromEmail: stored.from_email });
  await reportChange(ctx, {
    ...{ before: stored, after: next, type: entry.type },
    at: entry.occurredAt ?? ctx.now,
  });
  return { next, show };
}
