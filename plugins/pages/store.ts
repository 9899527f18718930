// Finds pages by id and by slug, and stores their current and former slugs and their versions.
import { coreErrors, type TimeSpan, type TransactionContext, type WorkspaceHandle } from '../../core/index.ts';
import { errors } from './errors.ts';
import { keptVersions } from './schema.ts';
import { normaliseSlug, reservedSlugs } from './slug.ts';
import {
  type PageHead,
  type PageRow,
  type PageSlugRow,
  pageRows,
  slugRows,
  summaryRows,
  versionHeads,
  versionRows,
} from './tables.ts';

/** How long old slugs redirect. */
export const oldSlugMs = 400 * 86_400_000;

/** Slugs contain no underscores, so a slug never looks like an id. */
const whereOf = (idOrSlug: string) =>
  /^pg_[0-9A-HJKMNP-TV-Z]{26}$/.test(idOrSlug) ? { id: idOrSlug } : { slug: normaliseSlug(idOrSlug) };

/** @throws page_not_found */
export async function findPage(handle: WorkspaceHandle, idOrSlug: string): Promise<PageRow> {
  const row = await pageRows.findBy(handle, whereOf(idOrSlug));
  if (row === undefined) throw errors.page_not_found({ id: idOrSlug });
  return row;
}

/** Finds a page without its large columns; undefined if there is none. */
export const findHead = (handle: WorkspaceHandle, idOrSlug: string): Promise<PageHead | undefined> =>
  summaryRows.findBy(handle, whereOf(idOrSlug));

/** The pages that were published in a span of time and are still public, oldest first. */
export const publishedBetween = (handle: WorkspaceHandle, span: TimeSpan): Promise<PageHead[]> =>
  summaryRows.between(handle, { ...span, time: 'published_at', where: { status: 'published' } });

/** Locks the page: no other transaction changes it until this one ends. @throws page_not_found */
export async function lockPage(handle: WorkspaceHandle, idOrSlug: string): Promise<PageRow> {
  const row = await pageRows.findBy(handle, whereOf(idOrSlug), 'update');
  if (row === undefined) throw errors.page_not_found({ id: idOrSlug });
  return row;
}

/** Whether another page has the slug, in its working copy or as its public slug. */
async function isTaken(handle: WorkspaceHandle, slug: string, pageId: string | undefined): Promise<boolean> {
  for (const where of [{ slug }, { published_slug: slug, status: 'published' as const }]) {
    const other = await summaryRows.findBy(handle, where);
    if (other !== undefined && other.id !== pageId) return true;
  }
  return false;
}

/** The caller must have locked the workspace. @throws slug_taken */
export async function checkSlug(
  handle: WorkspaceHandle,
  slug: string,
  { pageId, optional }: { readonly pageId?: string; readonly optional: boolean },
): Promise<void> {
  if (await isTaken(handle, slug, pageId)) throw coreErrors.slug_taken({ slug, resource: 'page', optional });
}

/** Returns a slug that no page has, with a number if needed. The caller must have locked the workspace. */
export async function freeSlug(handle: WorkspaceHandle, base: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? base : `${base}-${number}`;
    if (!reservedSlugs.has(slug) && !(await isTaken(handle, slug, undefined))) return slug;
  }
}

/**
 * Makes `slug` the public slug of the page. Its previous slug redirects from now on, and a redirect at `slug` is
 * removed.
 */
export async function moveSlug({ trx, now, newId }: TransactionContext, page: PageRow, slug: string): Promise<void> {
  const { published_slug: formerSlug, id: page_id, sandbox } = page;
  const slugRow = await slugRows.findBy(trx, { slug });
  if (slugRow !== undefined) await slugRows.remove(trx, slugRow.id);
  if (formerSlug === null || formerSlug === slug) return;
  const redirectUntil = now + oldSlugMs;
  const row: PageSlugRow = {
    id: newId('pgs'),
    sandbox,
    slug: formerSlug,
    page_id,
    until: redirectUntil,
    created_at: now,
  };
  await slugRows.upsert(trx, row, ['slug'], { page_id, until: redirectUntil });
}

/** Finds the stored version with this number. @throws page_version_not_found */
export async function findVersion(handle: WorkspaceHandle, pageId: string, version: number) {
  const row = await versionRows.findBy(handle, { page_id: pageId, version });
  if (row === undefined) throw errors.page_version_not_found({ id: pageId, version });
  return row;
}

/** Removes the oldest versions beyond the number that is kept. */
export async function removeOldVersions(handle: WorkspaceHandle, pageId: string): Promise<void> {
  const versions = await versionHeads.page(handle, { where: { page_id: pageId }, limit: keptVersions + 10 });
  for (const { id } of versions.slice(keptVersions)) await versionRows.remove(handle, id);
}

/** Removes a page with its versions and old slugs. */
export async function removePage(handle: WorkspaceHandle, pageId: string): Promise<void> {
  for await (const rows of versionHeads.each(handle, { page_id: pageId }))
    for (const { id } of rows) await versionRows.remove(handle, id);
  for (const { id } of await slugRows.findIn(handle, 'page_id', [pageId])) await slugRows.remove(handle, id);
  await pageRows.remove(handle, pageId);
}
