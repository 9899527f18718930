import { defineList, idParameter, timeInput, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { presentDelivery } from '../present.ts';
import { deliveryResource, deliveryStatus } from '../schema.ts';
import { deliveryRows, webhookRows } from '../store.ts';
import { deliveryOf, someDelivery } from './fixture-rows.ts';

export const listDeliveries = defineList({
  id: 'webhooks.deliveries',
  summary: "List a webhook's deliveries",
  description: 'Newest first, with every attempt. Old deliveries are removed, by default after 30 days.',
  http: 'GET /v1/webhooks/{id}/deliveries',
  tool: 'list_webhook_deliveries',
  scopes: ['webhooks:manage'],
  rows: deliveryRows,
  within: {
    rows: webhookRows,
    notFoundError: errors.webhook_not_found,
    column: 'webhook_id',
    exampleRow: async (kit, workspaceId) => (await someDelivery(kit, workspaceId)).webhookId,
  },
  item: deliveryResource,
  present: presentDelivery,
  filters: {
    delivery_id: idParameter('dlv').optional().describe('One delivery (prefix dlv_).'),
    status: deliveryStatus.optional(),
    event_type: z.string().min(1).max(200).optional().describe('The exact event name.'),
    since: timeInput.optional().describe('Of events at or after this time.'),
    until: timeInput.optional().describe('Of events before this time.'),
  },
  exampleRow: deliveryOf,
  customFilters: ['delivery_id', 'since', 'until'],
  conditions:
    ({ delivery_id: id, since, until }) =>
    (column) => [
      ...(id === undefined ? [] : [column('id', '=', id)]),
      ...(since === undefined ? [] : [column('created_at', '>=', since)]),
      ...(until === undefined ? [] : [column('created_at', '<', until)]),
    ],
  foreign: async (kit) => ({ delivery_id: (await someDelivery(kit, kit.foreignWorkspaceId)).id }),
});
