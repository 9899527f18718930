// The page of the reputation in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  {
    area: 'Messages',
    path: 'reputation',
    title: 'Reputation',
    scopes: ['sends:read'],
    load: async () => (await pages()).reputation,
  },
];
