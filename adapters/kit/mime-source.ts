// A message as bytes (RFC 5322), unsigned. Called by the adapters that write the whole message, and by the email plugin, through
// adapters/mail/smtp-source.ts, to show a mail's source.
import { createHash } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { OutgoingMail } from '../../plugins/email/port/index.ts';
import { checkMail } from './mail-fields.ts';
import type { OwnHeader } from './mime-bytes.ts';
import { isPlainAlternative, mimeChunks } from './mime-bytes.ts';
import { composeMail } from './mime-message.ts';

/** The message, the same bytes each time. @throws MailError `rejected` for a message that no adapter would send */
export async function mimeSource(mail: OutgoingMail): Promise<Uint8Array> {
  checkMail(mail);
  // Boundaries are random otherwise, and two copies of a message could not be compared. Lines end as on the wire.
  const baseBoundary = createHash('sha256').update(mail.messageId).digest('hex').slice(0, 16);
  return new MailComposer({ ...composeMail(mail), baseBoundary, newline: 'windows' }).compile().build();
}

/** A checked message with headers of the adapter's own, in chunks to be joined. */
export async function wireChunks(mail: OutgoingMail, own: readonly OwnHeader[]): Promise<readonly Buffer[]> {
  return isPlainAlternative(mail)
    ? mimeChunks(mail, own)
    : [await new MailComposer({ ...composeMail(mail, own), newline: 'windows' }).compile().build()];
}
