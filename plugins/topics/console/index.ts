// The page of topics in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { topicList } from './list.ts';

export const consolePages: readonly ConsoleEntry[] = [
  { area: 'Audience', path: 'topics', title: 'Topics', scopes: ['topics:read'], render: topicList },
];
