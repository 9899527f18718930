// After a pause: makes the jobs of the steps that came due meanwhile. Later ones have theirs.
import { defineJob, z } from '../../../core/index.ts';
import { stepKind } from '../engine/settle.ts';
import { activeRunsAfter } from '../store.ts';
import { continueRunsKind } from './kinds.ts';

const batch = 500;

export const continueRunsJob = defineJob({
  kind: continueRunsKind,
  payload: z.object({ sequenceId: z.string() }),

  async handler(ctx, { sequenceId }) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      ctx.signal.throwIfAborted();
      const from: string = after;
      after = await ctx.checkpoint(async (effects) => {
        const runs = await activeRunsAfter(effects.trx, sequenceId, from, batch);
        // Without the key of the run's next step: an event may move the run meanwhile, and its job must stay. A step that
        // the run has left does nothing.
        for (const { id, revision, due_at: dueAt } of runs)
          if (dueAt !== null && dueAt <= effects.now)
            effects.enqueue({ kind: stepKind, payload: { runId: id, revision, apart: true }, runAt: dueAt });
        return runs.length < batch ? undefined : runs.at(-1)?.id;
      });
    }
    return ctx.complete();
  },
});
