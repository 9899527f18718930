// How events become deliveries: those of subscriptions, replays, tests. The tries are deliver-event.ts.
import type { Effects, EventConsumer } from '../../../core/index.ts';
import { coreErrors } from '../../../core/index.ts';
import { keepEvent } from '../../../core/unstable.ts';
import { consumerId } from '../subscription.ts';
import type { WebhookDeliveryRow, WebhookRow } from '../tables.ts';
import { deliverKind } from './deliver-event.ts';
import { addDelivery, restartDelivery } from './store.ts';

interface Delivered {
  readonly webhookId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** A test: one try, whatever comes of it. */
  readonly once: boolean;
}

function queue(effects: Effects, row: Pick<WebhookDeliveryRow, 'id' | 'webhook_id' | 'event_id'>, once: boolean): void {
  effects.enqueue({
    kind: deliverKind,
    payload: { deliveryId: row.id, eventId: row.event_id, once },
    // A receiver's deliveries wait for each other, and for no other receiver's.
    concurrencyKey: row.webhook_id,
  });
}

function add(effects: Effects, { webhookId, eventId, eventType, once }: Delivered): WebhookDeliveryRow {
  const row: WebhookDeliveryRow = {
    id: effects.newId('dlv'),
    workspace_id: effects.workspace.id,
    webhook_id: webhookId,
    event_id: eventId,
    event_type: eventType,
    state: 'pending',
    attempts: '[]',
    tries: 0,
    replay: once ? 1 : 0,
    next_attempt_at: effects.now,
    created_at: effects.now,
  };
  addDelivery(effects.trx, row);
  queue(effects, row, once);
  return row;
}

/** Hands events to the subscriptions that want them. */
export const eventConsumer: EventConsumer = {
  id: consumerId,
  figure: 'webhooks_dispatched',
  batched: true,
  dispatch(effects, { id, type }, webhookIds) {
    for (const webhookId of webhookIds) add(effects, { webhookId, eventId: id, eventType: type, once: false });
    return webhookIds.length;
  },
};

/** A new set of tries for the same bytes, signed anew. @throws state_conflict while the delivery is being tried */
export async function queueReplay(effects: Effects, delivery: WebhookDeliveryRow): Promise<WebhookDeliveryRow> {
  if (!(await restartDelivery(effects.trx, delivery.id, effects.now)))
    throw coreErrors.state_conflict({
      reason: 'The delivery is pending: it is being tried already. Replay it when it was delivered or has failed.',
    });
  queue(effects, delivery, false);
  return { ...delivery, state: 'pending', tries: 0, replay: 1, next_attempt_at: effects.now };
}

/** An event with this data for one subscription, tried once. */
export function queueTest(
  effects: Effects,
  webhook: Pick<WebhookRow, 'id'>,
  event: { readonly type: string; readonly source: 'service' | 'custom'; readonly data: unknown },
): WebhookDeliveryRow {
  const eventId = keepEvent(effects, event);
  return add(effects, { webhookId: webhook.id, eventId, eventType: event.type, once: true });
}
