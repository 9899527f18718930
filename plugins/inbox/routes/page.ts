// The page and its files.
import type { PublicRoute } from '../../../core/index.ts';
import { fileGate, pageRoutes } from '../../../core/unstable.ts';
import { gate } from '../access.ts';

/** The inbox as a page, with or without an open message. */
export const pages: PublicRoute[] = pageRoutes(
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
