// The store that is used if the program configures none: every call fails, with a message that says how to configure a store.
import { type AssetStore, AssetStoreError } from './port/index.ts';

const refuse = async (): Promise<never> => {
  throw new AssetStoreError('refused', 'No asset store is configured: pass one to createService as `assets`.');
};

export const noStore = 'none';

/** A store that refuses every call. */
export const noAssets = (): AssetStore => ({
  id: noStore,
  put: refuse,
  get: refuse,
  head: refuse,
  copy: refuse,
  delete: refuse,
  list: refuse,
});
