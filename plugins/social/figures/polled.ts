// Figures that a caller asked for now. The minute in which a post is asked for once stands with the post, so that it holds over all
// processes; what the networks answer is not stored.
import type { PrepareContext } from '../../../core/index.ts';
import type { PostFigures } from '../port/index.ts';

const freshMs = 60_000;

/** Figures of a post by target. */
export type PolledFigures = ReadonlyMap<string, { readonly figures: PostFigures; readonly collectedAt: number }>;

/** Whether the networks may be asked for a post now. Answering yes begins the minute. */
export const beginPoll = (ctx: PrepareContext, postId: string): Promise<boolean> =>
  ctx.checkpoint(async ({ trx, now }) => {
    const { numUpdatedRows } = await trx.db
      .updateTable('social_posts')
      .set({ figures_polled_at: now })
      .where('id', '=', postId)
      .where(({ eb, or }) => or([eb('figures_polled_at', 'is', null), eb('figures_polled_at', '<=', now - freshMs)]))
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  });
