// postrider/plugins/email/testing: the shared tests of mail adapters, and what tests of your own give to an adapter.
export { mailAdapterSuite, sampleMail, sampleSendOptions } from './mail-suite.ts';
