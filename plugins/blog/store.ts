// Finds posts by id, by slug, by time and by tag, and stores their tags and their current and former slugs.
import { coreErrors, type TimeSpan, type TransactionContext, type WorkspaceHandle } from '../../core/index.ts';
import type { TextParts } from '../../core/unstable.ts';
import { errors } from './errors.ts';
import { normaliseSlug, reservedSlugs } from './slug.ts';
import {
  type BlogPostHead,
  type BlogPostRow,
  type BlogSlugRow,
  headColumns,
  postRows,
  publicTagRows,
  publishedTextRows,
  slugRows,
  summaryRows,
  tagRows,
} from './tables.ts';
import { tagSlugs } from './tags.ts';

/** The time for which old slugs redirect, in milliseconds. */
export const oldSlugMs = 400 * 86_400_000;

/** Slugs contain no underscores, so a slug never looks like an id. */
const whereOf = (idOrSlug: string) =>
  /^blog_[0-9A-HJKMNP-TV-Z]{26}$/.test(idOrSlug) ? { id: idOrSlug } : { slug: normaliseSlug(idOrSlug) };

/** Finds a post without its texts; undefined if there is none. */
export const findHead = (handle: WorkspaceHandle, idOrSlug: string): Promise<BlogPostHead | undefined> =>
  summaryRows.findBy(handle, whereOf(idOrSlug));

/** @throws blog_post_not_found */
export async function findPost(handle: WorkspaceHandle, idOrSlug: string): Promise<BlogPostRow> {
  const row = await postRows.findBy(handle, whereOf(idOrSlug));
  if (row === undefined) throw errors.blog_post_not_found({ id: idOrSlug });
  return row;
}

/** Locks the post: no other transaction changes it until this one ends. @throws blog_post_not_found */
export async function lockPost(handle: WorkspaceHandle, idOrSlug: string): Promise<BlogPostRow> {
  const row = await postRows.findBy(handle, whereOf(idOrSlug), 'update');
  if (row === undefined) throw errors.blog_post_not_found({ id: idOrSlug });
  return row;
}

/** Whether another post has the slug, in its working copy or as its public slug. */
async function isTaken(handle: WorkspaceHandle, slug: string, postId: string | undefined): Promise<boolean> {
  for (const where of [{ slug }, { published_slug: slug, status: 'published' as const }]) {
    const found = await summaryRows.findBy(handle, where);
    if (found !== undefined && found.id !== postId) return true;
  }
  return false;
}

/** Inside a transaction, the caller must have locked the workspace. @throws slug_taken */
export async function checkSlug(
  handle: WorkspaceHandle,
  slug: string,
  { postId, optional }: { readonly postId?: string; readonly optional: boolean },
): Promise<void> {
  if (await isTaken(handle, slug, postId)) throw coreErrors.slug_taken({ slug, resource: 'blog post', optional });
}

/** Returns a slug that no post has, with a number if needed. The caller must have locked the workspace. */
export async function freeSlug(handle: WorkspaceHandle, base: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? base : `${base}-${number}`;
    if (!reservedSlugs.has(slug) && !(await isTaken(handle, slug, undefined))) return slug;
  }
}

/**
 * Makes `slug` the public slug of the post. Its previous slug redirects from now on, and a redirect at `slug` is
 * removed.
 */
export async function moveSlug(
  { trx, now, newId }: TransactionContext,
  post: BlogPostRow,
  slug: string,
): Promise<void> {
  const { published_slug: before, id: post_id, sandbox } = post;
  const slugRow = await slugRows.findBy(trx, { slug });
  if (slugRow !== undefined) await slugRows.remove(trx, slugRow.id);
  if (before === null || before === slug) return;
  const until = now + oldSlugMs;
  const row: BlogSlugRow = { id: newId('bsl'), sandbox, slug: before, post_id, until, created_at: now };
  await slugRows.upsert(trx, row, ['slug'], { post_id, until });
}

/** Replaces the tags that the list's filter reads. */
export async function setTags(
  { trx, now, newId }: TransactionContext,
  post: Pick<BlogPostRow, 'id' | 'sandbox'>,
  tags: readonly string[],
): Promise<void> {
  await removeTags(trx, post.id);
  for (const tag of tags)
    await tagRows.insert(trx, { id: newId('btg'), sandbox: post.sandbox, post_id: post.id, tag, created_at: now });
}

async function removeTags(handle: WorkspaceHandle, postId: string): Promise<void> {
  for (const { id } of await tagRows.findIn(handle, 'post_id', [postId])) await tagRows.remove(handle, id);
}

/** Lists a published post on the pages of these tags, and on no other tag pages. */
export async function setPublicTags(
  { trx, now, newId }: TransactionContext,
  { id: post_id, sandbox, published_at }: Pick<BlogPostRow, 'id' | 'sandbox' | 'published_at'>,
  tags: readonly string[],
): Promise<void> {
  await removePublicTags(trx, post_id);
  const row = { post_id, sandbox, published_at: published_at ?? now, created_at: now };
  for (const slug of tagSlugs(tags)) await publicTagRows.insert(trx, { ...row, id: newId('bpt'), slug });
}

/** Removes a post from the pages of its tags. */
export async function removePublicTags(handle: WorkspaceHandle, postId: string): Promise<void> {
  for (const { id } of await publicTagRows.findIn(handle, 'post_id', [postId])) await publicTagRows.remove(handle, id);
}

