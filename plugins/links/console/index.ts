// The pages of short links in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { archiveAction, linkPage } from './link.ts';
import { findLinks, linkList } from './list.ts';

const ofLinks = { area: 'Content', scopes: ['links:read'] } as const;

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofLinks, path: 'links', title: 'Links', render: linkList, find: findLinks },
  {
    ...ofLinks,
    path: 'links/{linkId}',
    title: 'Link',
    render: linkPage,
    actions: { archive: archiveAction },
  },
];
