// The page of API keys in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { keyList } from './list.ts';

export const consolePages: readonly ConsoleEntry[] = [
  { area: 'Developers', path: 'keys', title: 'API keys', scopes: ['keys:read'], render: keyList },
];
