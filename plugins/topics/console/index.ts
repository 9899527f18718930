// The page of topics in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  {
    area: 'Audience',
    path: 'topics',
    title: 'Topics',
    scopes: ['topics:read'],
    load: async () => (await pages()).topics,
  },
];
