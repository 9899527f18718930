// postrider/plugins/sms/testing: the shared tests of SMS adapters, and samples for testing an adapter of your own.
export type { ReceivedSms, SmsSuiteTarget } from './sms-suite.ts';
export { sampleSms, sampleSmsOptions, smsAdapterSuite } from './sms-suite.ts';
