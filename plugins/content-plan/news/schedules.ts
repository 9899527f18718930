// Fetches news every hour in every workspace that has a source, and removes old news.
import type { RetentionDeclaration, ScheduleDeclaration } from '../../../core/index.ts';
import { noNews } from '../port/news-source.ts';
import { fetchNewsKind } from './fetch-job.ts';

const hour = 3_600_000;

export const newsRetention = {
  market_news: {
    rows: 'Market news with its votes',
    since: 'their publication',
    default: '60 days',
    min: '1 day',
  },
} as const satisfies Readonly<Record<string, RetentionDeclaration>>;

export const newsSchedules: readonly ScheduleDeclaration[] = [
  {
    id: 'content_plan.fetch_news',
    description: 'Fetches new market news for each workspace.',
    everyMs: hour,
    async run({ ports, keptSince, eachWorkspace }) {
      const since = keptSince('market_news');
      await eachWorkspace(async ({ enqueue, workspace }) => {
        if (ports.newsSource.idOf(workspace.id) === noNews) return;
        enqueue({ kind: fetchNewsKind, key: 'market_news', payload: { since } });
      });
    },
  },
  {
    id: 'content_plan.remove_news',
    description: 'Removes old market news with its votes.',
    everyMs: 24 * hour,
    async run({ keptSince, purgeByWorkspace }) {
      await purgeByWorkspace('market_news', 'published_at', keptSince('market_news'), { market_news_votes: 'news_id' });
    },
  },
];
