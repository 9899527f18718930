// Ends the active runs of a sequence after it was archived.
import { defineJob, z } from '../../../core/index.ts';
import { openRun } from '../engine/open-run.ts';
import { breakOff } from '../engine/settle.ts';
import { activeRunsAfter } from '../store.ts';
import { hearNoMore } from '../versions.ts';
import { exitRunsKind } from './kinds.ts';

const batch = 100;

export const exitRunsJob = defineJob({
  kind: exitRunsKind,
  payload: z.object({ sequenceId: z.string() }),
  lane: 'bulk',
  timeoutMs: 600_000,

  async handler(ctx, { sequenceId }) {
    for (let more = true; more; ) {
      ctx.signal.throwIfAborted();
      more = await ctx.checkpoint(async (effects) => {
        const runs = await activeRunsAfter(effects.trx, sequenceId, '', batch);
        for (const { id } of runs) {
          const opened = await openRun(effects, id);
          if (opened !== undefined) await breakOff(opened, 'exited', 'archived');
        }
        return runs.length === batch;
      });
    }
    return ctx.complete(({ trx }) => hearNoMore(trx, sequenceId, null));
  },
});
