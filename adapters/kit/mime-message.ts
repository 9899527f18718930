// Converts the parts of an outgoing mail into nodemailer's options. Called after checkMail by mime-source.ts. It never
// passes on `path`, `href` or `raw`, or an address or a header.

import type { SendMailOptions } from 'nodemailer';
import type { MailAttachment, OutgoingMail } from '../../plugins/email/port/index.ts';

type NodemailerAttachment = NonNullable<SendMailOptions['attachments']>[number];

/** RFC 2046 5.2.1: a message/* part can't be encoded, so its bytes must be valid on the wire unchanged. */
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
    // nodemailer moves every attachment with a cid into multipart/related.
    ...(attachment.inline && attachment.contentId !== undefined ? { cid: attachment.contentId } : {}),
  };
}

/** The parts of a mail as nodemailer's options. Other code writes its headers. */
export const composeBody = (mail: OutgoingMail): SendMailOptions => ({
  ...(mail.text === '' ? {} : { text: mail.text }),
  ...(mail.html === '' ? {} : { html: mail.html }),
  messageId: mail.messageId,
  date: mail.date,
  attachments: mail.attachments.map(toAttachment),
  disableFileAccess: true,
  disableUrlAccess: true,
});
