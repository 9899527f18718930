// Starts the retention of the attachments that the sends of a batch share, once all sends are rendered.
import { defineJob, z } from '../../../core/index.ts';
import { listUnfinished, finishBatch as startRetention } from '../store.ts';

/** The interval of the checks, in milliseconds. The retention itself is counted in days. */
const everyMs = 86_400_000;

/** The time of the next check of a batch, after `at`. */
export const firstCheckAt = (at: number): number => at + everyMs;

export const finishBatch = defineJob({
  kind: 'email.finish_batch',
  payload: z.object({ batchId: z.string(), sendIds: z.array(z.string()).min(1) }),
  lane: 'bulk',

  async handler(ctx, payload) {
    const { batchId, sendIds } = payload;
    const unfinished = await ctx.read(({ trx }) => listUnfinished(trx, sendIds));
    await ctx.complete(async (tx) => {
      if (unfinished.length === 0) startRetention(tx.trx, batchId, tx.now);
      else
        tx.enqueue({
          kind: 'email.finish_batch',
          payload: { batchId, sendIds: unfinished },
          lane: 'bulk',
          runAt: firstCheckAt(tx.now),
        });
    });
  },
  /** Tries again a day later, because otherwise the attachments would never be deleted. */
  async exhausted(ctx, payload) {
    ctx.enqueue({ kind: 'email.finish_batch', payload, lane: 'bulk', runAt: firstCheckAt(ctx.now) });
  },
});
