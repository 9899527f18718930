// Changes the working copy of a post. Called by PATCH /v1/blog/posts/{idOrSlug}.
import type { OperationContext } from '../../core/index.ts';
import { lockWorkspace, picturesIn, type RenderedText } from '../../core/unstable.ts';
import { checkPictures } from './check-pictures.ts';
import { workingHash } from './content.ts';
import { blogPostKindId } from './content-kind-id.ts';
import { distinct, type NewBlogPost } from './create-post.ts';
import { checkSlug, setTags } from './store.ts';
import { type BlogPostRow, postRows } from './tables.ts';

/** The changes; undefined fields stay unchanged. */
export type PostChanges = { readonly [K in keyof Omit<NewBlogPost, 'creationId'>]?: NewBlogPost[K] | undefined };

/**
 * The caller must have locked the row. `text`: the rendered new body, if there is one.
 * @throws slug_taken, asset_not_found, asset_invalid
 */
export async function changePost(
  ctx: OperationContext,
  row: BlogPostRow,
  changes: PostChanges,
  text: RenderedText | undefined,
): Promise<BlogPostRow> {
  const { title = row.title, slug = row.slug, body = row.body, seo = {} } = changes;
  const { coverAssetId = row.cover_asset_id, authorUid = row.author_uid, language = row.language } = changes;
  const excerpt = changes.excerpt === undefined ? row.excerpt : changes.excerpt || null;
  const tags = changes.tags === undefined ? row.tags : distinct(changes.tags);
  const pictures = text === undefined ? [] : picturesIn(text.html);
  const isNewCover = coverAssetId !== null && coverAssetId !== row.cover_asset_id;
  await checkPictures(ctx, isNewCover ? [...pictures, coverAssetId] : pictures);
  if (slug !== row.slug) {
    await lockWorkspace(ctx.trx);
    await checkSlug(ctx.trx, slug, { postId: row.id, optional: false });
  }
  const set = {
    ...{ title, slug, body, excerpt, tags, cover_asset_id: coverAssetId, author_uid: authorUid, language },
    seo: {
      title: seo.title === undefined ? row.seo.title : seo.title || null,
      description: seo.description === undefined ? row.seo.description : seo.description || null,
    },
    ...text,
  };
  const content_hash = workingHash({ ...row, ...set });
  if (content_hash === row.content_hash) return row;
  const changed = await postRows.change(ctx.trx, row, { ...set, content_hash, updated_at: ctx.now });
  if (changes.tags !== undefined) await setTags(ctx, row, tags);
  await ctx.contentChanged(blogPostKindId, [row.id]);
  return changed;
}
