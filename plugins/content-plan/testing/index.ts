// postrider/plugins/content-plan/testing: the shared tests of sources of news, and what tests of your own give to a source.
export type { LoggedLine, NewsSuiteHarness, NewsSuiteSubject } from './news-suite.ts';
export { newsSourceSuite, sampleNewsOptions } from './news-suite.ts';
