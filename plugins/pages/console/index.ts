// The pages of landing pages in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const ofPages = { area: 'Content', scopes: ['pages:read'] } as const;
const one = 'pages/{pageId}';

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofPages, path: 'pages', title: 'Pages', load: async () => (await pages()).pages },
  { ...ofPages, path: one, title: 'Page', load: async () => (await pages()).page },
  { ...ofPages, path: `${one}/versions`, title: 'Versions', load: async () => (await pages()).versions },
  {
    ...ofPages,
    path: `${one}/submissions`,
    title: 'Form submissions',
    load: async () => (await pages()).formSubmissions,
  },
  { ...ofPages, path: `${one}/submissions/csv`, title: 'CSV', load: async () => (await pages()).csv },
];
