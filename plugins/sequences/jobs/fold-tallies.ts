// Replaces the tally rows of a sequence by their sums.
import { defineJob, z } from '../../../core/index.ts';
import { repeatInTurns } from '../../../core/unstable.ts';
import { fold, foldKind } from '../tallies.ts';

export const foldTalliesJob = defineJob({
  kind: foldKind,
  payload: z.object({ sequenceId: z.string() }),
  lane: 'bulk',

  async handler(ctx, { sequenceId }) {
    // Each job has a limited number of turns, because a sequence whose counts keep changing always has more rows to fold.
    if (await repeatInTurns(ctx, () => ctx.checkpoint((tx) => fold(tx, sequenceId)))) await ctx.complete();
  },
});
