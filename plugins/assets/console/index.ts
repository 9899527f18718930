// The pages of assets in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { assetPage, deleteAsset } from './asset.ts';
import { addAction, assetList } from './list.ts';

const ofAssets = { area: 'Content', scopes: ['assets:read'] } as const;

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofAssets, path: 'assets', title: 'Assets', render: assetList, actions: { add: addAction } },
  { ...ofAssets, path: 'assets/{assetId}', title: 'Asset', render: assetPage, actions: { delete: deleteAsset } },
];
