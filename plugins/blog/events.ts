import { defineEvent, z } from '../../core/index.ts';
import { type PostSummary, postSummaryObject } from './schema.ts';

const data = z.object(postSummaryObject.shape);

const example: PostSummary = {
  id: 'blog_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  slug: 'a-starter-that-survives-your-holiday',
  title: 'A starter that survives your holiday',
  excerpt: 'Three ways to keep sourdough alive for two weeks.',
  status: 'published',
  draft: false,
  version: 1,
  seo: { title: null, description: null },
  coverAssetId: 'asset_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  ogAssetId: null,
  tags: ['sourdough'],
  authorUid: 'u_ada',
  language: null,
  approval: null,
  creationId: null,
  sandbox: false,
  url: 'https://pages.acme.example/blog/a-starter-that-survives-your-holiday',
  previewUrl: 'https://pages.acme.example/blog/preview/01JD3Q5S8ZK2M4N6P8R0T2V4W6t5v2c0-c2lnbmVkIGZvciAyNCBob3U',
  createdAt: '2026-11-20T15:04:05.000Z',
  updatedAt: '2026-11-20T15:09:05.000Z',
  publishedAt: '2026-11-20T15:09:05.000Z',
};

export const events = [
  defineEvent({
    type: 'blog_post.published',
    description: 'The working copy of a blog post became what visitors see, for the first time or after changes.',
    data,
    example,
  }),
  defineEvent({
    type: 'blog_post.unpublished',
    description: 'Visitors no longer see the blog post: it was taken offline or deleted.',
    data,
    example: { ...example, status: 'unpublished', url: null },
  }),
];

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'blog_post.published': PostSummary;
    'blog_post.unpublished': PostSummary;
  }
}
