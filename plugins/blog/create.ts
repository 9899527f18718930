// Makes a post. Called by POST /v1/blog/posts, and by other plugins through the service.
import { coreErrors, type TransactionContext } from '../../core/index.ts';
import { lockWorkspace, picturesIn, type RenderedText, slugFrom } from '../../core/unstable.ts';
import { workingHash } from './content.ts';
import { checkPictures } from './pictures.ts';
import { maxPosts } from './schema.ts';
import { checkSlug, freeSlug, setTags } from './store.ts';
import { type PostRow, postRows } from './tables.ts';

/** The input for a new post. */
export interface NewPost {
  readonly title: string;
  /** Markdown. (Default: empty) */
  readonly body?: string | undefined;
  /** (Default: derived from the title) */
  readonly slug?: string | undefined;
  readonly excerpt?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly coverAssetId?: string | null | undefined;
  readonly authorUid?: string | null | undefined;
  readonly seo?:
    | { readonly title?: string | null | undefined; readonly description?: string | null | undefined }
    | undefined;
  readonly creationId?: string | undefined;
}

/** The tags without duplicates. */
export const distinct = (tags: readonly string[]): readonly string[] => [...new Set(tags)];

/** @throws slug_taken, limit_reached, asset_not_found, asset_invalid */
export async function createPost(ctx: TransactionContext, given: NewPost, text: RenderedText): Promise<PostRow> {
  const { trx, now, sandbox, newId } = ctx;
  const { title, body = '', excerpt, coverAssetId: cover, authorUid, seo = {}, creationId } = given;
  const pictures = picturesIn(text.html);
  await checkPictures(ctx, cover === null || cover === undefined ? pictures : [...pictures, cover]);
  // The lock prevents two concurrent calls from exceeding the limit or taking the same slug.
  await lockWorkspace(trx);
  if ((await postRows.count(trx, {}, maxPosts)) === maxPosts)
    throw coreErrors.limit_reached({ limit: maxPosts, resources: 'blog posts' });
  if (given.slug !== undefined) await checkSlug(trx, given.slug, { optional: true });
  const slug = given.slug ?? (await freeSlug(trx, slugFrom(title, 'post')));
  const tags = distinct(given.tags ?? []);
  const row: PostRow = {
    ...{ id: newId('blog'), sandbox, slug, status: 'draft', title, excerpt: excerpt || null, body, ...text },
    ...{ seo: { title: seo.title || null, description: seo.description || null }, tags },
    ...{
      cover_asset_id: cover ?? null,
      og_asset_id: null,
      author_uid: authorUid ?? null,
      content_hash: '',
      version: 0,
    },
    ...{ published_hash: null, published_slug: null, published: null, published_body: null, published_html: null },
    ...{ published_at: null, revised_at: null, creation_id: creationId ?? null, created_at: now, updated_at: now },
  };
  const made = await postRows.insert(trx, { ...row, content_hash: workingHash(row) });
  await setTags(ctx, made, tags);
  return made;
}
