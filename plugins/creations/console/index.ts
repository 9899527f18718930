// The pages of creations in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { creationActions } from './actions.ts';
import { creationPage } from './creation.ts';
import { creationList, spawnAction } from './list.ts';

const ofCreations = { area: 'Content', scopes: ['campaigns:read'] } as const;

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofCreations, path: 'creations', title: 'Creations', render: creationList, actions: { spawn: spawnAction } },
  {
    ...ofCreations,
    path: 'creations/{creationId}',
    title: 'Creation',
    render: creationPage,
    actions: creationActions,
  },
];
