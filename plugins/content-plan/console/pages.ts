// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { newsList, voteAction } from './news.ts';
import { runActions, runPage } from './run.ts';
import { planAction, runList } from './runs.ts';

export const contentPlan: ConsolePageContent = { render: runList, actions: { plan: planAction } };

export const weekPlan: ConsolePageContent = { render: runPage, actions: runActions };

export const marketNews: ConsolePageContent = { render: newsList, actions: { vote: voteAction } };
