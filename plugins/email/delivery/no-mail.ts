// The mail adapter of a program that does not configure one: a send fails with a message that explains how to configure one.
import { type MailAdapter, MailError } from '../port/index.ts';

/** Permanently refuses every message. */
export const noMail = (): MailAdapter => ({
  id: 'none',
  capabilities: { idempotent: false, captures: false },
  async send() {
    throw new MailError(
      'rejected',
      'No mail adapter is configured: give createService a `mail`, such as smtpMail({ host }).',
    );
  },
  close: async () => undefined,
});
