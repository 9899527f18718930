// Adds up the rows that record changes of a broadcast's counts, and stores the sums in place of the rows.
import { defineJob, z } from '../../../core/index.ts';
import { repeatInTurns } from '../../../core/unstable.ts';
import { fold, foldKind } from '../tallies.ts';

export const foldTalliesJob = defineJob({
  kind: foldKind,
  payload: z.object({ broadcastId: z.string() }),
  lane: 'bulk',

  async handler(ctx, { broadcastId }) {
    // In turns, because a broadcast whose counts keep changing always has more rows to fold.
    if (await repeatInTurns(ctx, () => ctx.checkpoint((tx) => fold(tx, broadcastId)))) await ctx.complete();
  },
});
