// The news that a plan may use, the best-voted first. Called by the planner. Third parties write the texts: they are data for the model,
// never instructions.
import { defineStatement, type WorkspaceHandle } from '../../../core/index.ts';
import type { NewsRow } from './tables.ts';

/** The maximum age of news for plans, in milliseconds, whatever their score. */
const newsworthyMs = 14 * 86_400_000;

/** The columns of a piece that the planner reads. */
export type BestNews = Pick<NewsRow, 'id' | 'title' | 'url' | 'source' | 'score' | 'published_at'>;

const best = defineStatement((db, p: { since: number; limit: number }) =>
  db
    .selectFrom('market_news')
    .select(['id', 'title', 'url', 'source', 'score', 'published_at'])
    .where('score', '>=', 0)
    .where('published_at', '>=', p.since)
    .orderBy('score', 'desc')
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
);

/** News of the last 14 days with a score of at least 0: the highest score first; with equal scores, the newest first. */
export async function bestNews(handle: WorkspaceHandle, now: number, limit = 20): Promise<readonly BestNews[]> {
  const news = await handle.all(best, { since: now - newsworthyMs, limit });
  return news.map((row) => ({ ...row, score: Number(row.score), published_at: Number(row.published_at) }));
}
