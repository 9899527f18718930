// Publishes the working copy of a post, and takes a post offline.
import type { TransactionContext } from '../../core/index.ts';
import { lengthOf, picturesIn } from '../../core/unstable.ts';
import type { DesignsService } from '../designs/service.ts';
import type { Author } from './authors.ts';
import { blogPostKindId } from './content-kind-id.ts';
import { linkPictureKind } from './link-picture-kind.ts';
import { moveSlug, removePublicTags, setPublicTags } from './store.ts';
import { type BlogPostRow, postRows } from './tables.ts';

/** The post as a user of its assets. */
const assetUser = ({ id, sandbox }: Pick<BlogPostRow, 'id' | 'sandbox'>) => ({
  ...{ kind: 'blog_post', id },
  // Sandbox posts are never public.
  isPublic: !sandbox,
});

/**
 * The author to name, with the current name in the directory. For an author who has left, the name from the previous
 * publish.
 */
function authorOf({ author_uid: uid, published }: BlogPostRow, directoryMember: Author | undefined): Author | null {
  if (uid === null) return null;
  if (directoryMember?.uid === uid) return directoryMember;
  return published?.author?.uid === uid ? published.author : null;
}

/** Records the pictures that the published post shows. `picture`: the id of its link picture, or null. */
export const recordAssetUse = (
  ctx: TransactionContext,
  post: Pick<BlogPostRow, 'id' | 'sandbox' | 'published' | 'published_html'>,
  picture: string | null,
): Promise<void> => {
  const cover = post.published?.coverAssetId ?? null;
  const otherPictures = [cover, picture].filter((id) => id !== null);
  return ctx.services.assets.use(ctx, assetUser(post), [...picturesIn(post.published_html ?? []), ...otherPictures]);
};

/**
 * The caller must have locked the row. Returns the row unchanged if nothing changes.
 * @throws asset_not_found, asset_invalid
 */
export async function publishPost(
  ctx: TransactionContext,
  post: BlogPostRow,
  directoryMember: Author | undefined,
): Promise<BlogPostRow> {
  const { trx, now } = ctx;
  const author = authorOf(post, directoryMember);
  const isNew = post.published_hash !== post.content_hash;
  const isRenamed = post.published?.author?.name !== author?.name;
  if (!isNew && !isRenamed && post.status === 'published') return post;
  const { title, excerpt, beginning, seo, cover_asset_id: coverAssetId, tags, language, words } = post;
  await moveSlug(ctx, post, post.slug);
  const { og_asset_id: before } = post;
  const picture = before === null ? null : ((await ctx.services.assets.find(trx, before))?.id ?? null);
  const changed = await postRows.change(trx, post, {
    og_asset_id: picture,
    ...{ status: 'published', version: isNew ? post.version + 1 : post.version, published_hash: post.content_hash },
    ...{ published_slug: post.slug, published_body: post.body, published_html: post.html },
    published: {
      ...{ title, excerpt, beginning, seo, coverAssetId, tags, language, author, words },
      length: lengthOf(post.html),
    },
    ...{ published_at: post.published_at ?? now, revised_at: isNew ? now : post.revised_at, updated_at: now },
  });
  await recordAssetUse(ctx, changed, picture);
  await setPublicTags(ctx, changed, tags);
  await ctx.contentChanged(blogPostKindId, [post.id]);
  const designs: DesignsService | undefined = ctx.services.designs;
  if (designs !== undefined && !post.sandbox)
    ctx.enqueue({ kind: linkPictureKind, payload: { postId: post.id }, key: post.id });
  return changed;
}

/** Hides the post from visitors. The caller must have locked the row. */
export async function takeOffline(ctx: TransactionContext, post: BlogPostRow): Promise<BlogPostRow> {
  await ctx.services.assets.use(ctx, assetUser(post), []);
  await removePublicTags(ctx.trx, post.id);
  return postRows.change(ctx.trx, post, { status: 'unpublished', updated_at: ctx.now });
}
