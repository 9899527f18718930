// The pages of lead magnets in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { leadMagnetActions, leadMagnetPage } from './lead-magnet.ts';
import { createAction, findLeadMagnets, leadMagnetList } from './list.ts';

const ofLeadMagnets = { area: 'Content', scopes: ['pages:read'] } as const;

export const consolePages: readonly ConsoleEntry[] = [
  {
    ...ofLeadMagnets,
    path: 'lead-magnets',
    title: 'Lead magnets',
    render: leadMagnetList,
    find: findLeadMagnets,
    actions: { create: createAction },
  },
  {
    ...ofLeadMagnets,
    path: 'lead-magnets/{leadMagnetId}',
    title: 'Lead magnet',
    render: leadMagnetPage,
    actions: leadMagnetActions,
  },
];
