// The pages of templates in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const templateArea = { area: 'Content', scopes: ['templates:read'] } as const;

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...templateArea, path: 'templates', title: 'Templates', load: async () => (await pages()).templates },
  { ...templateArea, path: 'templates/{key}', title: 'Template', load: async () => (await pages()).template },
  { ...templateArea, path: 'templates/{key}/versions', title: 'Versions', load: async () => (await pages()).versions },
  { ...templateArea, path: 'templates/{key}/preview', title: 'Preview', load: async () => (await pages()).preview },
];
