// Makes a content of a page what visitors see: the next version, its address, the assets and lists that it uses.
import type { Effects, ServiceSurface } from '../../../core/index.ts';
import { hashOf, imagesIn, listsIn } from '../content.ts';
import { findHead, moveSlug, removeOldVersions } from '../store.ts';
import { surfaceKind } from '../surface-kind.ts';
import type { PageContent, PageRow } from '../tables.ts';
import { pageRows, versionRows } from '../tables.ts';

/** What becomes public, under which slug. */
export interface Publication {
  readonly content: PageContent;
  readonly slug: string;
}

/** The assets of a page under this name. */
export const assetUser = (page: Pick<PageRow, 'id' | 'sandbox'>) => ({
  ...{ kind: 'page', id: page.id },
  // Nothing of the sandbox is public.
  isPublic: !page.sandbox,
});

/** The row is locked. Answers it as it was where nothing changes. */
export async function publishContent(
  surface: Pick<ServiceSurface, 'services'>,
  effects: Effects,
  page: PageRow,
  { content, slug }: Publication,
): Promise<PageRow> {
  const { trx, now, newId } = effects;
  const { assets } = surface.services;
  const hash = hashOf(content, slug);
  const isSame = page.version > 0 && page.published_hash === hash;
  if (isSame && page.status === 'published') return page;
  const version = isSame ? page.version : page.version + 1;
  if (!isSame) {
    const { id: page_id, sandbox } = page;
    await versionRows.insert(trx, {
      ...{ id: newId('pgv'), sandbox, page_id, version, slug, title: content.title, content },
      ...{ content_hash: hash, created_at: now },
    });
    await removeOldVersions(trx, page_id);
  }
  await moveSlug(effects, page, slug);
  const og = page.og_asset_id === null ? undefined : await assets.find(trx, page.og_asset_id);
  const shown = imagesIn(content.sections).map(({ assetId }) => assetId);
  await assets.use(effects, assetUser(page), og === undefined ? shown : [...shown, og.id]);
  const lists = listsIn(content.sections);
  const changed = await pageRows.change(trx, page, {
    ...{ status: 'published', version, published_hash: hash, published_slug: slug, published_at: now },
    ...{ list_ids: lists.length === 0 ? null : `,${lists.join(',')},`, og_asset_id: og?.id ?? null, updated_at: now },
  });
  await effects.contentChanged(surfaceKind, [page.id]);
  return changed;
}

/** Visitors no longer see the page. The row is locked. */
export async function takeOffline(
  { services }: Pick<ServiceSurface, 'services'>,
  effects: Effects,
  page: PageRow,
): Promise<PageRow> {
  await services.assets.use(effects, assetUser(page), []);
  return pageRows.change(effects.trx, page, { status: 'unpublished', list_ids: null, updated_at: effects.now });
}

/** The version that the page has public; undefined for a page that visitors do not see. */
export async function publishedVersion({ trx }: Pick<Effects, 'trx'>, pageId: string) {
  const head = await findHead(trx, pageId);
  return head?.status === 'published' ? versionRows.findBy(trx, { page_id: pageId, version: head.version }) : undefined;
}
