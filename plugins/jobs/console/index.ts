// The page of failed jobs in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { jobList, retryAction } from './list.ts';

export const consolePages: readonly ConsoleEntry[] = [
  {
    area: 'Developers',
    path: 'jobs',
    title: 'Jobs',
    scopes: ['jobs:read'],
    render: jobList,
    actions: { retry: retryAction },
  },
];
