// `ctx.services.mailSource`: a message as the bytes that a mail server would receive, for plugins that show mail.
import { isMailError, type OutgoingMail } from '../port/index.ts';

/** The bytes of a message, or the reason why no mail server would accept it. */
export type MailSourceResult =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: string };

/** `ctx.services.mailSource`: composes a message (RFC 5322), the same bytes each time. */
export type MailSourceService = (mail: OutgoingMail) => Promise<MailSourceResult>;

/** Creates the service. It loads the composer with the first message. */
export const createMailSource = (): MailSourceService => async (mail) => {
  const { smtpSource } = await import('../../../adapters/mail/smtp-source.ts');
  try {
    return { ok: true, bytes: await smtpSource(mail) };
  } catch (error) {
    if (!isMailError(error)) throw error;
    return { ok: false, reason: error.message };
  }
};
