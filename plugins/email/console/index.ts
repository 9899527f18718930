// The pages of sends in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const ofSends = { area: 'Messages', scopes: ['sends:read'] } as const;

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofSends, path: 'sends', title: 'Sends', load: async () => (await pages()).sends },
  { ...ofSends, path: 'sends/{sendId}', title: 'Send', load: async () => (await pages()).send },
];
