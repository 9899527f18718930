// `ctx.services.sendReports`: records reports on sends that were handed over. Reports come from providers and from the buttons of the
// development inbox. The delivery jobs record their own results themselves.
import { onSide, type TransactionContext, type WorkspaceHandle } from '../../../core/index.ts';
import type { TopicsService } from '../../topics/index.ts';
import { type DeliveryFault, handedOverAtOf, notifyFault } from '../delivery/mail-results.ts';
import type { BounceDetails } from '../port/index.ts';
import { presentSend } from '../present.ts';
import type { SendPublic, SendTimelineItem } from '../schema.ts';
import { listEvents, listStatuses, sendRows } from '../store.ts';
import type { SendEventRow, SendRow, SendStatus } from '../tables.ts';
import { believableTime } from '../timeline/occurred-at.ts';
import { hasPseudonym, recordOnTimeline, type SendTimelineEntry, statusAfter } from '../timeline/record.ts';
import { pauseAfterSoftBounces, type SoftBounceRule } from './soft-bounces.ts';

type Bot = NonNullable<SendTimelineItem['bot']>;

/** A report in the service's own format. */
export type SendReport = ReportedEvent & {
  /** The time of the event by the provider's clock, in milliseconds since the epoch. An impossible time is not stored. */
  readonly at?: number | undefined;
};

type ReportedEvent =
  | { readonly kind: 'delivered' | 'complained' }
  | { readonly kind: 'delivery_delayed'; readonly reason: string }
  | { readonly kind: 'bounced'; readonly bounce: BounceDetails }
  /**
   * `id` distinguishes the reports of a provider. Without an id, the recipient acted directly, such as by the button of the unsubscribe page.
   * With `topic`, the recipient unsubscribes only from the topic of the mail: on that page, or by the mail program's one-click request.
   */
  | { readonly kind: 'unsubscribed'; readonly id?: string; readonly topic?: 'page' | 'one_click' }
  | { readonly kind: 'opened'; readonly bot?: Bot }
  | { readonly kind: 'clicked'; readonly url: string; readonly bot?: Bot };

/** The result of a report. */
export interface ReportResult {
  /** False if the timeline already had this report. The timeline then stays as it is. */
  readonly recorded: boolean;
  readonly status: SendStatus;
}

/** `ctx.services.sendReports`. */
export interface SendReportsService {
  /**
   * Puts a report on the timeline. Delivered, delayed, bounced, complained and unsubscribed are recorded once per send. A hard bounce
   * may follow a softer bounce, but not the reverse. If a recipient unsubscribes again, the address is suppressed again. If a provider
   * repeats a report of the same act, a recipient who has subscribed since is not suppressed; a report of a new act does suppress. Every open
   * and click is recorded, and counted unless a bot made it. Callers that may report an open or a click twice must detect that themselves. The send
   * may be on either side of the workspace. A hard bounce, a complaint and an unsubscription suppress the address; an
   * unsubscription from the topic of the mail stores a preference instead. In the sandbox, no report suppresses, and the event is synthetic.
   * @returns undefined when the workspace has no such send
   * @throws StorageError `unique` when two sends to one address bounced at the same instant: run the transaction again
   */
  report(ctx: TransactionContext, sendId: string, report: SendReport): Promise<ReportResult | undefined>;
  /** A send as the API shows it, with its timeline. */
  read(handle: WorkspaceHandle, sendId: string): Promise<SendPublic | undefined>;
  /** Like `read`, but locks the send until the transaction ends. Reports that arrive in the meantime are recorded after it. */
  readAndLock(handle: WorkspaceHandle, sendId: string): Promise<SendPublic | undefined>;
  /** The current statuses of the existing sends among these ids. */
  statuses(handle: WorkspaceHandle, sendIds: readonly string[]): Promise<ReadonlyMap<string, SendStatus>>;
}

/** The reason of an unsubscription on the timeline; undefined if all marketing mail stops. */
const unsubscribedFrom = ({ topic_key: key }: SendRow, report: SendReport): string | undefined =>
  report.kind === 'unsubscribed' && report.topic !== undefined && key !== null ? `topic ${key}` : undefined;

function entryOf(send: SendRow, report: SendReport): SendTimelineEntry {
  // `finished` starts the retention time of the content. That time began at the hand-over already, and a late report does not extend it.
  const finished = false;
  switch (report.kind) {
    case 'delivered':
    case 'complained':
      return { type: `send.${report.kind}`, status: report.kind, finished };
    case 'delivery_delayed':
      return { type: 'send.delivery_delayed', status: report.kind, details: { reason: report.reason }, finished };
    case 'bounced':
      return {
        type: 'send.bounced',
        status: 'bounced',
        details: { bounce: report.bounce, reason: report.bounce.diagnostic },
        whyNotSent: report.bounce.diagnostic,
        finished,
      };
    case 'unsubscribed': {
      const reason = unsubscribedFrom(send, report);
      return {
        type: 'send.unsubscribed',
        finished,
        ...(reason === undefined ? {} : { details: { reason }, isServiceText: true }),
      };
    }
    case 'opened':
      return { type: 'send.opened', details: botDetails(report.bot), finished };
    case 'clicked':
      return { type: 'send.clicked', details: { click: { url: report.url }, ...botDetails(report.bot) }, finished };
  }
}

