// Draws the link-preview picture of a page after it was published. A page with a picture of its own gets none. If the
// picture cannot be drawn, the page has none.
import { defineJob, type JobContext, z } from '../../../core/index.ts';
import type { DesignsService } from '../../designs/service.ts';
import { type PageContent, type PageHead, pageRows, summaryRows, versionRows } from '../tables.ts';
import { linkPictureKind } from './link-picture-kind.ts';
import { recordAssetUse } from './publish.ts';

function draw(ctx: JobContext, { title, metadata }: PageContent, page: PageHead) {
  const designs: DesignsService | undefined = ctx.services.designs;
  if (designs === undefined || metadata.ogImageUrl !== null) return undefined;
  const input = { title: metadata.title ?? title, description: metadata.description ?? '', brandId: page.brand_id };
  return designs.storeLinkPicture(ctx, input, page.og_asset_id);
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
    const newPicture = await draw(ctx, published.content, page);
    if (newPicture === 'same') return;
    await ctx.complete(async (tx) => {
      const row = await pageRows.lock(tx.trx, pageId);
      // If another version was published meanwhile, its own job draws the picture.
      if (row?.status !== 'published' || row.version !== version) return;
      const { assets } = ctx.services;
      if (row.og_asset_id !== null) {
        // Removing the old picture makes room for the new one.
        await recordAssetUse(tx, row, published.content, null);
        await assets.remove(tx, row.og_asset_id);
      }
      const asset = newPicture === undefined ? undefined : await assets.addWithinLimit(tx, newPicture);
      const picture = asset?.id ?? null;
      await recordAssetUse(tx, row, published.content, picture);
      await pageRows.change(tx.trx, row, { og_asset_id: picture });
    });
  },
});
