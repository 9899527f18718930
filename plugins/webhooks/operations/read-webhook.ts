import { defineOperation } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { presentWebhook } from '../present.ts';
import { webhookParams, webhookResource } from '../schema.ts';
import { findWebhook } from '../store.ts';
import { someWebhook } from './fixture-rows.ts';

export const readWebhook = defineOperation({
  id: 'webhooks.read',
  summary: 'Read a webhook',
  description: 'Of its signing secret only the last four characters are shown.',
  http: 'GET /v1/webhooks/{id}',
  tool: 'read_webhook',
  scopes: ['webhooks:manage'],
  idempotency: 'read',
  input: { params: webhookParams },
  output: webhookResource,
  errors: ['webhook_not_found'],
  fixture: async (kit) => ({
    params: { id: await someWebhook(kit, kit.workspaceId) },
    foreign: { id: await someWebhook(kit, kit.foreignWorkspaceId) },
  }),

  async handler(ctx, { params: { id } }) {
    const row = await findWebhook(ctx.trx, id);
    if (row === undefined) throw errors.webhook_not_found({ id });
    return presentWebhook(row);
  },
});
