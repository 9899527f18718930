import { setImmediate, setTimeout } from 'node:timers/promises';
import { defineJob, onSide, z } from '../../../core/index.ts';
import { repeatInTurns } from '../../../core/unstable.ts';
import { findSet, type RunRead, readSet, type SetClicks } from '../rollups/pending.ts';
import { rollUp } from '../rollups/roll-up.ts';

/**
 * The maximum number of clicks summed in one transaction. Transactions are synchronous on SQLite, so that redirects wait for
 * them.
 */
const limit = 500;
/**
 * After a batch, the job pauses four times as long as the batch took, at most `maxRestMs`, so that redirects have
 * priority.
 */
const restFactor = 4;
const maxRestMs = 1_000;

/** Adds the clicks of one side of a workspace to its sums. Queued with every batch of clicks. */
export const rollUpClicks = defineJob({
  kind: 'links.roll_up',
  payload: z.object({}),
  lane: 'bulk',
  async handler(ctx) {
    // Creating the objects of thousands of clicks takes long, so other work runs between the batches.
    const readInTurns: RunRead = async (work) => {
      await setImmediate();
      return ctx.read(({ trx }) => work(trx.onSide(ctx.sandbox)));
    };
    // If an earlier attempt began a set, its clicks are read before the transaction begins.
    const openSet = await readInTurns(findSet);
    let setClicks: SetClicks | undefined = openSet === undefined ? undefined : await readSet(readInTurns, openSet);
    // Runs in turns. A side with continuous clicks always has another set, and would otherwise keep other jobs waiting.
    await repeatInTurns(ctx, async () => {
      const startedAt = performance.now();
      const { set } = await ctx.checkpoint((tx) => rollUp(onSide(tx, ctx.sandbox), { limit, read: setClicks }));
      if (set === undefined) return false;
      await setTimeout(Math.min(restFactor * (performance.now() - startedAt), maxRestMs), undefined, {
        signal: ctx.signal,
      });
      if (setClicks?.id !== set.id) setClicks = await readSet(readInTurns, set);
      return true;
    });
  },
});
