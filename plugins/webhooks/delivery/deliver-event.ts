// The job of one delivery: posts the event, stores the result and schedules the next attempt by the retry table. It may run twice
// after a crash; the receiver then gets the same event id again.
import { defineJob, type JobContext, type TransactionContext, toIsoTime, z } from '../../../core/index.ts';
import type { Disabling } from '../store.ts';
import { disableWebhook } from '../subscription.ts';
import type { DeliveryAttempt, DeliveryRow } from '../tables.ts';
import { type AttemptResult, postEvent } from './attempt.ts';
import { readTogether } from './read-together.ts';
import { nextAttemptTime } from './retry-table.ts';
import { listPending, markFailing, markHealthy, type PendingDelivery, recordTry } from './store.ts';

export const deliverKind = 'webhooks.deliver';

/** A subscription that fails for this long without a success is disabled. */
const maxFailingMs = 5 * 86_400_000;
/** The maximum number of attempts that a delivery stores. Older attempts are dropped. */
const maxStoredAttempts = 32;

const goneReason = 'The receiver answered 410 Gone: it wants no more events.';
const failingTooLong = 'Nothing could be delivered for five days.';

interface AttemptOutcome {
  readonly status: DeliveryRow['status'];
  readonly tries: number;
  readonly nextAttemptAt: number | null;
  readonly attempt: DeliveryAttempt;
}

function recordAttempt(
  ctx: TransactionContext,
  delivery: PendingDelivery,
  { status, tries, nextAttemptAt, attempt }: AttemptOutcome,
): void {
  const attempts = [...delivery.attempts, attempt].slice(-maxStoredAttempts);
  const attemptFields = { attempts: JSON.stringify(attempts), tries, next_attempt_at: nextAttemptAt };
  recordTry(ctx.trx, { id: delivery.id, status, ...attemptFields });
}

/** The attempt to store if no request was made. */
const unsentAttempt = ({ now }: TransactionContext, error: string): DeliveryAttempt => ({
  at: toIsoTime(now),
  status_code: null,
  duration_ms: 0,
  error,
  response_excerpt: null,
});

/** Ends the delivery without a request. */
function endUnsent(ctx: JobContext, delivery: PendingDelivery, error: string): Promise<void> {
  return ctx.complete(
    (tx) => {
      const attempt = unsentAttempt(tx, error);
      recordAttempt(tx, delivery, { status: 'failed', tries: delivery.tries, nextAttemptAt: null, attempt });
    },
    { batched: true },
  );
}

function endDelivered(ctx: JobContext, delivery: PendingDelivery, { attempt }: AttemptResult): Promise<void> {
  return ctx.complete(
    (tx) => {
      recordAttempt(tx, delivery, { status: 'delivered', tries: delivery.tries + 1, nextAttemptAt: null, attempt });
      if (delivery.failing_since !== null) markHealthy(tx.trx, delivery.webhook_id);
    },
    { batched: true, repeatable: true },
  );
}

/** The reason and the conditions for disabling the subscription because of this failure; undefined if it stays enabled. */
function disablingOf(delivery: PendingDelivery, { status, endedAt }: AttemptResult): Omit<Disabling, 'at'> | undefined {
  const unlessChangedSince = delivery.updated_at;
  if (status === 410) return { reason: goneReason, unlessChangedSince };
  const failingBefore = endedAt - maxFailingMs;
  const since = delivery.failing_since;
  return since !== null && since <= failingBefore
    ? { reason: failingTooLong, unlessChangedSince, failingBefore }
    : undefined;
}

async function endFailed(
  ctx: JobContext,
  delivery: PendingDelivery,
  result: AttemptResult,
  once: boolean,
): Promise<void> {
  const tries = delivery.tries + 1;
  const [high = 0, low = 0] = ctx.ports.randomness.bytes(2);
  const randomFraction = (high * 256 + low) / 65_536;
  // Replays and tests do not affect the health of the subscription.
  const affectsHealth = !delivery.replay;
  const disabling = affectsHealth ? disablingOf(delivery, result) : undefined;
  const isLast = once || disabling !== undefined || result.status === 410;
  const nextAttemptAt = isLast ? undefined : nextAttemptTime({ ...result, tries, randomFraction });
  const { attempt } = result;
  const record = (tx: TransactionContext) => {
    const status = nextAttemptAt === undefined ? 'failed' : 'pending';
    recordAttempt(tx, delivery, { status, tries, nextAttemptAt: nextAttemptAt ?? null, attempt });
    if (affectsHealth && delivery.failing_since === null) markFailing(tx.trx, delivery.webhook_id, result.endedAt);
  };
  if (nextAttemptAt !== undefined) {
    await ctx.retryAt(nextAttemptAt, attempt.error ?? '', async (tx) => record(tx), { relative: true });
    return;
  }
  await ctx.complete(async (tx) => {
    record(tx);
    if (disabling !== undefined) await disableWebhook(tx, delivery.webhook_id, disabling);
  });
}

/** Delivers one event to one subscription. */
export const deliverEvent = defineJob({
  kind: deliverKind,
  lane: 'outbound',
  payload: z.object({ deliveryId: z.string(), eventId: z.string(), once: z.boolean() }),
  timeoutMs: 30_000,
  async handler(ctx, { deliveryId, eventId, once }) {
    const { delivery, event } = await readTogether(ctx, deliveryId, eventId);
    if (delivery === undefined) return;
    if (event === undefined) {
      ctx.markAttemptFailed();
      await endUnsent(ctx, delivery, 'The event no longer exists: it was erased, or is older than a month.');
      return;
    }
    if (!delivery.enabled && !delivery.replay) {
      await endUnsent(ctx, delivery, 'The webhook was disabled before the event could be delivered.');
      return;
    }
    const result = await postEvent(ctx, delivery, event, ctx.signal);
    if (result.delivered) return endDelivered(ctx, delivery, result);
    ctx.markAttemptFailed();
    return endFailed(ctx, delivery, result, once);
  },
  afterExhausted: 'Replay the delivery: POST /v1/webhooks/deliveries/{deliveryId}/replay, or the webhooks page.',
  async exhausted(ctx, { deliveryId }) {
    const delivery = (await listPending(ctx.trx, [deliveryId])).get(deliveryId);
    if (delivery === undefined) return;
    const attempt = unsentAttempt(ctx, 'The service could not make this delivery: its log says why.');
    recordAttempt(ctx, delivery, { status: 'failed', tries: delivery.tries, nextAttemptAt: null, attempt });
  },
});
