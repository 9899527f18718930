import { setTimeout } from 'node:timers/promises';
import { defineJob, z } from '../../../core/index.ts';
import type { RolledUp } from '../rollups/roll-up.ts';
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
    for (let done: RolledUp = { count: limit, last: '' }; done.count === limit; ) {
      if (ctx.signal.aborted) throw ctx.signal.reason;
      const began = performance.now();
      const part = { from: done.last, limit };
      done = await ctx.checkpoint((effects) => rollUp({ ...effects, trx: effects.trx.onSide(ctx.sandbox) }, part));
      if (done.count === limit)
        await setTimeout(Math.min(2 * (performance.now() - began), mostRestMs), undefined, { signal: ctx.signal });
    }
  },
});
