// The pages of assets in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const ofAssets = { area: 'Content', scopes: ['assets:read'] } as const;

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofAssets, path: 'assets', title: 'Assets', load: async () => (await pages()).assets },
  { ...ofAssets, path: 'assets/{assetId}', title: 'Asset', load: async () => (await pages()).asset },
  { ...ofAssets, path: 'assets/{assetId}/picture', title: 'Picture', load: async () => (await pages()).picture },
];
