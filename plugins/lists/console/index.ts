// The pages of contact lists in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { listPage } from './list.ts';
import { findLists, listOverview } from './lists.ts';

const ofLists = { area: 'Audience', scopes: ['lists:read'] } as const;

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofLists, path: 'lists', title: 'Lists', render: listOverview, find: findLists },
  { ...ofLists, path: 'lists/{listId}', title: 'List', render: listPage },
];
