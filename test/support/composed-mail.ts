// A complete mail as options for nodemailer, to compare the bytes of the service with those of nodemailer. Used by the tests of the bytes
// of mails.
import { wireMailbox } from '../../adapters/kit/mail-fields.ts';
import type { OutgoingMail } from '../../plugins/email/port/index.ts';

/** The options for nodemailer's composer. */
export const composedMail = ({ from, to, replyTo, headers, subject, text, html, messageId, date }: OutgoingMail) => ({
  from: { ...wireMailbox(from, 'sender') },
  to: [{ ...wireMailbox(to, 'recipient') }],
  ...(replyTo === undefined ? {} : { replyTo: { ...wireMailbox(replyTo, 'reply address') } }),
  headers: Object.entries(headers).map(([key, value]) => ({ key, value: value.trim() })),
  subject: subject.trim(),
  ...{ text, html, messageId, date },
});
