// Assets: pictures, videos and documents of a workspace, in a store that the program configures.
export type { AssetsPluginOptions } from './options.ts';
export { assetsPlugin } from './plugin.ts';
export type { AssetContext, AssetsService, AssetUser, NewAsset, StoredAsset } from './service.ts';
export type { AssetKind, AssetRow, AssetSource } from './tables.ts';
