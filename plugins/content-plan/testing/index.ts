// postrider/plugins/content-plan/testing: the shared tests of news sources, and sample options for your own tests.
export type { LoggedLine, NewsSuiteHarness, NewsSuiteTarget } from './news-suite.ts';
export { newsSourceSuite, sampleNewsOptions } from './news-suite.ts';
