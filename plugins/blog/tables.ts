// Blog posts, their tags for the API and for visitors, and their former slugs. Each row belongs to one side of a workspace.
import {
  column,
  defineTable,
  type RowOf,
  type StoredRow,
  type TableDeclaration,
  type TenantRows,
  tenantRows,
  timestamps,
} from '../../core/index.ts';
import type { TextParts } from '../../core/unstable.ts';

export type BlogPostStatus = 'draft' | 'published' | 'unpublished';

export interface PostSeo {
  readonly title: string | null;
  readonly description: string | null;
}

/** The data that visitors see of a post besides its text. */
export interface PublishedCard {
  readonly title: string;
  /** The author's excerpt; null: the beginning of the text is shown instead. */
  readonly excerpt: string | null;
  /** The first words of the text. */
  readonly beginning: string;
  readonly seo: PostSeo;
  readonly coverAssetId: string | null;
  readonly tags: readonly string[];
  /** A BCP 47 tag; null: the language of the blog. */
  readonly language: string | null;
  readonly author: { readonly uid: string; readonly name: string } | null;
  readonly words: number;
  /** The number of characters of its text as HTML. */
  readonly length: number;
}

export const blogPosts = defineTable(
  'blog_posts',
  {
    id: column.id('blog'),
    sandbox: column.flag(),
    /** The slug of the working copy. Visitors find the post under `published_slug`. */
    slug: column.key(),
    status: column.word<BlogPostStatus>(),
    title: column.text(200),
    excerpt: column.text(500).nullable(),
    /** Markdown, and the HTML made from it. The addresses of pictures are filled in when the post is shown. */
    body: column.text(100_000),
    html: column.json<TextParts>(),
    /** The first words of the text, and its number of words. */
    beginning: column.text(300),
    words: column.integer(),
    seo: column.json<PostSeo>(),
    cover_asset_id: column.id('asset').nullable(),
    tags: column.json<readonly string[]>(),
    author_uid: column.key().nullable(),
    /** A BCP 47 tag; null: the language of the blog. */
    language: column.key().nullable(),
    /** The hash of the working copy, including its slug. */
    content_hash: column.key(),
    /** The number of times that new content was published; 0 before the first publish. */
    version: column.integer(),
    /** The content published last; null before the first publish. */
    published_hash: column.key().nullable(),
    published_slug: column.key().nullable(),
    published: column.json<PublishedCard>().nullable(),
    published_body: column.text().nullable(),
    published_html: column.json<TextParts>().nullable(),
    /** The picture for link previews, if the post has no cover. */
    og_asset_id: column.id('asset').nullable(),
    /** The time of the first publish. Later publishes do not change it. */
    published_at: column.time().nullable(),
    /** The time of the last change that visitors see. */
    revised_at: column.time().nullable(),
    creation_id: column.id('cre').nullable(),
    ...timestamps,
  },
  { sides: true },
);

/** The tags of working copies, one row each, for the list's filter. */
export const blogTags = defineTable(
  'blog_tags',
  {
    id: column.id('btg'),
    sandbox: column.flag(),
    post_id: column.id('blog'),
    tag: column.key(),
    created_at: column.time(),
  },
  { sides: true },
);

/** The tags of published posts, one row for each address of a tag's page. A post that is not published has no rows. */
export const blogPublicTags = defineTable(
  'blog_public_tags',
  {
    id: column.id('bpt'),
    sandbox: column.flag(),
    post_id: column.id('blog'),
    /** The last part of the address of the tag's page. */
    slug: column.key(),
    /** The time at which the post was first published. */
    published_at: column.time(),
    created_at: column.time(),
  },
  { sides: true },
);

/** Former slugs of published posts. They redirect for 400 days. */
export const blogSlugs = defineTable(
  'blog_slugs',
  {
    id: column.id('bsl'),
    sandbox: column.flag(),
    slug: column.key(),
    post_id: column.id('blog'),
    until: column.time(),
    created_at: column.time(),
  },
  { sides: true },
);

export interface BlogPostRow extends RowOf<typeof blogPosts> {}
export interface BlogSlugRow extends RowOf<typeof blogSlugs> {}
export interface BlogTagRow extends RowOf<typeof blogTags> {}
export interface BlogPublicTagRow extends RowOf<typeof blogPublicTags> {}

declare module '../../core/contract/open.ts' {
  interface Tables {
    blog_posts: StoredRow<typeof blogPosts>;
    blog_tags: StoredRow<typeof blogTags>;
    blog_public_tags: StoredRow<typeof blogPublicTags>;
    blog_slugs: StoredRow<typeof blogSlugs>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  blog_posts: blogPosts,
  blog_tags: blogTags,
  blog_public_tags: blogPublicTags,
  blog_slugs: blogSlugs,
};

/** The columns of a post without its texts. */
export const headColumns = [
  ...(['id', 'sandbox', 'slug', 'status', 'title', 'excerpt', 'beginning', 'words', 'seo'] as const),
  ...(['cover_asset_id', 'tags', 'author_uid', 'language', 'content_hash', 'version', 'published_hash'] as const),
  ...(['published_slug', 'published', 'og_asset_id', 'published_at', 'revised_at', 'creation_id'] as const),
  ...(['created_at', 'updated_at'] as const),
] as const;

export interface BlogPostHead extends Pick<BlogPostRow, (typeof headColumns)[number]> {}

export const postRows: TenantRows<BlogPostRow> = tenantRows(blogPosts);
export const summaryRows: TenantRows<BlogPostHead> = tenantRows(blogPosts, { columns: headColumns });
/** The texts that visitors see. */
export const publishedTextRows = tenantRows(blogPosts, { columns: ['id', 'published_html'] });
export const tagRows: TenantRows<BlogTagRow> = tenantRows(blogTags);
export const publicTagRows: TenantRows<BlogPublicTagRow> = tenantRows(blogPublicTags);
export const slugRows: TenantRows<BlogSlugRow> = tenantRows(blogSlugs);
