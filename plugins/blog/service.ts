// `ctx.services.blog`: finds and creates posts for other plugins.
import type { ServiceContext, TimeSpan, TransactionContext, WorkspaceHandle } from '../../core/index.ts';
import { type RenderedText, renderText } from '../../core/unstable.ts';
import type { WritingContext } from '../templates/index.ts';
import { createPost, type NewBlogPost } from './create-post.ts';
import { errors } from './errors.ts';
import { composePrice } from './schema.ts';
import { normaliseSlug } from './slug.ts';
import { findHead, publishedBetween } from './store.ts';
import { type BlogPostHead, slugRows, summaryRows } from './tables.ts';
import { type BlogPostBrief, composePost } from './writing/compose.ts';
import type { WrittenPost } from './writing/embedded.ts';

/** The result for a slug: a published post, or the slug to which the post has moved. */
export type PostAtSlug = { readonly post: BlogPostHead } | { readonly movedTo: string };

/** `ctx.services.blog`. */
export interface BlogService {
  /** The price of a composed post, in credits. */
  readonly composePrice: number;
  /** Finds a post by its id or slug, without its texts. */
  find(handle: WorkspaceHandle, idOrSlug: string): Promise<BlogPostHead | undefined>;
  /** The error for an id that no post has. Other plugins throw it too. */
  notFound(id: string): Error;
  /** Finds the public post at a slug; undefined if there is none. An old slug redirects to the new one for 400 days. */
  atSlug(handle: WorkspaceHandle, slug: string, now: number): Promise<PostAtSlug | undefined>;
  /** The published posts, in batches, for a sitemap. */
  eachPublished(handle: WorkspaceHandle): AsyncGenerator<readonly BlogPostHead[]>;
  /** The posts that were published in a span of time and are still public, oldest first. */
  publishedBetween(handle: WorkspaceHandle, span: TimeSpan): Promise<readonly BlogPostHead[]>;
  /**
   * Lets the composer write a post, outside any transaction. It charges nothing: the caller charges.
   * @throws compose_failed, provider_timeout
   */
  write(context: WritingContext, order: BlogPostBrief): Promise<WrittenPost>;
  /** Renders a body for `createDraft`, outside any transaction. @throws validation_failed */
  render(body: string): Promise<RenderedText>;
  /**
   * Makes a draft, as POST /v1/blog/posts does with a title and a body. `text` is its rendered body.
   * @throws slug_taken, limit_reached, asset_not_found, asset_invalid
   */
  createDraft(ctx: TransactionContext, input: NewBlogPost, text: RenderedText): Promise<BlogPostHead>;
}

export const createBlogService = (context: ServiceContext): BlogService => ({
  composePrice,
  find: findHead,
  notFound: (id) => errors.blog_post_not_found({ id }),
  async atSlug(handle, slugInput, now) {
    const slug = normaliseSlug(slugInput);
    const post = await summaryRows.findBy(handle, { published_slug: slug, status: 'published' });
    if (post !== undefined) return { post };
    const old = await slugRows.findBy(handle, { slug });
    if (old === undefined || old.until <= now) return undefined;
    const moved = await summaryRows.find(handle, old.post_id);
    return moved?.status === 'published' && moved.published_slug !== null
      ? { movedTo: moved.published_slug }
      : undefined;
  },
  eachPublished: (handle) => summaryRows.each(handle, { status: 'published' }),
  publishedBetween,
  write: (place, order) => composePost({ ...place, services: context.services }, order),
  render: (body) => renderText('body', body),
  createDraft: (ctx, input, text) => createPost(ctx, input, text),
});

declare module '../../core/contract/open.ts' {
  interface Services {
    blog: BlogService;
  }
}
