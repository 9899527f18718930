// Replaces the tally rows of a sequence by their sums.
import { defineJob, z } from '../../../core/index.ts';
import { fold, foldKind } from '../tallies.ts';

export const foldTalliesJob = defineJob({
  kind: foldKind,
  payload: z.object({ sequenceId: z.string() }),
  lane: 'bulk',

  async handler(ctx, { sequenceId }) {
    for (let more = true; more; ) more = await ctx.checkpoint((tx) => fold(tx, sequenceId));
    return ctx.complete();
  },
});
