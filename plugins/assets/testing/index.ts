// postrider/plugins/assets/testing: the shared tests of asset store adapters.
export {
  type AssetSuiteHarness,
  type AssetSuiteOptions,
  type AssetSuiteTarget,
  assetAdapterSuite,
} from './asset-suite.ts';
