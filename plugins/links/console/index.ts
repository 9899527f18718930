// The pages of short links in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const ofLinks = { area: 'Content', scopes: ['links:read'] } as const;

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofLinks, path: 'links', title: 'Links', load: async () => (await pages()).links },
  { ...ofLinks, path: 'links/{linkId}', title: 'Link', load: async () => (await pages()).link },
];
