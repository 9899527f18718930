// The page and its files.
import type { Gate, PublicRoute } from '../../../core/index.ts';
import { fileGate, pageRoutes } from '../../../core/index.ts';

/** The inbox as a page, for itself and with a message open. */
export const pages = (gate: Gate): PublicRoute[] =>
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
