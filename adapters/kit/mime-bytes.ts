// A mail without attachments as the bytes that go on the wire, made at once: no streams, and the bodies are read a byte at a
// time. Called by the SMTP adapter after checkMail. Values of headers are encoded and folded by nodemailer's own functions.
import { randomUUID } from 'node:crypto';
import { foldLines } from 'nodemailer/lib/mime-funcs';
import MimeNode from 'nodemailer/lib/mime-node';
import type { FixedText, OutgoingMail } from '../../plugins/email/port/index.ts';
import { wireMailbox } from './mail-fields.ts';
import { encodeText } from './mail-text.ts';

/** A header that no caller may set, added after theirs were checked. */
export interface OwnHeader {
  readonly key: string;
  readonly value: string;
}

/** Whether `mimeBytes` can write the mail: it has both bodies and nothing beside them. */
export const isPlainAlternative = ({ html, text, attachments }: OutgoingMail): boolean =>
  html !== '' && text !== '' && attachments.length === 0;

type HeaderValue = Parameters<MimeNode['encodeHeaderValue']>[1];

/** Made at its first use. It keeps nothing of what it encodes. */
let encoder: MimeNode | undefined;

/** One header with its break; nothing for an empty value. */
function header(key: string, value: HeaderValue): string {
  encoder ??= new MimeNode(undefined);
  const encoded = encoder.encodeHeaderValue(key, value);
  return encoded.trim() === '' ? '' : `${foldLines(`${key}: ${encoded}`, 76)}\r\n`;
}

/** The headers in nodemailer's order: the caller's first, then those of the message. */
function head(mail: OutgoingMail, own: readonly OwnHeader[]): string {
  let lines = '';
  for (const [key, value] of Object.entries(mail.headers)) lines += header(key, value.trim());
  for (const { key, value } of own) lines += header(key, value);
  lines += header('From', { ...wireMailbox(mail.from, 'sender') });
  lines += header('To', { ...wireMailbox(mail.to, 'recipient') });
  if (mail.replyTo !== undefined) lines += header('Reply-To', { ...wireMailbox(mail.replyTo, 'reply address') });
  lines += header('Subject', mail.subject.trim());
  lines += header('Message-ID', mail.messageId);
  lines += header('Date', mail.date);
  return `${lines}MIME-Version: 1.0\r\n`;
}

function part(
  boundary: string,
  type: string,
  text: string,
  fixed: readonly FixedText[] | undefined,
): readonly Buffer[] {
  const { encoding, bytes } = encodeText(text, fixed);
  const start = `\r\n--${boundary}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
  return [Buffer.from(start, 'latin1'), bytes];
}

/** The message. The boundary is random: no author of a body knows it. */
export function mimeBytes(mail: OutgoingMail, own: readonly OwnHeader[] = []): Buffer {
  const boundary = `--_NmP-${randomUUID()}`;
  const type = `Content-Type: multipart/alternative;\r\n boundary="${boundary}"\r\n`;
  return Buffer.concat([
    Buffer.from(`${head(mail, own)}${type}`),
    ...part(boundary, 'text/plain', mail.text, mail.fixed?.text),
    ...part(boundary, 'text/html', mail.html, mail.fixed?.html),
    Buffer.from(`\r\n--${boundary}--\r\n`, 'latin1'),
  ]);
}
