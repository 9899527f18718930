// The SMS adapter of a program that does not configure one: a message fails with a sentence that explains how to configure one.
import { type SmsAdapter, SmsError } from '../port/index.ts';

/** Permanently refuses every message. */
export const noSms = (): SmsAdapter => ({
  id: 'none',
  capabilities: { captures: false },
  async send() {
    throw new SmsError(
      'refused',
      'No SMS adapter is configured: give createService an `sms`, such as twilioSms({ accountSid, authToken, from }).',
      { reason: 'account' },
    );
  },
  close: async () => undefined,
});
