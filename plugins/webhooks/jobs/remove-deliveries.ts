// Removes the deliveries of a deleted subscription in batches, because there may be very many.
import { defineJob, z } from '../../../core/index.ts';
import { repeatInTurns } from '../../../core/unstable.ts';
import { deleteSomeDeliveries } from '../store.ts';

const batchSize = 500;

export const removeDeliveries = defineJob({
  kind: 'webhooks.forget_deliveries',
  payload: z.object({ webhookId: z.string() }),
  lane: 'bulk',
  timeoutMs: 600_000,
  async handler(ctx, { webhookId }) {
    await repeatInTurns(ctx, async () => {
      const deleted = await ctx.checkpoint(({ trx }) => deleteSomeDeliveries(trx, webhookId, batchSize));
      return deleted === batchSize;
    });
  },
});
