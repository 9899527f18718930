// postrider/plugins/social/testing: the shared tests of social adapters, and samples for your own tests of an adapter.
export type { KillMoment, KillPoint, RecordedStepMap, RecordedSteps } from './recorded-steps.ts';
export { hasOpenStep, Killed, recordedSteps, visibleParts } from './recorded-steps.ts';
export type { SampleForm } from './samples.ts';
export { hostileTexts, plainForm, sampleForms, sampleMedia, samplePng, sampleTarget } from './samples.ts';
export { socialAdapterSuite } from './social-suite.ts';
export type {
  RegisterSocialTest,
  ServerFault,
  SocialSuiteHarness,
  SocialSuiteTarget,
  VisiblePost,
} from './suite-target.ts';
export { refusalText } from './suite-target.ts';
