// The store of a program that configures none: every use fails, with a message that says how to configure one.
import { type AssetStore, AssetStoreError } from './port/index.ts';

const refuse = async (): Promise<never> => {
  throw new AssetStoreError('refused', 'No store of assets is configured: give createService `assets`.');
};

export const noStore = 'none';

/** Refuses everything. */
export const noAssets = (): AssetStore => ({
  id: noStore,
  put: refuse,
  get: refuse,
  head: refuse,
  copy: refuse,
  delete: refuse,
  list: refuse,
});
