// Finds posts by id, by slug and by time, and stores their tags and their current and former slugs.
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
  publishedTextRows,
  slugRows,
  summaryRows,
  tagRows,
} from './tables.ts';

/** How long old slugs redirect. */
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

/** Removes a post with its tags and old slugs. */
export async function removePost(handle: WorkspaceHandle, postId: string): Promise<void> {
  await removeTags(handle, postId);
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

/**
 * The texts of these posts, by post, in order, until `most` characters are reached. The first text is always included.
 */
export async function publishedTexts(
  handle: WorkspaceHandle,
  posts: readonly BlogPostHead[],
  most: number,
): Promise<ReadonlyMap<string, TextParts>> {
  let sum = 0;
  const fit = posts.filter(({ published }, index) => {
    sum += published?.length ?? 0;
    return index === 0 || sum <= most;
  });
  const rows = await publishedTextRows.findIn(
    handle,
    'id',
    fit.map(({ id }) => id),
  );
  return new Map(rows.flatMap(({ id, published_html: html }) => (html === null ? [] : [[id, html]])));
}

/** The posts that were published in a span of time and are still public, oldest first. */
export const publishedBetween = (handle: WorkspaceHandle, span: TimeSpan): Promise<BlogPostHead[]> =>
  summaryRows.between(handle, { ...span, time: 'published_at', where: { status: 'published' } });
