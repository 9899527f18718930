// The pictures of a post: its cover, and the pictures that its text names as `asset:asset_…`. They must be assets of
// the workspace that are ready and are pictures.
import type { ReadContext } from '../../core/index.ts';
import type { AssetRow } from '../assets/index.ts';

/** Whether the asset is a picture. */
const isPicture = ({ kind }: Pick<AssetRow, 'kind'>): boolean => kind === 'image' || kind === 'gif';

/** @throws asset_not_found, asset_invalid */
export async function checkPictures(
  { services, trx }: ReadContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AssetRow>> {
  const assets = await services.assets.findAll(trx, ids);
  for (const id of ids) {
    const asset = assets.get(id);
    if (asset === undefined) throw services.assets.notFound(id);
    if (asset.status !== 'ready') throw services.assets.invalid(`The asset ${id} is ${asset.status}, not ready.`);
    if (!isPicture(asset)) throw services.assets.invalid(`The asset ${id} is not a picture. Name a picture.`);
  }
  return assets;
}