/** Removes a post with its tags and old slugs. */
export async function removePost(handle: WorkspaceHandle, postId: string): Promise<void> {
  await removeTags(handle, postId);
  await removePublicTags(handle, postId);
  for (const { id } of await slugRows.findIn(handle, 'post_id', [postId])) await slugRows.remove(handle, id);
  await postRows.remove(handle, postId);
}

/** The published posts, newest first. */
export async function publishedPage(
  { db }: WorkspaceHandle,
  { limit, skip }: { readonly limit: number; readonly skip: number },
): Promise<BlogPostHead[]> {
  const rows = await db
    .selectFrom('blog_posts')
    .select([...headColumns])
    .where('status', '=', 'published')
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(skip)
    .execute();
  return rows.map((row) => summaryRows.decode(row));
}

/** The published posts with a tag, by the address of its page, newest first. */
export async function taggedPage(
  handle: WorkspaceHandle,
  slug: string,
  { limit, skip }: { readonly limit: number; readonly skip: number },
): Promise<BlogPostHead[]> {
  const places = await handle.db
    .selectFrom('blog_public_tags')
    .select('post_id')
    .where('slug', '=', slug)
    .orderBy('published_at', 'desc')
    .orderBy('post_id', 'desc')
    .limit(limit)
    .offset(skip)
    .execute();
  const ids = places.map(({ post_id: id }) => id);
  const posts = new Map((await summaryRows.findIn(handle, 'id', ids)).map((post) => [post.id, post]));
  return ids.flatMap((id) => {
    const post = posts.get(id);
    return post?.status === 'published' ? [post] : [];
  });
}

/** The number of published posts with a tag, at most `limit`. */
export const countTagged = (handle: WorkspaceHandle, slug: string, limit: number): Promise<number> =>
  publicTagRows.count(handle, { slug }, limit);

type Published = Pick<BlogPostHead, 'id' | 'published_at'>;

/** The post that was published directly before this one, or directly after it. */
async function neighbor(
  { db }: WorkspaceHandle,
  { id, published_at: at }: Published,
  side: 'before' | 'after',
): Promise<BlogPostHead | undefined> {
  const [beyond, from, order] = side === 'before' ? (['<', '<=', 'desc'] as const) : (['>', '>=', 'asc'] as const);
  const row = await db
    .selectFrom('blog_posts')
    .select([...headColumns])
    .where('status', '=', 'published')
    .where('published_at', from, at)
    .where((either) =>
      either.or([
        either('published_at', beyond, at),
        either.and([either('published_at', '=', at), either('id', beyond, id)]),
      ]),
    )
    .orderBy('published_at', order)
    .orderBy('id', order)
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : summaryRows.decode(row);
}

/** The posts that were published directly before and after this one. */
export const neighborsOf = async (handle: WorkspaceHandle, post: Published) => ({
  previous: await neighbor(handle, post, 'before'),
  next: await neighbor(handle, post, 'after'),
});

/** Related posts are chosen from this many tags of a post, and from this many of the newest posts of each tag. */
const relatedSearchLimits = { tags: 5, posts: 8 };

/** The published posts that share the most tags with this post; of equal posts, the newest. `count`: the maximum number of posts. */
export async function relatedTo(
  handle: WorkspaceHandle,
  { id, tags }: { readonly id: string; readonly tags: readonly string[] },
  count: number,
): Promise<readonly BlogPostHead[]> {
  const found = new Map<string, { readonly post: BlogPostHead; readonly shared: number }>();
  for (const slug of tagSlugs(tags).slice(0, relatedSearchLimits.tags))
    for (const post of await taggedPage(handle, slug, { limit: relatedSearchLimits.posts, skip: 0 }))
      found.set(post.id, { post, shared: (found.get(post.id)?.shared ?? 0) + 1 });
  found.delete(id);
  const byTags = [...found.values()].sort(
    (one, other) => other.shared - one.shared || (other.post.published_at ?? 0) - (one.post.published_at ?? 0),
  );
  const related = byTags.slice(0, count).map(({ post }) => post);
  if (related.length === count) return related;
  const known = new Set([id, ...related.map((post) => post.id)]);
  const recent = await publishedPage(handle, { limit: count + known.size, skip: 0 });
  return [...related, ...recent.filter((post) => !known.has(post.id))].slice(0, count);
}

/** The texts of these posts, by post, in order, until they have `maxCharacters` characters together. The first text is always included. */
export async function publishedTexts(
  handle: WorkspaceHandle,
  posts: readonly BlogPostHead[],
  maxCharacters: number,
): Promise<ReadonlyMap<string, TextParts>> {
  let sum = 0;
  const fitting = posts.filter(({ published }, index) => {
    sum += published?.length ?? 0;
    return index === 0 || sum <= maxCharacters;
  });
  const rows = await publishedTextRows.findIn(
    handle,
    'id',
    fitting.map(({ id }) => id),
  );
  return new Map(rows.flatMap(({ id, published_html: html }) => (html === null ? [] : [[id, html]])));
}

/** The posts that were published in a span of time and are still public, oldest first. */
export const publishedBetween = (handle: WorkspaceHandle, span: TimeSpan): Promise<BlogPostHead[]> =>
  summaryRows.between(handle, { ...span, time: 'published_at', where: { status: 'published' } });
