// Rows as the API shows them.
import type { z } from '../../core/index.ts';
import { toIsoTime, toIsoTimeOrNull } from '../../core/index.ts';
import type { deliveryResource, webhookResource } from './schema.ts';
import { maskedSecret } from './secrets.ts';
import type { DeliveryAttempt, WebhookDeliveryRow, WebhookRow } from './tables.ts';

/** The patterns of a subscription. */
export const eventsOf = (row: Pick<WebhookRow, 'events'>): string[] => JSON.parse(row.events) as string[];

/** A subscription; `secret` is given where it is shown whole. */
export const presentWebhook = (
  row: WebhookRow,
  secret: string = maskedSecret(row.secret_hint),
): z.output<typeof webhookResource> => ({
  id: row.id,
  url: row.url,
  events: eventsOf(row),
  description: row.description,
  enabled: row.enabled === 1,
  secret,
  created_at: toIsoTime(row.created_at),
  updated_at: toIsoTime(row.updated_at),
  disabled_at: toIsoTimeOrNull(row.disabled_at),
  disabled_reason: row.disabled_reason,
});

export const presentDelivery = (row: WebhookDeliveryRow): z.output<typeof deliveryResource> => ({
  id: row.id,
  webhook_id: row.webhook_id,
  event_id: row.event_id,
  event_type: row.event_type,
  status: row.state,
  attempts: JSON.parse(row.attempts) as DeliveryAttempt[],
  next_attempt_at: toIsoTimeOrNull(row.next_attempt_at),
});
