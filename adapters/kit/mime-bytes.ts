// A mail without attachments as the bytes that go on the wire: no streams, and the bodies are read a byte at a time. Called by the SMTP adapter after checkMail. Values of headers are encoded and folded by nodemailer's own functions.
import { randomUUID } from 'node:crypto';
import { foldLines } from 'nodemailer/lib/mime-funcs';
import MimeNode from 'nodemailer/lib/mime-node';
import type { FixedText, OutgoingMail } from '../../plugins/email/port/index.ts';
import type { WireMailbox } from './mail-fields.ts';
import { wireMailbox } from './mail-fields.ts';
import { encodeText } from './mail-text.ts';

/** A header that no caller may set, added after theirs were checked. */
export interface OwnHeader {
  readonly key: string;
  readonly value: string;
}

/** Whether `mimeChunks` can write the mail: it has both bodies and nothing beside them. */
export const isPlainAlternative = ({ html, text, attachments }: OutgoingMail): boolean =>
  html !== '' && text !== '' && attachments.length === 0;

type HeaderValue = Parameters<MimeNode['encodeHeaderValue']>[1];

/** Made at its first use. It keeps nothing of what it encodes. */
let encoder: MimeNode | undefined;

/** From this length on a line is folded. */
const foldedFrom = 76;

/** One header with its break; nothing for an empty value. */
function header(key: string, value: HeaderValue): string {
  encoder ??= new MimeNode(undefined);
  const encoded = encoder.encodeHeaderValue(key, value);
  return encoded.trim() === '' ? '' : `${foldLines(`${key}: ${encoded}`, foldedFrom)}\r\n`;
}

/** Headers that nodemailer reads before it writes them, and those whose lines it makes longer. */
const structured = /^(?:from|sender|to|cc|bcc|reply-to|message-id|in-reply-to|content-.*|references|date|otp-token)$/i;
/** Text that no encoded word begins in: it stays as it is. */
const plainText = /^(?!.*=\?)[!-~](?:[ -~]*[!-~])?$/;
const plainId = /^<[!-;=?-~]+>$/;
/** A name of words, which needs no quotes, and an address that no rule changes. */
const plainName = /^\w+(?: \w+)*$/;
const plainAddress =
  /^[\w+-]+(?:\.[\w+-]+)*@(?!.*--)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;

/** The line where it needs neither encoding nor folding: most headers of most mails. */
const asItIs = (key: string, value: string, isPlain: boolean): string | undefined =>
  isPlain && key.length + value.length + 2 < foldedFrom ? `${key}: ${value}\r\n` : undefined;

const textHeader = (key: string, value: string): string =>
  asItIs(key, value, plainText.test(value) && !structured.test(key)) ?? header(key, value);

function mailboxHeader(key: string, mailbox: WireMailbox): string {
  const { name, address } = mailbox;
  const isPlain = plainAddress.test(address) && (name === '' || plainName.test(name));
  return asItIs(key, name === '' ? address : `${name} <${address}>`, isPlain) ?? header(key, { ...mailbox });
}

/** The headers in nodemailer's order: the caller's first, then those of the message. */
function head(mail: OutgoingMail, own: readonly OwnHeader[]): string {
  let lines = '';
  for (const [key, value] of Object.entries(mail.headers)) lines += textHeader(key, value.trim());
  for (const { key, value } of own) lines += textHeader(key, value);
  lines += mailboxHeader('From', wireMailbox(mail.from, 'sender'));
  lines += mailboxHeader('To', wireMailbox(mail.to, 'recipient'));
  if (mail.replyTo !== undefined) lines += mailboxHeader('Reply-To', wireMailbox(mail.replyTo, 'reply address'));
  lines += textHeader('Subject', mail.subject.trim());
  const { messageId } = mail;
  lines += asItIs('Message-ID', messageId, plainId.test(messageId)) ?? header('Message-ID', messageId);
  lines += header('Date', mail.date);
  return `${lines}MIME-Version: 1.0\r\n`;
}

async function part(
  boundary: string,
  type: string,
  text: string,
  fixed: readonly FixedText[] | undefined,
): Promise<readonly Buffer[]> {
  const { encoding, chunks } = await encodeText(text, fixed);
  const start = `\r\n--${boundary}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
  return [Buffer.from(start, 'latin1'), ...chunks];
}

/** The message, in chunks to be joined. The boundary is random: no author of a body knows it. */
export async function mimeChunks(mail: OutgoingMail, own: readonly OwnHeader[] = []): Promise<readonly Buffer[]> {
  const boundary = `--_NmP-${randomUUID()}`;
  const type = `Content-Type: multipart/alternative;\r\n boundary="${boundary}"\r\n`;
  return [
    Buffer.from(`${head(mail, own)}${type}`),
    ...(await part(boundary, 'text/plain', mail.text, mail.fixed?.text)),
    ...(await part(boundary, 'text/html', mail.html, mail.fixed?.html)),
    Buffer.from(`\r\n--${boundary}--\r\n`, 'latin1'),
  ];
}
