import { decidePlanRun } from './decide-plan-run.ts';
import { listContentPlan } from './list-content-plan.ts';
import { listMarketNews } from './list-market-news.ts';
import { listPlanRuns } from './list-plan-runs.ts';
import { planWeek } from './plan-week.ts';
import { readPlanRun } from './read-plan-run.ts';
import { voteMarketNews } from './vote-market-news.ts';

export const operations = [
  listContentPlan,
  planWeek,
  listPlanRuns,
  readPlanRun,
  decidePlanRun,
  listMarketNews,
  voteMarketNews,
] as const;
