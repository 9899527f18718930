// The page of the reputation in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { releaseAction, reputationPage } from './reputation.ts';

export const consolePages: readonly ConsoleEntry[] = [
  {
    area: 'Messages',
    path: 'reputation',
    title: 'Reputation',
    scopes: ['sends:read'],
    render: reputationPage,
    actions: { release: releaseAction },
  },
];
