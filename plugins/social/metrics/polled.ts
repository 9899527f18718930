// Fetches metrics at a caller's request, at most once a minute for each post. The time of the last fetch is stored with the post, so
// that the limit applies across all processes. The fetched metrics are not stored.
import type { PrepareContext } from '../../../core/index.ts';
import type { PostMetrics } from '../port/index.ts';

const minIntervalMs = 60_000;

/** The metrics of a post, by target id. */
export type PolledMetrics = ReadonlyMap<string, { readonly metrics: PostMetrics; readonly collectedAt: number }>;

/** Whether the metrics of a post may be fetched now. If so, the time is stored, and the next minute begins. */
export const beginPoll = (ctx: PrepareContext, postId: string): Promise<boolean> =>
  ctx.checkpoint(async ({ trx, now }) => {
    const { numUpdatedRows } = await trx.db
      .updateTable('social_posts')
      .set({ figures_polled_at: now })
      .where('id', '=', postId)
      .where(({ eb, or }) =>
        or([eb('figures_polled_at', 'is', null), eb('figures_polled_at', '<=', now - minIntervalMs)]),
      )
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  });
