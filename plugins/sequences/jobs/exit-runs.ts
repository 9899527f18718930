// Ends the active runs of a sequence after it was archived.
import { defineJob, z } from '../../../core/index.ts';
import { repeatInTurns } from '../../../core/unstable.ts';
import { openRun } from '../engine/open-run.ts';
import { endRunEarly } from '../engine/store-decision.ts';
import { activeRunsAfter } from '../store.ts';
import { removeInterests } from '../versions.ts';
import { exitRunsKind } from './kinds.ts';

const batch = 100;

export const exitRunsJob = defineJob({
  kind: exitRunsKind,
  payload: z.object({ sequenceId: z.string() }),
  lane: 'bulk',
  timeoutMs: 600_000,

  async handler(ctx, { sequenceId }) {
    const endSome = () =>
      ctx.checkpoint(async (tx) => {
        const runs = await activeRunsAfter(tx.trx, sequenceId, '', batch);
        for (const { id } of runs) {
          const opened = await openRun(tx, id);
          if (opened !== undefined) await endRunEarly(opened, 'exited', 'archived');
        }
        return runs.length === batch;
      });
    if (await repeatInTurns(ctx, endSome)) await ctx.complete(({ trx }) => removeInterests(trx, sequenceId, null));
  },
});
