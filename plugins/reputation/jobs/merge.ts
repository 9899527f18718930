// Merges the rows of hand-overs of a workspace, in small transactions, so that windows are summed up from few rows.
import { defineJob, z } from '../../../core/index.ts';
import { lockState, mergeSome } from '../store.ts';
import { minuteMs, minuteOf } from '../windows/series.ts';
import { mergeKind } from './kinds.ts';

/** Rows of the last minutes are left alone: transactions that are still open may add to them. */
export const settledMs = 5 * minuteMs;

export const mergeJob = defineJob({
  kind: mergeKind,
  payload: z.object({}),
  lane: 'bulk',
  timeoutMs: 300_000,

  async handler(ctx) {
    const until = minuteOf(ctx.ports.now() - settledMs);
    for (let more = true; more; ) {
      ctx.signal.throwIfAborted();
      more = await ctx.checkpoint(async (tx) => mergeSome(tx, await lockState(tx), until));
    }
    await ctx.complete();
  },
});
