// The page and its files.
import type { PublicRoute } from '../../../core/index.ts';
import { fileGate, type PageGate, pageRoutes } from '../../../core/unstable.ts';

/** The inbox as a page, with or without an open message. */
export const pages = (gate: PageGate): PublicRoute[] =>
  pageRoutes(
    {
      name: 'inbox',
      title: 'Inbox',
      paths: ['/', '/m/{id}'],
      description: 'The development inbox as a page.',
      load: async () => (await import('../assets.gen.ts')).assets,
    },
    gate,
    fileGate,
  );
