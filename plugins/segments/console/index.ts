// The pages of segments in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { segmentPage } from './segment.ts';
import { findSegments, segmentList } from './segments.ts';

export const consolePages: readonly ConsoleEntry[] = [
  {
    area: 'Audience',
    path: 'segments',
    title: 'Segments',
    scopes: ['lists:read'],
    render: segmentList,
    find: findSegments,
  },
  {
    area: 'Audience',
    path: 'segments/{segmentId}',
    title: 'Segment',
    scopes: ['lists:read', 'contacts:read'],
    render: segmentPage,
  },
];
