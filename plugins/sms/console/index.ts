// The page of SMS in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { smsList } from './list.ts';

export const consolePages: readonly ConsoleEntry[] = [
  { area: 'Messages', path: 'sms', title: 'SMS', scopes: ['messaging.transactional.read'], render: smsList },
];
