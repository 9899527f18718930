import { createWebhook } from './create-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listEventDeliveries } from './list-event-deliveries.ts';
import { listWebhooks } from './list-webhooks.ts';
import { readWebhook } from './read-webhook.ts';
import { replayDelivery } from './replay-delivery.ts';
import { rotateSecret } from './rotate-secret.ts';
import { testWebhook } from './test-webhook.ts';
import { updateWebhook } from './update-webhook.ts';

export const operations = [
  listWebhooks,
  readWebhook,
  createWebhook,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  listDeliveries,
  listEventDeliveries,
  replayDelivery,
  rotateSecret,
] as const;
