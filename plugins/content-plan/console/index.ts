// The pages of the content plan in the console: the plans of weeks, and the market news that they draw on.
import type { ConsoleEntry } from '../../../core/index.ts';

const ofPlan = { area: 'Content', scopes: ['campaigns:read'] } as const;

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofPlan, path: 'content-plan', title: 'Content plan', load: async () => (await pages()).contentPlan },
  { ...ofPlan, path: 'content-plan/{runId}', title: 'Plan of a week', load: async () => (await pages()).weekPlan },
  { ...ofPlan, path: 'market-news', title: 'Market news', load: async () => (await pages()).marketNews },
];
