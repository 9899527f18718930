// The pages of lead magnets in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const ofLeadMagnets = { area: 'Content', scopes: ['pages:read'] } as const;

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofLeadMagnets, path: 'lead-magnets', title: 'Lead magnets', load: async () => (await pages()).leadMagnets },
  {
    ...ofLeadMagnets,
    path: 'lead-magnets/{leadMagnetId}',
    title: 'Lead magnet',
    load: async () => (await pages()).leadMagnet,
  },
];
