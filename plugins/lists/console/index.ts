// The pages of contact lists in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const ofLists = { area: 'Audience', scopes: ['lists:read'] } as const;

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofLists, path: 'lists', title: 'Lists', load: async () => (await pages()).lists },
  { ...ofLists, path: 'lists/{listId}', title: 'List', load: async () => (await pages()).list },
];
