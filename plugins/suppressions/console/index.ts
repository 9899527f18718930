// The page of suppressions in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { addAction, removeAction, suppressionList } from './list.ts';

export const consolePages: readonly ConsoleEntry[] = [
  {
    area: 'Messages',
    path: 'suppressions',
    title: 'Suppressions',
    scopes: ['suppressions:read'],
    render: suppressionList,
    actions: { add: addAction, remove: removeAction },
  },
];
