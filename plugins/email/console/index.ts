// The pages of sends in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { findSends, sendList } from './list.ts';
import { cancelAction, sendPage } from './send.ts';

const ofSends = { area: 'Messages', scopes: ['sends:read'] } as const;

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofSends, path: 'sends', title: 'Sends', render: sendList, find: findSends },
  { ...ofSends, path: 'sends/{sendId}', title: 'Send', render: sendPage, actions: { cancel: cancelAction } },
];
