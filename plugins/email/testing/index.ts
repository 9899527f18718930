// postrider/plugins/email/testing: the shared tests of mail adapters, and samples for testing an adapter of your own.
export { mailAdapterSuite, sampleMail, sampleSendOptions } from './mail-suite.ts';
