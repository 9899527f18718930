// postrider/plugins/social/testing: the shared tests of social adapters, and samples for your own tests of an adapter.
export type { KillMoment, KillPlace, RecordedSteps, StepRecord } from './recorded-steps.ts';
export { hasOpenStep, Killed, recordedSteps, visibleParts } from './recorded-steps.ts';
export type { SampleForm } from './samples.ts';
export { hostileTexts, plainForm, sampleForms, sampleMedia, samplePng, sampleTarget } from './samples.ts';
export { socialAdapterSuite } from './social-suite.ts';
export type { RegisterTest, ServerTrouble, SocialSuiteHarness, SocialSuiteSubject, VisiblePost } from './subject.ts';
export { refusalText } from './subject.ts';
