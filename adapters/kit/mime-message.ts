// Converts an outgoing mail into nodemailer's terms. Called after checkMail by the SMTP adapter and by those that hand a
// provider the whole message; it never passes `path`, `href` or `raw`, nor an address as text.

import type { SendMailOptions } from 'nodemailer';
import type { MailAttachment, OutgoingMail } from '../../plugins/email/port/index.ts';
import { wireMailbox } from './mail-fields.ts';
import type { OwnHeader } from './mime-bytes.ts';

type NodemailerAttachment = NonNullable<SendMailOptions['attachments']>[number];

/** RFC 2046 5.2.1: a message/* part can't be encoded, so its bytes must be valid on the wire as they are. */
function isSevenBit(content: Uint8Array): boolean {
  let lineLength = 0;
  for (const byte of content) {
    if (byte === 0 || byte > 0x7f) return false;
    lineLength = byte === 0x0a ? 0 : lineLength + 1;
    if (lineLength > 998) return false;
  }
  return true;
}

function toAttachment(attachment: MailAttachment): NodemailerAttachment {
  const content = Buffer.from(attachment.content.buffer, attachment.content.byteOffset, attachment.content.byteLength);
  const isMessage = /^message\//i.test(attachment.contentType);
  const asMessage = isMessage && isSevenBit(content);
  return {
    filename: attachment.filename,
    content,
    contentType: isMessage && !asMessage ? 'application/octet-stream' : attachment.contentType,
    contentDisposition: attachment.inline ? 'inline' : 'attachment',
    contentTransferEncoding: asMessage ? '7bit' : 'base64',
    // nodemailer moves whatever has a cid into multipart/related.
    ...(attachment.inline && attachment.contentId !== undefined ? { cid: attachment.contentId } : {}),
  };
}

/** The mail in nodemailer's terms: addresses as objects, headers as pairs. @param own headers that no caller may set */
export function composeMail(mail: OutgoingMail, own: readonly OwnHeader[] = []): SendMailOptions {
  const from = wireMailbox(mail.from, 'sender');
  const to = wireMailbox(mail.to, 'recipient');
  return {
    from: { ...from },
    to: [{ ...to }],
    ...(mail.replyTo ? { replyTo: { ...wireMailbox(mail.replyTo, 'reply address') } } : {}),
    subject: mail.subject.trim(),
    ...(mail.text === '' ? {} : { text: mail.text }),
    ...(mail.html === '' ? {} : { html: mail.html }),
    messageId: mail.messageId,
    date: mail.date,
    // Pairs, never an object: nodemailer reads { key: 'Bcc', value: 'x' } as one header with that name. Trimmed, since
    // white space at the end of a full line would be folded into a separate line.
    headers: [...Object.entries(mail.headers).map(([key, value]) => ({ key, value: value.trim() })), ...own],
    attachments: mail.attachments.map(toAttachment),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
