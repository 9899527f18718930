// A message as bytes: what the SMTP adapter would put on the wire, unsigned. Called by the core for whoever shows mail.

import { createHash } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { OutgoingMail } from '../../plugins/email/port/index.ts';
import { checkMail } from '../kit/mail-fields.ts';
import { composeMail } from './smtp-message.ts';

/** The message (RFC 5322), the same bytes each time. @throws MailError `rejected` for what no adapter would send */
export async function smtpSource(mail: OutgoingMail): Promise<Uint8Array> {
  checkMail(mail);
  // Boundaries are drawn at random otherwise, and nothing of the message could be compared with itself. Lines end as
  // they do on the wire.
  const baseBoundary = createHash('sha256').update(mail.messageId).digest('hex').slice(0, 16);
  return new MailComposer({ ...composeMail(mail), baseBoundary, newline: 'windows' }).compile().build();
}
