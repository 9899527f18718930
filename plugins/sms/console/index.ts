// The page of SMS in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  {
    area: 'Messages',
    path: 'sms',
    title: 'SMS',
    scopes: ['messaging.transactional.read'],
    load: async () => (await pages()).sms,
  },
];
