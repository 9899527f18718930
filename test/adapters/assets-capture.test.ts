import { test } from 'uvu';
import { captureAssets } from '../../adapters/assets/capture.ts';
import { assetAdapterSuite } from '../../plugins/assets/testing/index.ts';

assetAdapterSuite(
  'captureAssets',
  async () => ({ store: captureAssets(), dispose: async () => undefined }),
  (name, run) => void test(name, run),
);

test.run();
