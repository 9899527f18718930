// The page of API keys in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  {
    area: 'Developers',
    path: 'keys',
    title: 'API keys',
    scopes: ['keys:read'],
    load: async () => (await pages()).apiKeys,
  },
];
