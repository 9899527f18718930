import { defineOperation, type FixtureKit, idParameter, z } from '../../../core/index.ts';
import { presentDelivery } from '../present.ts';
import { deliveryResource } from '../schema.ts';
import { deliveryRows } from '../store.ts';
import { someDelivery } from './fixture-rows.ts';

/** The id of an event that has a delivery in the workspace. */
async function deliveredEvent(kit: FixtureKit, workspaceId: string): Promise<string> {
  const { id, webhookId } = await someDelivery(kit, workspaceId);
  const { data } = await kit.call('webhooks.deliveries', { id: webhookId, delivery_id: id }, workspaceId);
  return (data as { event_id: string }[])[0]?.event_id ?? '';
}

export const listEventDeliveries = defineOperation({
  id: 'webhooks.event_deliveries',
  summary: 'List the deliveries of events',
  description:
    'The deliveries of these events to all webhooks, pending ones too. Old deliveries are removed, by default after 30 days. The timeline of a send has the ids of its events.',
  http: 'GET /v1/webhook-deliveries',
  scopes: ['webhooks:manage'],
  idempotency: 'read',
  input: {
    query: z.object({
      event_ids: z
        .string()
        .max(2_000)
        .transform((text) => text.split(','))
        .pipe(z.array(idParameter('evt')).min(1).max(50))
        .describe('1 to 50 ids of events (prefix evt_), separated by commas.'),
    }),
  },
  output: z.object({ deliveries: z.array(deliveryResource) }).meta({ id: 'EventDeliveries' }),
  fixture: async (kit) => ({
    query: { event_ids: await deliveredEvent(kit, kit.workspaceId) },
    foreign: { query: { event_ids: await deliveredEvent(kit, kit.foreignWorkspaceId) } },
  }),

  async handler({ trx }, { query: { event_ids: ids } }) {
    const rows = await deliveryRows.findIn(trx, 'event_id', ids);
    return { deliveries: rows.map(presentDelivery) };
  },
});
