// Deletes the stored contacts of a segment that is no longer watched, in small transactions.
import { defineJob, z } from '../../../core/index.ts';
import { repeatInTurns } from '../../../core/unstable.ts';
import { forgetKind } from '../watching/kinds.ts';
import { deleteStored, materialisedAfter } from '../watching/store.ts';

const batch = 1_000;

export const forgetWatchJob = defineJob({
  kind: forgetKind,
  payload: z.object({ watchId: z.string() }),
  lane: 'bulk',
  timeoutMs: 300_000,

  async handler(ctx, { watchId }) {
    const deleteSome = () =>
      ctx.checkpoint(async ({ trx }) => {
        const ids = await materialisedAfter(trx, watchId, { after: '', since: 0, limit: batch });
        await deleteStored(trx, watchId, ids);
        return ids.length === batch;
      });
    if (await repeatInTurns(ctx, deleteSome)) await ctx.complete();
  },
});
