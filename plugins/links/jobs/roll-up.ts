import { setImmediate, setTimeout } from 'node:timers/promises';
import { defineJob, onSide, z } from '../../../core/index.ts';
import { findSet, type Reading, readSet, type SetClicks } from '../rollups/pending.ts';
import { rollUp } from '../rollups/roll-up.ts';

/** So many clicks are summed in one transaction, which is synchronous on SQLite: redirects wait for it. */
const limit = 500;
/** After a batch the job rests four times as long as the batch took, at most this: redirects come before sums. */
const restTimes = 4;
const maxRestMs = 1_000;

/** Adds the clicks of one side of a workspace to its sums. Queued with every batch of clicks. */
export const rollUpClicks = defineJob({
  kind: 'links.roll_up',
  payload: z.object({}),
  lane: 'bulk',
  async handler(ctx) {
    // Making objects of thousands of clicks takes long: others go on between the batches.
    const inTurns: Reading = async (work) => {
      await setImmediate();
      return ctx.read(({ trx }) => work(trx.onSide(ctx.sandbox)));
    };
    // A set that another try began is read before the transaction, too.
    const begun = await inTurns(findSet);
    let read: SetClicks | undefined = begun === undefined ? undefined : await readSet(inTurns, begun);
    for (;;) {
      if (ctx.signal.aborted) throw ctx.signal.reason;
      const began = performance.now();
      const { set } = await ctx.checkpoint((effects) => rollUp(onSide(effects, ctx.sandbox), { limit, read }));
      if (set === undefined) return;
      await setTimeout(Math.min(restTimes * (performance.now() - began), maxRestMs), undefined, {
        signal: ctx.signal,
      });
      if (read?.id !== set.id) read = await readSet(inTurns, set);
    }
  },
});
