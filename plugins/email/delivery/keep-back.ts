// Keeps back a send that was about to be delivered: it ends, or it waits and is decided on again. Called by the delivery jobs.
import type { JobContext } from '../../../core/index.ts';
import { giveBackBudget } from '../../../core/unstable.ts';
import { enqueueDelivery } from '../accept/enqueue-delivery.ts';
import { nextDecisionAt } from '../accept/initial-state.ts';
import { type DecisionEffect, whyNotSentOf } from '../decision/decide.ts';
import type { SendRow } from '../tables.ts';
import { listSendWithoutMail } from '../timeline/list-send-without-mail.ts';
import { recordOnTimeline, type SendTimelineEntry } from '../timeline/record.ts';
import type { BroadcastSends } from './broadcast-sends.ts';

/** Any outcome except that the mail is sent. */
export type KeptBack = Exclude<DecisionEffect, { kind: 'sent' }>;

const changes = {
  suppressed: { type: 'transactional.suppressed', status: 'suppressed', finished: true },
  expired: { type: 'send.failed', status: 'failed', finished: true },
  waits: { type: 'send.scheduled', status: 'scheduled', finished: false },
} as const;

const entryOf = ({ kind, reason }: KeptBack): SendTimelineEntry => ({
  ...changes[kind],
  details: { reason: reason.message },
  whyNotSent: whyNotSentOf(reason),
  unlessEnded: true,
});

/** Makes the send wait. If an earlier hand-over of the send failed, its status stays, and the wait does not count as a try. */
function postpone(ctx: JobContext, send: SendRow, outcome: Extract<KeptBack, { kind: 'waits' }>): Promise<void> {
  const { reason, until } = outcome;
  const at = nextDecisionAt(until, ctx.ports.now());
  const scheduledAt = until ?? null;
  const isKnown = send.why_not_sent === whyNotSentOf(reason) && send.scheduled_at === scheduledAt;
  if (send.status === 'delivery_delayed' || (send.status === 'scheduled' && isKnown))
    return ctx.retryAt(at, reason.message, undefined, { untried: true });
  return ctx.complete(async (tx) => {
    const stored = await recordOnTimeline(tx, send, { ...entryOf(outcome), scheduledAt });
    if (stored.status === 'scheduled') enqueueDelivery(tx, stored, at, ctx.lane);
  });
}

/** Ends the send, or makes it wait. */
export function keepBack(ctx: JobContext, send: SendRow, outcome: KeptBack): Promise<void> {
  if (outcome.kind === 'waits') return postpone(ctx, send, outcome);
  return ctx.complete(async (tx) => {
    listSendWithoutMail(tx, await recordOnTimeline(tx, send, entryOf(outcome)));
    if (outcome.kind === 'suppressed' && !send.sandbox) giveBackBudget(tx, 'sends', send.created_at, 1);
  });
}

const canceledWithBroadcast = 'The broadcast was canceled before this mail was handed over.';

/** Keeps back a send whose broadcast is paused, or ends it if the broadcast was canceled. */
export function keepBackForBroadcast(ctx: JobContext, send: SendRow): Promise<void> {
  return ctx.complete(async (tx) => {
    const broadcasts: BroadcastSends | undefined = tx.services.broadcastSends;
    const gate = (await broadcasts?.park(tx, send)) ?? 'open';
    // The broadcast was resumed in the meantime.
    if (gate === 'open') enqueueDelivery(tx, send, null, ctx.lane);
    if (gate !== 'canceled') return;
    await recordOnTimeline(tx, send, {
      type: 'send.canceled',
      status: 'canceled',
      details: { reason: canceledWithBroadcast },
      whyNotSent: canceledWithBroadcast,
      finished: true,
      unlessEnded: true,
    });
    if (!send.sandbox) giveBackBudget(tx, 'sends', send.created_at, 1);
  });
}
