// Draws the link-preview picture of a page after it was published. A page that names its own picture gets none, nor
// does a page whose picture cannot be drawn.
import { defineJob, type JobContext, z } from '../../../core/index.ts';
import type { DesignsService } from '../../designs/service.ts';
import { type PageContent, type PageHead, pageRows, summaryRows, versionRows } from '../tables.ts';
import { linkPictureKind } from './link-picture-kind.ts';
import { recordAssetUse } from './publish.ts';

function draw(ctx: JobContext, { title, metadata }: PageContent, page: PageHead) {
  const designs: DesignsService | undefined = ctx.services.designs;
  if (designs === undefined || metadata.ogImageUrl !== null) return undefined;
  const shown = { title: metadata.title ?? title, description: metadata.description ?? '', brandId: page.brand_id };
  return designs.storeLinkPicture(ctx, shown, page.og_asset_id);
}

export const pictureJob = defineJob({
  kind: linkPictureKind,
  payload: z.object({ pageId: z.string() }),
  async handler(ctx, { pageId }) {
    const page = await ctx.read(({ trx }) => summaryRows.find(trx, pageId));
    if (page?.status !== 'published') return;
    const { version } = page;
    const published = await ctx.read(({ trx }) => versionRows.findBy(trx, { page_id: pageId, version }));
    if (published === undefined) return;
    const drawn = await draw(ctx, published.content, page);
    if (drawn === 'same') return;
    await ctx.complete(async (tx) => {
      const row = await pageRows.lock(tx.trx, pageId);
      // Another version has its own job.
      if (row?.status !== 'published' || row.version !== version) return;
      const { assets } = ctx.services;
      if (row.og_asset_id !== null) {
        // Removing the old picture makes room for the new one.
        await recordAssetUse(tx, row, published.content, null);
        await assets.remove(tx, row.og_asset_id);
      }
      const added = drawn === undefined ? undefined : await assets.addWithinLimit(tx, drawn);
      const picture = added?.id ?? null;
      await recordAssetUse(tx, row, published.content, picture);
      await pageRows.change(tx.trx, row, { og_asset_id: picture });
    });
  },
});
