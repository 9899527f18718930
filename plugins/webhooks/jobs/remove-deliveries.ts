// Removes the deliveries of a deleted subscription in batches, because there may be very many.
import { defineJob, z } from '../../../core/index.ts';
import { deleteSomeDeliveries } from '../store.ts';

const atOnce = 500;

export const removeDeliveries = defineJob({
  kind: 'webhooks.forget_deliveries',
  payload: z.object({ webhookId: z.string() }),
  lane: 'bulk',
  timeoutMs: 600_000,
  async handler(ctx, { webhookId }) {
    let gone = atOnce;
    while (gone === atOnce) {
      ctx.signal.throwIfAborted();
      gone = await ctx.checkpoint(({ trx }) => deleteSomeDeliveries(trx, webhookId, atOnce));
    }
  },
});
