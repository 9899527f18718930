// `ctx.services.sendReports`: records reports on sends that were handed over. Reports come from providers and from the buttons of the
// development inbox. The delivery jobs record their own results themselves.
import { onSide, type TransactionContext, type WorkspaceHandle } from '../../core/index.ts';
import type { BounceDetails } from './port/index.ts';
import { presentSend } from './present.ts';
import type { SendPublic, TimelineItem } from './schema.ts';
import { listEvents, listStatuses, sendRows } from './store.ts';
import type { SendEventRow, SendRow, SendStatus } from './tables.ts';
import { isErased, moveStatus, recordOnTimeline, type TimelineEntry } from './timeline.ts';

type Bot = NonNullable<TimelineItem['bot']>;

/** A report in the service's own format. */
export type SendReport =
  | { readonly kind: 'delivered' | 'complained' }
  | { readonly kind: 'delivery_delayed'; readonly reason: string }
  | { readonly kind: 'bounced'; readonly bounce: BounceDetails }
  /** `id` distinguishes the reports of a provider. Without an id, the recipient acted directly, such as by the button of the page. */
  | { readonly kind: 'unsubscribed'; readonly id?: string }
  | { readonly kind: 'opened'; readonly bot?: Bot }
  | { readonly kind: 'clicked'; readonly url: string; readonly bot?: Bot };

/** The result of a report. */
export interface ReportOutcome {
  /** False if the timeline already had this report. The timeline then stays as it is. */
  readonly recorded: boolean;
  readonly status: SendStatus;
}

/** `ctx.services.sendReports`. */
export interface SendReportsService {
  /**
   * Puts a report on the timeline. Delivered, delayed, bounced, complained and unsubscribed are recorded once per send. A hard bounce
   * may follow a softer bounce, but not the reverse. If a recipient unsubscribes again, the address is suppressed again. If a provider
   * repeats a report of the same act, a recipient who has subscribed since is not suppressed; another report does suppress. Every open
   * and click is recorded, and counted unless a bot made it. Callers that may report one twice must detect that themselves. The send
   * may be on either side of the workspace. A hard bounce, a complaint and an unsubscription suppress the address. In the sandbox,
   * no report suppresses, and the event is synthetic.
   * @returns undefined when the workspace has no such send
   * @throws StorageError `unique` when two sends to one address bounced at the same instant: run the transaction again
   */
  report(effects: TransactionContext, sendId: string, report: SendReport): Promise<ReportOutcome | undefined>;
  /** A send as the API shows it, with its timeline. */
  read(handle: WorkspaceHandle, sendId: string): Promise<SendPublic | undefined>;
  /** Like `read`, but locks the send until the transaction ends. Reports that arrive in the meantime are recorded after it. */
  hold(handle: WorkspaceHandle, sendId: string): Promise<SendPublic | undefined>;
  /** The current statuses of the existing sends among these ids. */
  statuses(handle: WorkspaceHandle, sendIds: readonly string[]): Promise<ReadonlyMap<string, SendStatus>>;
}

function entryOf(report: SendReport): TimelineEntry {
  // The retention of the content began with the hand-over. A late report does not extend it.
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
    case 'unsubscribed':
      return { type: 'send.unsubscribed', finished };
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

function isKnown(events: readonly SendEventRow[], report: SendReport): boolean {
  if (report.kind === 'opened' || report.kind === 'clicked') return false;
  if (report.kind === 'unsubscribed' && report.id !== undefined) {
    const before = events.filter(({ type }) => type === 'send.unsubscribed');
    return before.length >= maxUnsubscriptions || before.some(({ id }) => id === report.id);
  }
  if (report.kind !== 'bounced') return events.some(({ type }) => type === `send.${report.kind}`);
  const classes = bounceClasses(events);
  return classes.has('hard') || classes.has(report.bounce.class);
}

/** Suppresses the address if the report requires it. Soft bounces, automatic replies and sandbox sends do not suppress. */
async function suppress(ctx: TransactionContext, send: SendRow, report: SendReport) {
  const { suppressions } = ctx.services;
  const { to_address: email, id: sendId, category } = send;
  if (send.sandbox) return;
  if (report.kind === 'complained') await suppressions.add(ctx, { email, reason: 'complaint', sendId });
  if (report.kind === 'unsubscribed') await suppressions.unsubscribe(ctx, { email, category, sendId });
  if (report.kind !== 'bounced' || report.bounce.class !== 'hard') return;
  // The server's text may contain the address of an erased person.
  const note = isErased(send) ? null : report.bounce.diagnostic;
  await suppressions.add(ctx, { email, reason: 'hard_bounce', sendId, note });
}

/** Creates the service. It has no state. */
export const createSendReportsService = (): SendReportsService => ({
  async report(effects, sendId, report) {
    const send = await sendRows.lock(effects.trx.bothSides('a report names a send, whichever side it is on'), sendId);
    if (send === undefined) return undefined;
    const sided = onSide(effects, send.sandbox);
    const events = await listEvents(sided.trx, sendId);
    const id = report.kind === 'unsubscribed' ? report.id : undefined;
    if (isKnown(events, report)) {
      // The suppression may have been removed since. The recipient's own request suppresses again.
      if (report.kind === 'unsubscribed' && id === undefined) await suppress(sided, send, report);
      return { recorded: false, status: send.status };
    }
    const entry = entryOf(report);
    await recordOnTimeline({ ...sided, ...(id === undefined ? {} : { newId: () => id }) }, send, entry);
    await suppress(sided, send, report);
    return { recorded: true, status: entry.status === undefined ? send.status : moveStatus(send.status, entry.status) };
  },

  async hold(handle, sendId) {
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
