import { decodeCursor, defineOperation, givenTime, listOf, pageQuery, toPage, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { presentDelivery } from '../present.ts';
import { deliveryResource, deliveryStatus, webhookParams } from '../schema.ts';
import { findWebhook, listDeliveries as listRows } from '../store.ts';
import { deliveryOf, someDelivery, someWebhook } from './fixture-rows.ts';

export const listDeliveries = defineOperation({
  id: 'webhooks.deliveries',
  summary: "List a webhook's deliveries",
  description: 'Newest first, with every try. Deliveries are kept for 30 days.',
  http: 'GET /v1/webhooks/{id}/deliveries',
  tool: 'list_webhook_deliveries',
  scopes: ['webhooks:manage'],
  idempotency: 'read',
  input: {
    params: webhookParams,
    query: z.object({
      ...pageQuery,
      status: deliveryStatus.optional(),
      event_type: z.string().min(1).max(200).optional().describe('The exact name of an event.'),
      since: givenTime.optional().describe('Of events that were told at or after this time.'),
      until: givenTime.optional().describe('Of events that were told before this time.'),
    }),
  },
  output: listOf(deliveryResource),
  errors: ['webhook_not_found', 'cursor_invalid'],
  fixture: async (kit) => {
    const { webhookId } = await someDelivery(kit, kit.workspaceId);
    return { params: { id: webhookId }, foreign: { id: await someWebhook(kit, kit.foreignWorkspaceId) } };
  },
  item: deliveryOf,

  async handler(ctx, { params: { id }, query: { cursor, limit, status, event_type, since, until } }) {
    if ((await findWebhook(ctx.trx, id)) === undefined) throw errors.webhook_not_found({ id });
    // A page of one subscription is no page of another.
    const list = `webhook_deliveries:${id}`;
    const filter = { state: status, eventType: event_type, since, until };
    const rows = await listRows(ctx.trx, id, filter, limit, decodeCursor(list, cursor));
    return toPage(list, rows, limit, (row) => ({ createdAt: row.created_at, id: row.id }), presentDelivery);
  },
});
