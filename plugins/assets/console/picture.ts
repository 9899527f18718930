// The picture of an asset, for pages of the console. Only a person who is signed in to the console can load it.
import type { ConsoleContext, ConsoleFile } from '../../../core/index.ts';
import type { RowPicture } from '../../../core/unstable.ts';
import { assetPicture } from '../../kit/asset-picture.ts';
import { routeNotFound, serveAsset } from '../routes/serve.ts';
import type { AssetView } from '../schema.ts';
import { assetRows } from '../tables.ts';

/** Larger pictures are not shown, because a page of the list has many. In bytes. */
const maxShownBytes = 5_000_000;

type Shown = Pick<AssetView, 'assetId' | 'status' | 'kind' | 'bytes' | 'alt' | 'name'>;

const isShown = ({ status, kind, bytes }: Shown): boolean =>
  status === 'ready' && (kind === 'image' || kind === 'gif') && (bytes ?? 0) <= maxShownBytes;

/** The picture of an asset; null if the asset is not a picture, or if its file is too large. */
export const pictureOfAsset = (
  ctx: Pick<ConsoleContext, 'link' | 'mayCall'>,
  asset: Shown,
): Extract<RowPicture, { src: string }> | null =>
  isShown(asset) ? assetPicture(ctx, asset.assetId, asset.alt === '' ? asset.name : asset.alt) : null;

/** The file of the picture. @throws asset_not_found, route_not_found for an asset that is not a picture */
export async function assetPictureFile(ctx: ConsoleContext): Promise<ConsoleFile> {
  const asset = await ctx.calls.assets.read({ assetId: ctx.params['assetId'] ?? '' });
  const { id: workspaceId } = ctx.workspace;
  return {
    async respond(route, request) {
      const row = isShown(asset)
        ? await route.read(workspaceId, ({ trx }) => assetRows.find(trx, asset.assetId))
        : undefined;
      if (row?.status !== 'ready') throw routeNotFound('/console');
      return serveAsset(route, request, workspaceId, row, 'private, no-cache');
    },
  };
}
