// The pages of the content plan in the console: the plans of weeks, and the market news that they draw on.
import type { ConsoleEntry } from '../../../core/index.ts';
import { newsList, voteAction } from './news.ts';
import { runActions, runPage } from './run.ts';
import { planAction, runList } from './runs.ts';

const ofPlan = { area: 'Content', scopes: ['campaigns:read'] } as const;

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofPlan, path: 'content-plan', title: 'Content plan', render: runList, actions: { plan: planAction } },
  { ...ofPlan, path: 'content-plan/{runId}', title: 'Plan of a week', render: runPage, actions: runActions },
  { ...ofPlan, path: 'market-news', title: 'Market news', render: newsList, actions: { vote: voteAction } },
];
