// The content plan plugin.
import { type CallsOf, definePlugin, errorDefinitions } from '../../core/index.ts';
import { consolePages } from './console/index.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { migration0001 } from './migrations/0001-plan-runs.ts';
import { migration0002 } from './migrations/0002-market-news.ts';
import { migration0003 } from './migrations/0003-left-out.ts';
import { fetchNewsJob } from './news/fetch-job.ts';
import { newsRetention, newsSchedules } from './news/schedules.ts';
import { operations } from './operations/index.ts';
import { planGate } from './planning/job.ts';
import { newsSource } from './port/news-source.ts';
import { applyRun } from './runs/apply.ts';
import { expireRuns, runRetention, runSchedules } from './runs/schedules.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    'content-plan': CallsOf<typeof operations>;
  }
}

/** Lists planned content by date, plans the posts of a week in gates with decisions, and collects market news for these plans. */
export const contentPlanPlugin = () =>
  definePlugin({
    id: 'content-plan',
    searchWords: {
      plan: ['calendar', 'upcoming', 'next', 'editorial', 'ideas', 'post'],
      news: ['headlines', 'industry', 'articles', 'trends', 'topics', 'press', 'item', 'story', 'irrelevant'],
      plan_week: ['suggest', 'propose', 'posts', 'fill'],
      decide_plan: ['suggestion', 'proposal', 'theme', 'slot', 'choose'],
      list_content_plan: ['calendar', 'schedule', 'send', 'monday'],
      plan_run: ['suggestion', 'proposal', 'suggested'],
    },
    requires: ['campaigns', 'social', 'templates', 'marketing', 'brand'],
    operations,
    console: consolePages,
    toolWorkflows: [
      {
        task: 'The posts of a week',
        tools: ['plan_week', 'read_plan_run', 'decide_plan_run'],
        note: 'Each gate waits for a decision: themes, slots, and captions if they were requested. The last approval makes holds or drafts.',
      },
    ],
    events,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001, migration0002, migration0003],
    jobs: [planGate, applyRun, expireRuns, fetchNewsJob],
    schedules: [...runSchedules, ...newsSchedules],
    retention: { ...runRetention, ...newsRetention },
    ports: { newsSource },
  });
