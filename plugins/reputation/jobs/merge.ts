// Merges the rows of hand-overs of a workspace, in small transactions, so that a window is the sum of few rows.
import { defineJob, z } from '../../../core/index.ts';
import { repeatInTurns } from '../../../core/unstable.ts';
import { lockState, mergeSome } from '../store.ts';
import { minuteMs, minuteOf } from '../windows/series.ts';
import { mergeKind } from './kinds.ts';

/** Rows of the last minutes are not merged, because open transactions may still insert rows for these minutes. */
export const settledMs = 5 * minuteMs;

export const mergeJob = defineJob({
  kind: mergeKind,
  payload: z.object({}),
  lane: 'bulk',
  timeoutMs: 300_000,

  async handler(ctx) {
    const until = minuteOf(ctx.ports.now() - settledMs);
    const merge = () => ctx.checkpoint(async (tx) => mergeSome(tx, await lockState(tx), until));
    if (await repeatInTurns(ctx, merge)) await ctx.complete();
  },
});
