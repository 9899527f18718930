import { defineEvent, z } from '../../core/index.ts';
import { type PageResource, pageResourceObject } from './schema.ts';

// Importing these types also adds their entries to the map of events.
export type { FormConfirmed, FormSubmitted } from './forms/events.ts';

const data = z.object(pageResourceObject.shape);

const example: PageResource = {
  id: 'pg_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  slug: 'sourdough-course',
  status: 'published',
  draft: false,
  version: 1,
  title: 'Bake sourdough at home',
  composeStatus: 'ready',
  editor: 'current',
  objective: 'Sign-ups for the course in March',
  ctaLabel: 'Join the course',
  vibe: 'warm, plain',
  length: 'short',
  brandId: 'brd_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  url: 'https://pages.acme.example/p/sourdough-course',
  previewUrl: 'https://pages.acme.example/p/preview/01JD3Q5S8ZK2M4N6P8R0T2V4W6t5v2c0-c2lnbmVkIGZvciAyNCBob3U',
  metadata: { title: null, description: 'A course for beginners.', ogImageUrl: null, noindex: false, language: 'en' },
  ogAssetId: null,
  sections: [{ id: 'sec_01JD3Q5S8ZK2M4N6P8R0T2V4W6', kind: 'hero', heading: 'Bake sourdough at home' }],
  progress: { phase: 'done', done: 5, total: 5 },
  error: null,
  approval: null,
  creationId: null,
  sandbox: false,
  createdAt: '2026-11-20T15:04:05.000Z',
  updatedAt: '2026-11-20T15:09:05.000Z',
  publishedAt: '2026-11-20T15:09:05.000Z',
};

const waiting = { status: 'draft' as const, draft: true, version: 0, url: null, publishedAt: null };

export const events = [
  defineEvent({
    type: 'page.ready',
    description: 'A build of a page ended, and its working copy is new.',
    data,
    example: { ...example, ...waiting },
  }),
  defineEvent({
    type: 'page.failed',
    description:
      'A build of a page failed; error contains the reason. Its credits were refunded, and the previous content is unchanged.',
    data,
    example: {
      ...{ ...example, ...waiting, composeStatus: 'failed' as const, sections: [] },
      error: 'The page could not be written: the composer gave no usable answer.',
    },
  }),
  defineEvent({
    type: 'page.published',
    description: 'A version of a page became what visitors see.',
    data,
    example,
  }),
  defineEvent({
    type: 'page.unpublished',
    description: 'Visitors no longer see the page: it was taken offline or deleted.',
    data,
    example: { ...example, status: 'unpublished', url: null },
  }),
];

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'page.ready': PageResource;
    'page.failed': PageResource;
    'page.published': PageResource;
    'page.unpublished': PageResource;
  }
}
