// The job of one delivery: posts the event, stores the result and schedules the next try by the retry table. It may run twice
// after a crash; the receiver then gets the same event id again.
import { defineJob, type JobContext, type TransactionContext, toIsoTime, z } from '../../../core/index.ts';
import type { Disabling } from '../store.ts';
import { disableWebhook } from '../subscription.ts';
import type { DeliveryAttempt, DeliveryRow } from '../tables.ts';
import { type AttemptOutcome, postEvent } from './attempt.ts';
import { readTogether } from './read-together.ts';
import { nextTryAt } from './retry-table.ts';
import { listPending, markFailing, markHealthy, type PendingDelivery, recordTry } from './store.ts';

export const deliverKind = 'webhooks.deliver';

/** A subscription that fails for this long without a success is disabled. */
const toleratedMs = 5 * 86_400_000;
/** The number of attempts that a delivery stores. Older attempts are dropped. */
const maxAttempts = 32;

const gone = 'The receiver answered 410 Gone: it wants no more events.';
const failingTooLong = 'Nothing could be delivered for five days.';

interface Ending {
  readonly status: DeliveryRow['status'];
  readonly tries: number;
  readonly nextAttemptAt: number | null;
  readonly attempt: DeliveryAttempt;
}

function write(
  effects: TransactionContext,
  delivery: PendingDelivery,
  { status, tries, nextAttemptAt, attempt }: Ending,
): void {
  const attempts = [...delivery.attempts, attempt].slice(-maxAttempts);
  const kept = { attempts: JSON.stringify(attempts), tries, next_attempt_at: nextAttemptAt };
  recordTry(effects.trx, { id: delivery.id, status, ...kept });
}

/** The attempt to store if no request was made. */
const unsent = ({ now }: TransactionContext, error: string): DeliveryAttempt => ({
  at: toIsoTime(now),
  status_code: null,
  duration_ms: 0,
  error,
  response_excerpt: null,
});

/** Ends the delivery without a request. */
function endUnsent(context: JobContext, delivery: PendingDelivery, error: string): Promise<void> {
  return context.complete(
    (effects) => {
      const attempt = unsent(effects, error);
      write(effects, delivery, { status: 'failed', tries: delivery.tries, nextAttemptAt: null, attempt });
    },
    { batched: true },
  );
}

function endDelivered(context: JobContext, delivery: PendingDelivery, { attempt }: AttemptOutcome): Promise<void> {
  return context.complete(
    (effects) => {
      write(effects, delivery, { status: 'delivered', tries: delivery.tries + 1, nextAttemptAt: null, attempt });
      if (delivery.failing_since !== null) markHealthy(effects.trx, delivery.webhook_id);
    },
    { batched: true },
  );
}

/** Whether this failure disables the subscription, with the reason and the conditions that must still hold at that time. */
function disabling(delivery: PendingDelivery, { status, endedAt }: AttemptOutcome): Omit<Disabling, 'at'> | undefined {
  const unlessChangedSince = delivery.updated_at;
  if (status === 410) return { reason: gone, unlessChangedSince };
  const failingBefore = endedAt - toleratedMs;
  const since = delivery.failing_since;
  return since !== null && since <= failingBefore
    ? { reason: failingTooLong, unlessChangedSince, failingBefore }
    : undefined;
}

async function endFailed(
  context: JobContext,
  delivery: PendingDelivery,
  outcome: AttemptOutcome,
  once: boolean,
): Promise<void> {
  const tries = delivery.tries + 1;
  const [high = 0, low = 0] = context.ports.randomness.bytes(2);
  const chance = (high * 256 + low) / 65_536;
  // Replays and tests count neither for nor against the subscription.
  const counts = !delivery.replay;
  const disabled = counts ? disabling(delivery, outcome) : undefined;
  const isLast = once || disabled !== undefined || outcome.status === 410;
  const next = isLast ? undefined : nextTryAt({ ...outcome, tries, chance });
  const { attempt } = outcome;
  const record = (effects: TransactionContext) => {
    const status = next === undefined ? 'failed' : 'pending';
    write(effects, delivery, { status, tries, nextAttemptAt: next ?? null, attempt });
    if (counts && delivery.failing_since === null) markFailing(effects.trx, delivery.webhook_id, outcome.endedAt);
  };
  if (next !== undefined) {
    await context.retryAt(next, attempt.error ?? '', async (effects) => record(effects), { relative: true });
    return;
  }
  await context.complete(async (effects) => {
    record(effects);
    if (disabled !== undefined) await disableWebhook(effects, delivery.webhook_id, disabled);
  });
}

/** Delivers one event to one subscription. */
export const deliverEvent = defineJob({
  kind: deliverKind,
  lane: 'outbound',
  payload: z.object({ deliveryId: z.string(), eventId: z.string(), once: z.boolean() }),
  timeoutMs: 30_000,
  async handler(context, { deliveryId, eventId, once }) {
    const { delivery, event } = await readTogether(context, deliveryId, eventId);
    if (delivery === undefined) return;
    if (event === undefined) {
      context.tryFailed();
      await endUnsent(context, delivery, 'The event is not kept any more: it was erased, or is older than a month.');
      return;
    }
    if (!delivery.enabled && !delivery.replay) {
      await endUnsent(context, delivery, 'The webhook was disabled before the event could be delivered.');
      return;
    }
    const outcome = await postEvent(context, delivery, event, context.signal);
    if (outcome.delivered) return endDelivered(context, delivery, outcome);
    context.tryFailed();
    return endFailed(context, delivery, outcome, once);
  },
  afterExhausted: 'Replay the delivery: POST /v1/webhooks/deliveries/{deliveryId}/replay, or the webhooks page.',
  async exhausted(effects, { deliveryId }) {
    const delivery = (await listPending(effects.trx, [deliveryId])).get(deliveryId);
    if (delivery === undefined) return;
    const attempt = unsent(effects, 'The service could not make this delivery: its log says why.');
    write(effects, delivery, { status: 'failed', tries: delivery.tries, nextAttemptAt: null, attempt });
  },
});
