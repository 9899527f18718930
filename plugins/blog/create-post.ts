// Creates a post. Called by POST /v1/blog/posts, and by other plugins through the service.
import { coreErrors, type TransactionContext } from '../../core/index.ts';
import { lockWorkspace, picturesIn, type RenderedText, slugFrom } from '../../core/unstable.ts';
import { checkPictures } from './check-pictures.ts';
import { workingHash } from './content.ts';
import { maxPosts } from './schema.ts';
import { checkSlug, freeSlug, setTags } from './store.ts';
import { type BlogPostRow, postRows } from './tables.ts';

/** The input for a new post. */
export interface NewBlogPost {
  readonly title: string;
  /** Markdown. (Default: empty) */
  readonly body?: string | undefined;
  /** (Default: derived from the title) */
  readonly slug?: string | undefined;
  readonly excerpt?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly coverAssetId?: string | null | undefined;
  readonly authorUid?: string | null | undefined;
  /** A BCP 47 tag. (Default: the language of the blog) */
  readonly language?: string | null | undefined;
  readonly seo?:
    | { readonly title?: string | null | undefined; readonly description?: string | null | undefined }
    | undefined;
  readonly creationId?: string | undefined;
}

/** The tags without duplicates. */
export const distinct = (tags: readonly string[]): readonly string[] => [...new Set(tags)];

/** @throws slug_taken, limit_reached, asset_not_found, asset_invalid */
export async function createPost(
  ctx: TransactionContext,
  input: NewBlogPost,
  text: RenderedText,
): Promise<BlogPostRow> {
  const { trx, now, sandbox, newId } = ctx;
  const { title, body = '', excerpt, coverAssetId: cover, authorUid, seo = {}, creationId } = input;
  const pictures = picturesIn(text.html);
  await checkPictures(ctx, cover === null || cover === undefined ? pictures : [...pictures, cover]);
  // The lock prevents two concurrent calls from exceeding the limit or taking the same slug.
  await lockWorkspace(trx);
  if ((await postRows.count(trx, {}, maxPosts)) === maxPosts)
    throw coreErrors.limit_reached({ limit: maxPosts, resources: 'blog posts' });
  if (input.slug !== undefined) await checkSlug(trx, input.slug, { optional: true });
  const slug = input.slug ?? (await freeSlug(trx, slugFrom(title, 'post')));
  const tags = distinct(input.tags ?? []);
  const row: BlogPostRow = {
    ...{ id: newId('blog'), sandbox, slug, status: 'draft', title, excerpt: excerpt || null, body, ...text },
    ...{ seo: { title: seo.title || null, description: seo.description || null }, tags },
    ...{
      cover_asset_id: cover ?? null,
      og_asset_id: null,
      author_uid: authorUid ?? null,
      language: input.language ?? null,
      content_hash: '',
      version: 0,
    },
    ...{ published_hash: null, published_slug: null, published: null, published_body: null, published_html: null },
    ...{ published_at: null, revised_at: null, creation_id: creationId ?? null, created_at: now, updated_at: now },
  };
  const inserted = await postRows.insert(trx, { ...row, content_hash: workingHash(row) });
  await setTags(ctx, inserted, tags);
  return inserted;
}
