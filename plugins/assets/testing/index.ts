// postrider/plugins/assets/testing: the shared tests of the adapters that keep assets.
export {
  type AssetSuiteHarness,
  type AssetSuiteOptions,
  type AssetSuiteSubject,
  assetAdapterSuite,
} from './asset-suite.ts';
