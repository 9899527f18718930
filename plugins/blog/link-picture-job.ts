// Draws the link-preview picture of a post after it was published. A post with a cover has no such picture, because link previews show its
// cover.
import { defineJob, type JobContext, z } from '../../core/index.ts';
import type { DesignsService } from '../designs/service.ts';
import { linkPictureKind } from './link-picture-kind.ts';
import { recordAssetUse } from './publish-post.ts';
import { type BlogPostRow, postRows } from './tables.ts';

function draw(ctx: JobContext, { published, og_asset_id: current }: BlogPostRow) {
  const designs: DesignsService | undefined = ctx.services.designs;
  if (designs === undefined || published === null || published.coverAssetId !== null) return undefined;
  const { seo, title, excerpt, beginning } = published;
  const description = seo.description ?? excerpt ?? beginning;
  return designs.storeLinkPicture(ctx, { title: seo.title ?? title, description, brandId: null }, current);
}

export const pictureJob = defineJob({
  kind: linkPictureKind,
  payload: z.object({ postId: z.string() }),
  async handler(ctx, { postId }) {
    const post = await ctx.read(({ trx }) => postRows.find(trx, postId));
    if (post?.status !== 'published') return;
    const drawn = await draw(ctx, post);
    if (drawn === 'same') return;
    await ctx.complete(async (tx) => {
      const row = await postRows.lock(tx.trx, postId);
      // If other content was published meanwhile, another job draws its picture.
      if (row?.status !== 'published' || row.published_hash !== post.published_hash) return;
      const { assets } = ctx.services;
      if (row.og_asset_id !== null) {
        // Removing the old picture makes room for the new one.
        await recordAssetUse(tx, row, null);
        await assets.remove(tx, row.og_asset_id);
      }
      const added = drawn === undefined ? undefined : await assets.addWithinLimit(tx, drawn);
      const picture = added?.id ?? null;
      await recordAssetUse(tx, row, picture);
      await postRows.change(tx.trx, row, { og_asset_id: picture });
    });
  },
});
