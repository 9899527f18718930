// Turns events into deliveries: for subscriptions, replays and tests. deliver-event.ts makes the attempts.
import { coreErrors, type EventConsumer, type TransactionContext } from '../../../core/index.ts';
import { storeUndispatchedEvent } from '../../../core/unstable.ts';
import { deliveryRows } from '../store.ts';
import { consumerId } from '../subscription.ts';
import type { DeliveryRow, WebhookRow } from '../tables.ts';
import { deliverKind } from './deliver-event.ts';
import { restartDelivery } from './store.ts';

interface NewDelivery {
  readonly webhookId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** A test has one attempt, even if it fails. */
  readonly once: boolean;
}

function enqueueDelivery(
  ctx: TransactionContext,
  row: Pick<DeliveryRow, 'id' | 'webhook_id' | 'event_id'>,
  once: boolean,
): void {
  ctx.enqueue({
    kind: deliverKind,
    payload: { deliveryId: row.id, eventId: row.event_id, once },
    // One concurrency key for each receiver, so that a slow receiver delays only its own deliveries.
    concurrencyKey: row.webhook_id,
  });
}

function addDelivery(ctx: TransactionContext, { webhookId, eventId, eventType, once }: NewDelivery): DeliveryRow {
  const row: DeliveryRow = {
    id: ctx.newId('dlv'),
    sandbox: ctx.sandbox,
    webhook_id: webhookId,
    event_id: eventId,
    event_type: eventType,
    status: 'pending',
    attempts: [],
    tries: 0,
    replay: once,
    next_attempt_at: ctx.now,
    created_at: ctx.now,
  };
  deliveryRows.deferInsert(ctx.trx, row);
  enqueueDelivery(ctx, row, once);
  return row;
}

/** Queues deliveries of events for the subscriptions to them. */
export const eventConsumer: EventConsumer = {
  id: consumerId,
  countName: 'webhooks_dispatched',
  batched: true,
  dispatch(ctx, { id, type }, webhookIds) {
    for (const webhookId of webhookIds) addDelivery(ctx, { webhookId, eventId: id, eventType: type, once: false });
    return webhookIds.length;
  },
};

/** Starts a new set of attempts with the same bytes and a new signature. @throws state_conflict while the delivery is being tried */
export async function queueReplay(ctx: TransactionContext, delivery: DeliveryRow): Promise<DeliveryRow> {
  if (!(await restartDelivery(ctx.trx, delivery.id, ctx.now)))
    throw coreErrors.state_conflict({
      reason: 'The delivery is pending: it is being tried already. Replay it when it was delivered or has failed.',
    });
  enqueueDelivery(ctx, delivery, false);
  return { ...delivery, status: 'pending', tries: 0, replay: true, next_attempt_at: ctx.now };
}

/** Queues an event of the service for one subscription only, with all attempts. */
export function queueFor(
  ctx: TransactionContext,
  webhook: Pick<WebhookRow, 'id'>,
  event: { readonly type: string; readonly data: unknown; readonly subject?: string },
): DeliveryRow {
  const eventId = storeUndispatchedEvent(ctx, { ...event, source: 'service', synthetic: ctx.sandbox });
  return addDelivery(ctx, { webhookId: webhook.id, eventId, eventType: event.type, once: false });
}

/** Queues an event with this data for one subscription, with one attempt. */
export function queueTest(
  ctx: TransactionContext,
  webhook: Pick<WebhookRow, 'id'>,
  event: { readonly type: string; readonly source: 'service' | 'custom'; readonly data: unknown },
): DeliveryRow {
  const eventId = storeUndispatchedEvent(ctx, { ...event, synthetic: true });
  return addDelivery(ctx, { webhookId: webhook.id, eventId, eventType: event.type, once: true });
}
