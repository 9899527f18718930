import { setTimeout } from 'node:timers/promises';
import { defineJob, z } from '../../../core/index.ts';
import type { PendingSet } from '../rollups/pending.ts';
import { rollUp } from '../rollups/roll-up.ts';

/** So many clicks are summed in one transaction, which is synchronous on SQLite: redirects wait for it. */
const limit = 250;
/** After a batch the job rests twice as long as the batch took, at most this: redirects come before sums. */
const mostRestMs = 1_000;

/** Adds the clicks of one side of a workspace to its sums. Queued with every batch of clicks. */
export const rollUpClicks = defineJob({
  kind: 'links.roll_up',
  payload: z.object({}),
  lane: 'bulk',
  async handler(ctx) {
    for (let known: PendingSet | undefined, left = true; left; left = known !== undefined) {
      if (ctx.signal.aborted) throw ctx.signal.reason;
      const began = performance.now();
      const part = { limit, known };
      ({ set: known } = await ctx.checkpoint((effects) =>
        rollUp({ ...effects, trx: effects.trx.onSide(ctx.sandbox) }, part),
      ));
      if (known !== undefined)
        await setTimeout(Math.min(2 * (performance.now() - began), mostRestMs), undefined, { signal: ctx.signal });
    }
  },
});
