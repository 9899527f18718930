import { defineOperation, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { forgetDeliveries } from '../jobs/forget-deliveries.ts';
import { webhookParams } from '../schema.ts';
import { deleteWebhook as deleteRow } from '../store.ts';
import { dropInterests } from '../subscription.ts';
import { someWebhook } from './fixture-rows.ts';

export const deleteWebhook = defineOperation({
  id: 'webhooks.delete',
  summary: 'Delete a webhook',
  description:
    'Nothing is posted there any more, what was still to be tried included. Its deliveries are removed, too.',
  http: 'DELETE /v1/webhooks/{id}',
  tool: { name: 'delete_webhook', destructive: true },
  scopes: ['webhooks:manage'],
  idempotency: 'natural',
  input: { params: webhookParams },
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  errors: ['webhook_not_found'],
  audit: { action: 'webhook.delete', target: ({ id }) => ({ kind: 'webhook', id }) },
  fixture: async (kit) => ({
    params: { id: await someWebhook(kit, kit.workspaceId) },
    foreign: { id: await someWebhook(kit, kit.foreignWorkspaceId) },
  }),

  async handler(ctx, { params: { id } }) {
    if (!(await deleteRow(ctx.trx, id))) throw errors.webhook_not_found({ id });
    await dropInterests(ctx.trx, id);
    ctx.enqueue({ kind: forgetDeliveries.kind, payload: { webhookId: id } });
    return { id, deleted: true as const };
  },
});
