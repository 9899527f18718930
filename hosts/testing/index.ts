// postrider/testing: a whole service for tests, the generated tests of operations, the shared suites of adapters.
export { bodyBytes } from './body-bytes.ts';
export { type CapturedWebhook, type CaptureWebhooks, captureWebhooks } from './capture-webhooks.ts';
export { jobQueueSuite, type QueueUnderTest } from './job-queue-suite.ts';
export { limitStoreSuite } from './limits-suite.ts';
export { localOutgoing } from './local-outgoing.ts';
export { operationSuite } from './operation-suite.ts';
export { recordExample, recordExamples } from './record-examples.ts';
export { createSeededRandomness } from './seeded-randomness.ts';
export { createSimulatedClock, type SimulatedClock } from './simulated-clock.ts';
export type { ExampleSource } from './stage-example.ts';
export { storageAdapterSuite } from './storage-suite.ts';
export {
  type AnyTestService,
  createTestService,
  type TestRequest,
  type TestResponse,
  type TestService,
  type TestServiceOptions,
} from './test-service.ts';
