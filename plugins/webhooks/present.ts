// Rows as the API shows them.
import { presenter } from '../../core/index.ts';
import { deliveryResource, webhookResource } from './schema.ts';
import { maskedSecret } from './secrets.ts';
import { deliveries, webhooks } from './tables.ts';

/** A subscription without its secret. Responses that show the secret in full add it. */
export const presentWebhook = presenter(webhooks, webhookResource, {
  secret: ({ secret_hint }) => maskedSecret(secret_hint),
});

export const presentDelivery = presenter(deliveries, deliveryResource);
