// Starts the retention of the attachments that the sends of a batch share, once all sends are rendered.
import { defineJob, z } from '../../../core/index.ts';
import { listUnfinished, finishBatch as startRetention } from '../store.ts';

/** How often the job checks. The retention itself is counted in days. */
const everyMs = 86_400_000;

/** The time of the first check of a batch that is due at `at`. */
export const firstLook = (at: number): number => at + everyMs;

export const finishBatch = defineJob({
  kind: 'email.finish_batch',
  payload: z.object({ batchId: z.string(), sendIds: z.array(z.string()).min(1) }),
  lane: 'bulk',

  async handler(ctx, payload) {
    const { batchId, sendIds } = payload;
    const left = await ctx.read(({ trx }) => listUnfinished(trx, sendIds));
    await ctx.complete(async (effects) => {
      if (left.length === 0) startRetention(effects.trx, batchId, effects.now);
      else
        effects.enqueue({
          kind: 'email.finish_batch',
          payload: { batchId, sendIds: left },
          lane: 'bulk',
          runAt: firstLook(effects.now),
        });
    });
  },
  /** Tries again a day later, because otherwise the attachments would never be deleted. */
  async exhausted(effects, payload) {
    effects.enqueue({ kind: 'email.finish_batch', payload, lane: 'bulk', runAt: firstLook(effects.now) });
  },
});
