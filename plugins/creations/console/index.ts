// The pages of creations in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const ofCreations = { area: 'Content', scopes: ['campaigns:read'] } as const;

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofCreations, path: 'creations', title: 'Creations', load: async () => (await pages()).creations },
  { ...ofCreations, path: 'creations/{creationId}', title: 'Creation', load: async () => (await pages()).creation },
];
