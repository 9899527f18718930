// A message as bytes (RFC 5322), unsigned. Called by the adapters that write the whole message, and by the email plugin, through
// adapters/mail/smtp-source.ts, to show a mail's source.
import { createHash } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { OutgoingMail } from '../../plugins/email/port/index.ts';
import { checkMail } from './mail-fields.ts';
import { headOf, isPlainAlternative, mimeChunks, type OwnHeader } from './mime-bytes.ts';
import { composeBody } from './mime-message.ts';

/** The composed body with the headers that describe it. Postrider writes the headers of the message. */
async function composeMessage(
  mail: OutgoingMail,
  ownHeaders: readonly OwnHeader[],
  baseBoundary?: string,
): Promise<readonly Buffer[]> {
  const boundary = baseBoundary === undefined ? {} : { baseBoundary };
  const message = await new MailComposer({ ...composeBody(mail), ...boundary, newline: 'windows' }).compile().build();
  const end = message.indexOf('\r\n\r\n');
  const bodyHeaders = message
    .toString('latin1', 0, end)
    .split(/\r\n(?![ \t])/)
    .filter((line) => /^content-/i.test(line));
  return [
    Buffer.from(headOf(mail, ownHeaders)),
    Buffer.from(`${bodyHeaders.join('\r\n')}\r\n`, 'latin1'),
    message.subarray(end + 2),
  ];
}

/** The message, with the same bytes each time. @throws MailError `rejected` for a message that no adapter would send */
export async function mimeSource(mail: OutgoingMail): Promise<Uint8Array> {
  checkMail(mail);
  // Boundaries are otherwise random, so that two copies of a message would differ.
  const baseBoundary = createHash('sha256').update(mail.messageId).digest('hex').slice(0, 16);
  return Buffer.concat(await composeMessage(mail, [], baseBoundary));
}

/** A checked message with the adapter's own headers, in chunks to join. */
export async function wireChunks(mail: OutgoingMail, ownHeaders: readonly OwnHeader[]): Promise<readonly Buffer[]> {
  return isPlainAlternative(mail) ? mimeChunks(mail, ownHeaders) : composeMessage(mail, ownHeaders);
}
