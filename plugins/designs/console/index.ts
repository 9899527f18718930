// The pages of designs in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const ofDesigns = { area: 'Content', scopes: ['compositions:read'] } as const;

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofDesigns, path: 'designs', title: 'Designs', load: async () => (await pages()).designs },
  { ...ofDesigns, path: 'designs/{compositionId}', title: 'Design', load: async () => (await pages()).design },
  {
    ...ofDesigns,
    path: 'designs/{compositionId}/picture',
    title: 'Picture',
    load: async () => (await pages()).picture,
  },
];
