// Replaces the rows with changes of a broadcast's counts by their sums.
import { defineJob, z } from '../../../core/index.ts';
import { fold, foldKind } from '../tallies.ts';

export const foldTalliesJob = defineJob({
  kind: foldKind,
  payload: z.object({ broadcastId: z.string() }),
  lane: 'bulk',

  async handler(ctx, { broadcastId }) {
    for (let more = true; more; ) more = await ctx.checkpoint((tx) => fold(tx, broadcastId));
    return ctx.complete();
  },
});
