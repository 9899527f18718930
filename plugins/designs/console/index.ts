// The pages of designs in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { deleteDesign, designPage } from './design.ts';
import { designList } from './list.ts';

const ofDesigns = { area: 'Content', scopes: ['compositions:read'] } as const;

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofDesigns, path: 'designs', title: 'Designs', render: designList },
  {
    ...ofDesigns,
    path: 'designs/{compositionId}',
    title: 'Design',
    render: designPage,
    actions: { delete: deleteDesign },
  },
];
