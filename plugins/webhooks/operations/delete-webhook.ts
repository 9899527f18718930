import { defineDelete } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { forgetDeliveries } from '../jobs/forget-deliveries.ts';
import { webhookRows } from '../store.ts';
import { dropInterests } from '../subscription.ts';
import { someWebhook } from './fixture-rows.ts';

export const deleteWebhook = defineDelete({
  id: 'webhooks.delete',
  summary: 'Delete a webhook',
  description:
    'Nothing is posted there any more, what was still to be tried included. Its deliveries are removed, too.',
  http: 'DELETE /v1/webhooks/{id}',
  tool: { name: 'delete_webhook', destructive: true },
  scopes: ['webhooks:manage'],
  audit: { action: 'webhook.delete', kind: 'webhook' },
  rows: webhookRows,
  missing: errors.webhook_not_found,
  one: someWebhook,

  async before(ctx, { id }) {
    await dropInterests(ctx.trx, id);
    ctx.enqueue({ kind: forgetDeliveries.kind, payload: { webhookId: id } });
  },
});
