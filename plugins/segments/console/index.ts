// The pages of segments in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  {
    area: 'Audience',
    path: 'segments',
    title: 'Segments',
    scopes: ['lists:read'],
    load: async () => (await pages()).segments,
  },
  {
    area: 'Audience',
    path: 'segments/new',
    title: 'New segment',
    scopes: ['lists:read', 'lists:write'],
    load: async () => (await pages()).builder,
  },
  {
    area: 'Audience',
    path: 'segments/{segmentId}',
    title: 'Segment',
    scopes: ['lists:read', 'contacts:read'],
    load: async () => (await pages()).segment,
  },
  {
    area: 'Audience',
    path: 'segments/{segmentId}/edit',
    title: 'Edit segment',
    scopes: ['lists:read', 'lists:write'],
    load: async () => (await pages()).builder,
  },
];
