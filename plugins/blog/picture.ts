// Draws the link-preview picture of a post after it was published. A post with a cover gets none, because its cover is
// shown.
import { defineJob, type JobContext, z } from '../../core/index.ts';
import type { DesignsService } from '../designs/service.ts';
import { pictureKind } from './picture-kind.ts';
import { useAssets } from './publish.ts';
import { type PostRow, postRows } from './tables.ts';

function draw(ctx: JobContext, { published, og_asset_id: current }: PostRow) {
  const designs: DesignsService | undefined = ctx.services.designs;
  if (designs === undefined || published === null || published.coverAssetId !== null) return undefined;
  const { seo, title, excerpt, beginning } = published;
  const description = seo.description ?? excerpt ?? beginning;
  return designs.storeLinkPicture(ctx, { title: seo.title ?? title, description, brandId: null }, current);
}

export const pictureJob = defineJob({
  kind: pictureKind,
  payload: z.object({ postId: z.string() }),
  async handler(ctx, { postId }) {
    const post = await ctx.read(({ trx }) => postRows.find(trx, postId));
    if (post?.status !== 'published') return;
    const drawn = await draw(ctx, post);
    if (drawn === 'same') return;
    await ctx.complete(async (effects) => {
      const row = await postRows.lock(effects.trx, postId);
      // Content that was published later has its own job.
      if (row?.status !== 'published' || row.published_hash !== post.published_hash) return;
      const { assets } = ctx.services;
      if (row.og_asset_id !== null) {
        // Removing the old picture makes room for the new one.
        await useAssets(effects, row, null);
        await assets.remove(effects, row.og_asset_id);
      }
      const added = drawn === undefined ? undefined : await assets.addIfRoom(effects, drawn);
      const picture = added?.id ?? null;
      await useAssets(effects, row, picture);
      await postRows.change(effects.trx, row, { og_asset_id: picture });
    });
  },
});