const botDetails = (bot: Bot | undefined): { bot?: Bot } => (bot === undefined ? {} : { bot });

/** The classes of the bounces on a timeline. */
const bounceClasses = (events: readonly SendEventRow[]): ReadonlySet<string> =>
  new Set(
    events.flatMap(({ type, details: { bounce } }) =>
      type === 'send.bounced' && bounce !== undefined ? [bounce.class] : [],
    ),
  );

/** The maximum number of unsubscriptions that a provider may report per message, so that it cannot fill the timeline. */
const maxUnsubscriptions = 20;

function isKnown(send: SendRow, events: readonly SendEventRow[], report: SendReport): boolean {
  if (report.kind === 'opened' || report.kind === 'clicked') return false;
  if (report.kind === 'unsubscribed' && report.id !== undefined) {
    const before = events.filter(({ type }) => type === 'send.unsubscribed');
    return before.length >= maxUnsubscriptions || before.some(({ id }) => id === report.id);
  }
  if (report.kind === 'unsubscribed') {
    const from = unsubscribedFrom(send, report);
    return events.some(({ type, details: { reason } }) => type === 'send.unsubscribed' && reason === from);
  }
  if (report.kind !== 'bounced') return events.some(({ type }) => type === `send.${report.kind}`);
  const classes = bounceClasses(events);
  return classes.has('hard') || classes.has(report.bounce.class);
}

function faultOf(report: SendReport): DeliveryFault | undefined {
  if (report.kind === 'complained') return 'complaint';
  return report.kind === 'bounced' && report.bounce.class === 'hard' ? 'hard_bounce' : undefined;
}

/**
 * Suppresses the address, or unsubscribes it from a topic, if the report requires that. A single soft bounce, an automatic reply or a report on a
 * sandbox send suppresses nothing.
 */
async function suppress(ctx: TransactionContext, send: SendRow, report: SendReport, softBounces: SoftBounceRule) {
  const { suppressions } = ctx.services;
  const { to_address: email, id: sendId, category, topic_key: topicKey } = send;
  const topics: TopicsService | undefined = ctx.services.topics;
  if (report.kind === 'unsubscribed' && report.topic !== undefined && topicKey !== null && topics !== undefined) {
    await topics.set(ctx, { email, topics: new Map([[topicKey, false]]), source: report.topic });
    return;
  }
  if (send.sandbox) return;
  if (report.kind === 'complained') await suppressions.add(ctx, { email, reason: 'complaint', sendId });
  if (report.kind === 'unsubscribed') await suppressions.unsubscribe(ctx, { email, category, sendId });
  if (report.kind !== 'bounced') return;
  if (report.bounce.class === 'soft') await pauseAfterSoftBounces(ctx, send, report, softBounces);
  if (report.bounce.class !== 'hard') return;
  // The server's text may contain the address of an erased person.
  const note = hasPseudonym(send) ? null : report.bounce.diagnostic;
  await suppressions.add(ctx, { email, reason: 'hard_bounce', sendId, note });
}

/** Creates the service. It has no state. */
export const createSendReportsService = (softBounces: SoftBounceRule): SendReportsService => ({
  async report(ctx, sendId, report) {
    const send = await sendRows.lock(ctx.trx.bothSides('a report names a send, whichever side it is on'), sendId);
    if (send === undefined) return undefined;
    const sideCtx = onSide(ctx, send.sandbox);
    const events = await listEvents(sideCtx.trx, sendId);
    const id = report.kind === 'unsubscribed' ? report.id : undefined;
    if (isKnown(send, events, report)) {
      // The suppression may have been removed since then. A new request of the recipient suppresses the address again.
      if (report.kind === 'unsubscribed' && id === undefined) await suppress(sideCtx, send, report, softBounces);
      return { recorded: false, status: send.status };
    }
    const occurredAt = believableTime(report.at, send, sideCtx.now);
    const entry = { ...entryOf(send, report), occurredAt };
    await recordOnTimeline({ ...sideCtx, ...(id === undefined ? {} : { newId: () => id }) }, send, entry);
    const fault = faultOf(report);
    if (fault !== undefined) notifyFault(sideCtx, send, fault, handedOverAtOf(events, sideCtx.now));
    await suppress(sideCtx, send, { ...report, at: occurredAt }, softBounces);
    return {
      recorded: true,
      status: entry.status === undefined ? send.status : statusAfter(send.status, entry.status),
    };
  },

  async readAndLock(handle, sendId) {
    const send = await sendRows.lock(handle, sendId);
    return send === undefined ? undefined : presentSend(send, await listEvents(handle, sendId));
  },

  async read(handle, sendId) {
    const send = await sendRows.find(handle, sendId);
    return send === undefined ? undefined : presentSend(send, await listEvents(handle.onSide(send.sandbox), sendId));
  },

  async statuses(handle, sendIds) {
    return new Map((await listStatuses(handle, sendIds)).map(({ id, status }) => [id, status]));
  },
});
