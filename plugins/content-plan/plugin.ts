// The plugin of the content plan.
import type { CallsOf } from '../../core/index.ts';
import { definePlugin, errorDefinitions } from '../../core/index.ts';
import { errors } from './errors.ts';
import { migration0002 } from './migrations/0002-market-news.ts';
import { fetchNewsJob } from './news/fetch-job.ts';
import { newsRetention, newsSchedules } from './news/schedules.ts';
import { operations } from './operations/index.ts';
import { newsSource } from './port/news-source.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    'content-plan': CallsOf<typeof operations>;
  }
}

/** What is planned, by date, and the market news that plans take up. */
export const contentPlanPlugin = () =>
  definePlugin({
    id: 'content-plan',
    requires: ['campaigns', 'social', 'templates', 'marketing', 'brand'],
    operations,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0002],
    jobs: [fetchNewsJob],
    schedules: newsSchedules,
    retention: newsRetention,
    ports: { newsSource },
  });
