import { defineOperation, idOf, z } from '../../../core/index.ts';
import { checkEvents } from '../check-subscription.ts';
import { queueTest } from '../delivery/index.ts';
import { errors } from '../errors.ts';
import { presentDelivery } from '../present.ts';
import { deliveryResource, eventName } from '../schema.ts';
import { webhookRows } from '../store.ts';
import { exampleEvent, firstEvent } from '../test-events.ts';
import { someWebhook } from './fixture-rows.ts';

export const testWebhook = defineOperation({
  id: 'webhooks.test',
  summary: 'Post a test event',
  description:
    'An example of the event, marked synthetic, is posted once, regardless of the subscriptions of the webhook, and even while it is disabled. Its deliveries show the result.',
  http: 'POST /v1/webhooks/test',
  tool: { name: 'test_webhook', openWorld: true },
  scopes: ['webhooks:manage'],
  idempotency: 'replay',
  input: {
    body: z.object({
      webhook_id: idOf('whk'),
      event: eventName
        .optional()
        .describe('The name of the event. (Default: the first that the webhook subscribes to)'),
    }),
  },
  output: deliveryResource,
  status: 202,
  errors: ['webhook_not_found', 'plan_required'],
  audit: { action: 'webhook.test', target: ({ webhook_id }) => ({ kind: 'webhook', id: webhook_id }) },
  fixture: async (kit) => ({
    body: { webhook_id: await someWebhook(kit, kit.workspaceId), event: 'send.bounced' },
    foreign: { body: { webhook_id: await someWebhook(kit, kit.foreignWorkspaceId) } },
    errors: { plan_required: 'unreachable here: shown in test/plugins/webhooks.test.ts' },
  }),

  async handler(ctx, { body: { webhook_id: id, event } }) {
    const webhook = await webhookRows.find(ctx.trx, id);
    if (webhook === undefined) throw errors.webhook_not_found({ id });
    if (event !== undefined) checkEvents(ctx.ports.events, ctx.workspace, [{ pattern: event, path: 'event' }]);
    const type = firstEvent(ctx.ports.events, ctx.workspace, event === undefined ? webhook.events : [event]);
    ctx.note({ event: type });
    return presentDelivery(queueTest(ctx, webhook, exampleEvent(ctx.ports, type)));
  },
});
