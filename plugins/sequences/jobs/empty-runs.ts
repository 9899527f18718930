// Clears the variables and outputs of runs that ended long ago. The history of steps stays.
import { defineJob, z } from '../../../core/index.ts';
import { emptyRuns, runsToEmpty } from '../store.ts';
import { emptyRunsKind } from './kinds.ts';

const batch = 500;

export const emptyRunsJob = defineJob({
  kind: emptyRunsKind,
  payload: z.object({ before: z.number() }),
  lane: 'bulk',

  async handler(ctx, { before }) {
    for (let more = true; more; ) {
      ctx.signal.throwIfAborted();
      more = await ctx.checkpoint(async ({ trx }) => {
        const ids = await runsToEmpty(trx, before, batch);
        await emptyRuns(trx, ids);
        return ids.length === batch;
      });
    }
    return ctx.complete();
  },
});
