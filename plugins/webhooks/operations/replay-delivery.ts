import { defineOperation, idParameter, z } from '../../../core/index.ts';
import { queueReplay } from '../delivery/index.ts';
import { errors } from '../errors.ts';
import { presentDelivery } from '../present.ts';
import { deliveryResource } from '../schema.ts';
import { deliveryRows, webhookRows } from '../store.ts';
import { someDelivery } from './fixture-rows.ts';

export const replayDelivery = defineOperation({
  id: 'webhooks.replay',
  summary: 'Post a delivery again',
  description:
    'Sends the same bytes with a new signature, and with as many attempts as the first time. It works while the webhook is disabled, and its failures never disable the webhook. A delivery that is still pending is not replayed.',
  http: 'POST /v1/webhooks/deliveries/{deliveryId}/replay',
  tool: { name: 'replay_webhook_delivery', openWorld: true },
  scopes: ['webhooks:manage'],
  idempotency: 'replay',
  input: { params: z.object({ deliveryId: idParameter('dlv') }) },
  output: deliveryResource,
  status: 202,
  errors: ['webhook_delivery_not_found', 'state_conflict'],
  audit: { action: 'webhook.replay', target: ({ id }) => ({ kind: 'webhook_delivery', id }) },
  fixture: async (kit) => ({
    params: { deliveryId: (await someDelivery(kit, kit.workspaceId)).id },
    foreign: { deliveryId: (await someDelivery(kit, kit.foreignWorkspaceId)).id },
    errors: { state_conflict: 'unreachable here: shown in test/plugins/webhooks-delivery.test.ts' },
  }),

  async handler(ctx, { params: { deliveryId: id } }) {
    const delivery = await deliveryRows.find(ctx.trx, id);
    if (delivery === undefined || (await webhookRows.find(ctx.trx, delivery.webhook_id)) === undefined)
      throw errors.webhook_delivery_not_found({ id });
    return presentDelivery(await queueReplay(ctx, delivery));
  },
});
