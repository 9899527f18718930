// A message as bytes: what the SMTP adapter would put on the wire, unsigned. The core calls it to show a mail's source.

import { createHash } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { OutgoingMail } from '../../plugins/email/port/index.ts';
import { checkMail } from '../kit/mail-fields.ts';
import { composeMail } from './smtp-message.ts';

/**
 * The message (RFC 5322), the same bytes each time. @throws MailError `rejected` for a message that no adapter would
 * send
 */
export async function smtpSource(mail: OutgoingMail): Promise<Uint8Array> {
  checkMail(mail);
  // Boundaries are random otherwise, and two copies of a message could not be compared. Lines end as on the wire.
  const baseBoundary = createHash('sha256').update(mail.messageId).digest('hex').slice(0, 16);
  return new MailComposer({ ...composeMail(mail), baseBoundary, newline: 'windows' }).compile().build();
}
