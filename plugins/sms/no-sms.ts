// The SMS adapter of a program that configures none: a message fails with a sentence that says how to configure one.
import { type SmsAdapter, SmsError } from './port/index.ts';

/** Refuses every message for good. */
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
