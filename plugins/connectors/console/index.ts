// The page of connectors in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  {
    area: 'Settings',
    path: 'connectors',
    title: 'Connectors',
    scopes: ['connectors:read'],
    load: async () => (await pages()).connectors,
  },
];
