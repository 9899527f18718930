import { defineMigration } from '../../../core/index.ts';

const sided = { workspace_id: 'id', sandbox: 'flag' } as const;

export const migration0001 = defineMigration({
  id: '0001-blog',
  changes: [
    {
      create: 'blog_posts',
      columns: {
        id: 'id',
        ...sided,
        slug: 'key',
        status: 'id',
        title: 'text',
        excerpt: 'text?',
        body: 'text',
        html: 'text',
        beginning: 'text',
        words: 'integer',
        seo: 'json',
        cover_asset_id: 'id?',
        tags: 'json',
        author_uid: 'key?',
        content_hash: 'key',
        version: 'integer',
        published_hash: 'key?',
        published_slug: 'key?',
        published: 'json?',
        published_body: 'text?',
        published_html: 'text?',
        published_at: 'time?',
        revised_at: 'time?',
        creation_id: 'id?',
        created_at: 'time',
        updated_at: 'time',
      },
      primaryKey: ['id'],
    },
    { index: 'blog_posts_list', on: 'blog_posts', columns: ['workspace_id', 'sandbox', 'created_at', 'id'] },
    { index: 'blog_posts_slug', on: 'blog_posts', columns: ['workspace_id', 'sandbox', 'slug'], unique: true },
    { index: 'blog_posts_public', on: 'blog_posts', columns: ['workspace_id', 'sandbox', 'published_slug'] },
    {
      index: 'blog_posts_status',
      on: 'blog_posts',
      columns: ['workspace_id', 'sandbox', 'status', 'created_at', 'id'],
    },
    {
      index: 'blog_posts_published',
      on: 'blog_posts',
      columns: ['workspace_id', 'sandbox', 'status', 'published_at', 'id'],
    },
    {
      create: 'blog_tags',
      columns: { id: 'id', ...sided, post_id: 'id', tag: 'key', created_at: 'time' },
      primaryKey: ['id'],
    },
    { index: 'blog_tags_tag', on: 'blog_tags', columns: ['workspace_id', 'sandbox', 'tag', 'post_id'] },
    { index: 'blog_tags_post', on: 'blog_tags', columns: ['workspace_id', 'sandbox', 'post_id'] },
    {
      create: 'blog_slugs',
      columns: { id: 'id', ...sided, slug: 'key', post_id: 'id', until: 'time', created_at: 'time' },
      primaryKey: ['id'],
    },
    { index: 'blog_slugs_slug', on: 'blog_slugs', columns: ['workspace_id', 'sandbox', 'slug'], unique: true },
    { index: 'blog_slugs_post', on: 'blog_slugs', columns: ['workspace_id', 'sandbox', 'post_id'] },
    { index: 'blog_slugs_until', on: 'blog_slugs', columns: ['until'] },
  ],
});
