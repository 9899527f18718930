import { defineDelete } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { removeDeliveries } from '../jobs/remove-deliveries.ts';
import { webhookRows } from '../store.ts';
import { dropInterests, notifySubscriptionChanged } from '../subscription.ts';
import { someWebhook } from './fixture-rows.ts';

export const deleteWebhook = defineDelete({
  id: 'webhooks.delete',
  summary: 'Delete a webhook',
  description: 'Nothing more is posted there, and pending deliveries are canceled. Its deliveries are deleted, too.',
  http: 'DELETE /v1/webhooks/{id}',
  tool: { name: 'delete_webhook', destructive: true },
  scopes: ['webhooks:manage'],
  audit: { action: 'webhook.delete', kind: 'webhook' },
  rows: webhookRows,
  notFoundError: errors.webhook_not_found,
  exampleRow: someWebhook,

  async before(ctx, { id }) {
    await dropInterests(ctx.trx, id);
    await notifySubscriptionChanged(ctx);
    ctx.enqueue({ kind: removeDeliveries.kind, payload: { webhookId: id } });
  },
});
