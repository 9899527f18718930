// Clears the variables and outputs of runs that ended long ago. The history of steps stays.
import { defineJob, z } from '../../../core/index.ts';
import { repeatInTurns } from '../../../core/unstable.ts';
import { emptyRuns, runsToEmpty } from '../store.ts';
import { emptyRunsKind } from './kinds.ts';

const batch = 500;

export const emptyRunsJob = defineJob({
  kind: emptyRunsKind,
  payload: z.object({ before: z.number() }),
  lane: 'bulk',

  async handler(ctx, { before }) {
    const emptySome = () =>
      ctx.checkpoint(async ({ trx }) => {
        const ids = await runsToEmpty(trx, before, batch);
        await emptyRuns(trx, ids);
        return ids.length === batch;
      });
    if (await repeatInTurns(ctx, emptySome)) await ctx.complete();
  },
});
