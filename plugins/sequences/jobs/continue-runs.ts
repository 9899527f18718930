// After a pause, enqueues the jobs of the steps that became due during the pause. Steps that are due later still have their jobs.
import { defineJob, z } from '../../../core/index.ts';
import { stepKind } from '../engine/store-decision.ts';
import { activeRunsAfter } from '../store.ts';
import { continueRunsKind } from './kinds.ts';

const batch = 500;

export const continueRunsJob = defineJob({
  kind: continueRunsKind,
  payload: z.object({ sequenceId: z.string() }),

  async handler(ctx, { sequenceId }) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      ctx.signal.throwIfAborted();
      const batchStart: string = after;
      after = await ctx.checkpoint(async (tx) => {
        const runs = await activeRunsAfter(tx.trx, sequenceId, batchStart, batch);
        // The job has no key. With the key of the run, it could replace the job of a later step, to which an event has just
        // moved the run. If the run has left this step, the job does nothing.
        for (const { id, revision, due_at: dueAt } of runs)
          if (dueAt !== null && dueAt <= tx.now)
            tx.enqueue({ kind: stepKind, payload: { runId: id, revision, apart: true }, runAt: dueAt });
        return runs.length < batch ? undefined : runs.at(-1)?.id;
      });
    }
    return ctx.complete();
  },
});
