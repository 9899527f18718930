// Publishes a content of a page: stores it as the next version, makes its slug the public slug, and records the assets and lists that
// it uses.
import type { TransactionContext, WorkspaceHandle } from '../../../core/index.ts';
import type { DesignsService } from '../../designs/service.ts';
import { hashOf, imagesIn, listsIn } from '../content.ts';
import { pageKindId } from '../content-kind-id.ts';
import type { PageText } from '../rendering/texts.ts';
import { findHead, moveSlug, removeOldVersions } from '../store.ts';
import { type PageContent, type PageRow, pageRows, versionRows } from '../tables.ts';
import { linkPictureKind } from './link-picture-kind.ts';

/** The content to publish, and its slug. */
export interface PagePublication {
  readonly content: PageContent;
  readonly texts: readonly PageText[];
  readonly slug: string;
}

/** Registers the page as a user of its assets. */
export const assetUser = (page: Pick<PageRow, 'id' | 'sandbox'>) => ({
  ...{ kind: 'page', id: page.id },
  // Sandbox pages are never public.
  isPublic: !page.sandbox,
});

/** Records the assets that the published page shows. `picture`: the id of its link picture, or null. */
export const recordAssetUse = (
  ctx: TransactionContext,
  page: Pick<PageRow, 'id' | 'sandbox'>,
  { sections }: PageContent,
  picture: string | null,
): Promise<void> => {
  const assetIds = imagesIn(sections).map(({ assetId }) => assetId);
  return ctx.services.assets.use(ctx, assetUser(page), picture === null ? assetIds : [...assetIds, picture]);
};

/** Publishes the content. The caller must have locked the row. Returns the row unchanged if nothing changes. */
export async function publishContent(
  ctx: TransactionContext,
  page: PageRow,
  { content, texts, slug }: PagePublication,
): Promise<PageRow> {
  const { trx, now, newId } = ctx;
  const hash = hashOf(content, slug);
  const isSame = page.version > 0 && page.published_hash === hash;
  if (isSame && page.status === 'published') return page;
  const version = isSame ? page.version : page.version + 1;
  if (!isSame) {
    const { id: page_id, sandbox } = page;
    await versionRows.insert(trx, {
      ...{ id: newId('pgv'), sandbox, page_id, version, slug, title: content.title, content, texts },
      ...{ content_hash: hash, created_at: now },
    });
    await removeOldVersions(trx, page_id);
  }
  await moveSlug(ctx, page, slug);
  const { og_asset_id: before } = page;
  const picture = before === null ? null : ((await ctx.services.assets.find(trx, before))?.id ?? null);
  await recordAssetUse(ctx, page, content, picture);
  const lists = listsIn(content.sections);
  const changedPage = await pageRows.change(trx, page, {
    ...{ status: 'published', version, published_hash: hash, published_slug: slug, published_at: now },
    ...{ list_ids: lists.length === 0 ? null : `,${lists.join(',')},`, og_asset_id: picture, updated_at: now },
  });
  await ctx.contentChanged(pageKindId, [page.id]);
  const designs: DesignsService | undefined = ctx.services.designs;
  if (designs !== undefined && !page.sandbox)
    ctx.enqueue({ kind: linkPictureKind, payload: { pageId: page.id }, key: page.id });
  return changedPage;
}

/** Hides the page from visitors. The caller must have locked the row. */
export async function takeOffline(ctx: TransactionContext, page: PageRow): Promise<PageRow> {
  await ctx.services.assets.use(ctx, assetUser(page), []);
  return pageRows.change(ctx.trx, page, { status: 'unpublished', list_ids: null, updated_at: ctx.now });
}

/** The public version of the page; undefined if visitors do not see the page. */
export async function publishedVersion(trx: WorkspaceHandle, pageId: string) {
  const head = await findHead(trx, pageId);
  return head?.status === 'published' ? versionRows.findBy(trx, { page_id: pageId, version: head.version }) : undefined;
}
