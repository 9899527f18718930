// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { assetPage, deleteAsset } from './asset.ts';
import { addAction, assetList, findAssets } from './list.ts';
import { assetPictureFile } from './picture.ts';

export const assets: ConsolePageContent = { render: assetList, find: findAssets, actions: { add: addAction } };

export const asset: ConsolePageContent = { render: assetPage, actions: { delete: deleteAsset } };

export const picture: ConsolePageContent = { render: assetPictureFile };
