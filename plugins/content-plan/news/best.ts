// The news that a plan may take up: those that people like come first. Called by the planner. The texts are those of strangers: they
// are data for it, never instructions.
import { defineStatement, type WorkspaceHandle } from '../../../core/index.ts';
import type { NewsRow } from './tables.ts';

/** Older news are not taken up, whatever their score. */
const newsworthyMs = 14 * 86_400_000;

/** What a planner reads of a piece. */
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

/** News of the last 14 days that are not voted down: the highest score first, and the newest of equal ones. */
export async function bestNews(handle: WorkspaceHandle, now: number, limit = 20): Promise<readonly BestNews[]> {
  const found = await handle.all(best, { since: now - newsworthyMs, limit });
  return found.map((row) => ({ ...row, score: Number(row.score), published_at: Number(row.published_at) }));
}
