import { decodeCursor, defineOperation, listOf, pageQuery, toPage, z } from '../../../core/index.ts';
import { presentWebhook } from '../present.ts';
import { webhookResource } from '../schema.ts';
import { listWebhooks as listRows } from '../store.ts';
import { someWebhook } from './fixture-rows.ts';

export const listWebhooks = defineOperation({
  id: 'webhooks.list',
  summary: 'List webhooks',
  description: 'Subscriptions, the newest first. Of a signing secret only the last four characters are shown.',
  http: 'GET /v1/webhooks',
  tool: 'list_webhooks',
  scopes: ['webhooks:manage'],
  idempotency: 'read',
  input: { query: z.object(pageQuery) },
  output: listOf(webhookResource),
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  item: someWebhook,

  async handler(ctx, { query }) {
    const rows = await listRows(ctx.trx, query.limit, decodeCursor('webhooks', query.cursor));
    return toPage(
      'webhooks',
      rows,
      query.limit,
      (row) => ({ createdAt: row.created_at, id: row.id }),
      (row) => presentWebhook(row),
    );
  },
});
