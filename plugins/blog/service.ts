// `ctx.services.blog`: what other plugins ask about posts and make of them.
import type { ServiceContext, TimeSpan, TransactionContext, WorkspaceHandle } from '../../core/index.ts';
import { type RenderedText, renderText } from '../../core/unstable.ts';
import type { WritingPlace } from '../templates/index.ts';
import { createPost, type NewPost } from './create.ts';
import { errors } from './errors.ts';
import { composePrice } from './schema.ts';
import { slugMeant } from './slug.ts';
import { findHead, publishedBetween } from './store.ts';
import { headRows, type PostHead, slugRows } from './tables.ts';
import { composePost, type PostOrder } from './writing/compose.ts';
import type { WrittenPost } from './writing/embedded.ts';

/** What there is at a slug: a post that visitors see, or the slug to which one has moved. */
export type PostAtSlug = { readonly post: PostHead } | { readonly movedTo: string };

/** `ctx.services.blog`. */
export interface BlogService {
  /** What a composed post costs, in credits. */
  readonly composePrice: number;
  /** A post by its id or its slug, without its texts. */
  find(handle: WorkspaceHandle, idOrSlug: string): Promise<PostHead | undefined>;
  /** The error for an id that no post has, so that other plugins raise the same one. */
  notFound(id: string): Error;
  /** What visitors see at a slug; undefined where that is nothing. An old slug leads to the new one for 400 days. */
  atSlug(handle: WorkspaceHandle, slug: string, now: number): Promise<PostAtSlug | undefined>;
  /** The posts that visitors see, in batches: for a sitemap. */
  eachPublished(handle: WorkspaceHandle): AsyncGenerator<readonly PostHead[]>;
  /** The posts that visitors see and that were published in a span of time, the oldest first. */
  publishedBetween(handle: WorkspaceHandle, span: TimeSpan): Promise<readonly PostHead[]>;
  /**
   * Has the composer write a post, outside any transaction. It costs nothing here: who calls it charges.
   * @throws compose_failed, provider_timeout
   */
  write(place: WritingPlace, order: PostOrder): Promise<WrittenPost>;
  /** Renders a body, outside any transaction: for `createDraft`. @throws validation_failed */
  render(body: string): Promise<RenderedText>;
  /**
   * Makes a draft, as POST /v1/blog/posts does with a title and a body. `text` is its rendered body.
   * @throws slug_taken, limit_reached, asset_not_found, asset_invalid
   */
  createDraft(effects: TransactionContext, given: NewPost, text: RenderedText): Promise<PostHead>;
}

/** Makes the service, which has no state. */
export const createBlogService = (context: ServiceContext): BlogService => ({
  composePrice,
  find: findHead,
  notFound: (id) => errors.blog_post_not_found({ id }),
  async atSlug(handle, given, now) {
    const slug = slugMeant(given);
    const post = await headRows.findBy(handle, { published_slug: slug, status: 'published' });
    if (post !== undefined) return { post };
    const old = await slugRows.findBy(handle, { slug });
    if (old === undefined || old.until <= now) return undefined;
    const moved = await headRows.find(handle, old.post_id);
    return moved?.status === 'published' && moved.published_slug !== null
      ? { movedTo: moved.published_slug }
      : undefined;
  },
  eachPublished: (handle) => headRows.each(handle, { status: 'published' }),
  publishedBetween,
  write: (place, order) => composePost({ ...place, services: context.services }, order),
  render: (body) => renderText('body', body),
  createDraft: (effects, given, text) => createPost(effects, given, text),
});

declare module '../../core/contract/open.ts' {
  interface Services {
    blog: BlogService;
  }
}
