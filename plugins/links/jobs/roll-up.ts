import { setImmediate, setTimeout } from 'node:timers/promises';
import { defineJob, onSide, z } from '../../../core/index.ts';
import { findSet, type Reading, readSet, type SetClicks } from '../rollups/pending.ts';
import { rollUp } from '../rollups/roll-up.ts';

/**
 * The maximum number of clicks summed in one transaction. Transactions are synchronous on SQLite, so that redirects wait for
 * them.
 */
const limit = 500;
/**
 * After a batch the job pauses four times as long as the batch took, but at most `maxRestMs`, so that redirects take priority
 * over sums.
 */
const restTimes = 4;
const maxRestMs = 1_000;

/** Adds the clicks of one side of a workspace to its sums. Queued with every batch of clicks. */
export const rollUpClicks = defineJob({
  kind: 'links.roll_up',
  payload: z.object({}),
  lane: 'bulk',
  async handler(ctx) {
    // Creating the objects of thousands of clicks takes long, so other work runs between the batches.
    const inTurns: Reading = async (work) => {
      await setImmediate();
      return ctx.read(({ trx }) => work(trx.onSide(ctx.sandbox)));
    };
    // A set that an earlier attempt began is also read before the transaction.
    const openSet = await inTurns(findSet);
    let read: SetClicks | undefined = openSet === undefined ? undefined : await readSet(inTurns, openSet);
    for (;;) {
      if (ctx.signal.aborted) throw ctx.signal.reason;
      const began = performance.now();
      const { set } = await ctx.checkpoint((tx) => rollUp(onSide(tx, ctx.sandbox), { limit, read }));
      if (set === undefined) return;
      await setTimeout(Math.min(restTimes * (performance.now() - began), maxRestMs), undefined, {
        signal: ctx.signal,
      });
      if (read?.id !== set.id) read = await readSet(inTurns, set);
    }
  },
});
