import type { AssetsPluginOptions } from '../options.ts';
import { createAsset } from './create-asset.ts';
import { deleteAsset } from './delete-asset.ts';
import { listAssets } from './list-assets.ts';
import { readAsset } from './read-asset.ts';

export const operations = (options: AssetsPluginOptions) =>
  [listAssets, readAsset, createAsset(options), deleteAsset] as const;
