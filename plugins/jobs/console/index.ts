// The page of failed jobs in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { area: 'Developers', path: 'jobs', title: 'Jobs', scopes: ['jobs:read'], load: async () => (await pages()).jobs },
];
