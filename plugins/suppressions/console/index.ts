// The page of suppressions in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  {
    area: 'Messages',
    path: 'suppressions',
    title: 'Suppressions',
    scopes: ['suppressions:read'],
    load: async () => (await pages()).suppressions,
  },
];
