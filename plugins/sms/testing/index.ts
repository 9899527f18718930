// postrider/plugins/sms/testing: the shared tests of SMS adapters, and what tests of your own give to an adapter.
export type { ReceivedSms, SmsSuiteSubject } from './sms-suite.ts';
export { sampleSms, sampleSmsOptions, smsAdapterSuite } from './sms-suite.ts';
