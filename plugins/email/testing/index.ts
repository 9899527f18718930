// postrider/plugins/email/testing: the shared tests of mail adapters.
export { mailAdapterSuite } from './mail-suite.ts';
