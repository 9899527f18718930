// The mail adapter of a program that gives none: sending fails with the way out, everything else works.
import type { MailAdapter } from './port/index.ts';
import { MailError } from './port/index.ts';

/** Refuses every message for good. */
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
