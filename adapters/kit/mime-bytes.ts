// Encodes the head of a mail as the bytes for the wire, and a whole mail without attachments. Uses no streams. Called by
// mime-source.ts after checkMail. Values of headers are encoded and folded by nodemailer's own functions. A text that looks
// encoded is encoded again, so that it arrives as it was written.
import { randomUUID } from 'node:crypto';
import { encodeWord, foldLines } from 'nodemailer/lib/mime-funcs';
import MimeNode from 'nodemailer/lib/mime-node';
import type { FixedText, OutgoingMail } from '../../plugins/email/port/index.ts';
import { type WireMailbox, wireMailbox } from './mail-fields.ts';
import { encodeText } from './mail-text.ts';

/** A header that only the adapter sets. It is added after the caller's headers were checked. */
export interface OwnHeader {
  readonly key: string;
  readonly value: string;
}

/** Whether `mimeChunks` can write the mail: it has both bodies and no attachments. */
export const isPlainAlternative = ({ html, text, attachments }: OutgoingMail): boolean =>
  html !== '' && text !== '' && attachments.length === 0;

type HeaderValue = Parameters<MimeNode['encodeHeaderValue']>[1];

/** Created at its first use. It does not store any of the encoded text. */
let encoder: MimeNode | undefined;

/** Lines of this length or more are folded. */
const foldedFrom = 76;

const folded = (key: string, value: string): string => `${foldLines(`${key}: ${value}`, foldedFrom)}\r\n`;

/** One header with its line break; empty for an empty value. */
function header(key: string, value: HeaderValue): string {
  encoder ??= new MimeNode(undefined);
  const encoded = encoder.encodeHeaderValue(key, value);
  return encoded.trim() === '' ? '' : folded(key, encoded);
}

/**
 * Text that a reader may treat as an encoded word (RFC 2047), or as the beginning of one if other characters are encoded beside
 * it. Readers are lenient, and also decode such words inside quotation marks.
 */
const looksEncoded = /=\?[^?]*\?[bq]\?|=\?(?=.*[^ -~])/is;
/** Control characters, which no header may contain unencoded; a tab may replace a space. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these control characters are encoded
const control = /[\u0000-\u0008\u000a-\u001f\u007f]/;
const isEncodedWhole = (text: string): boolean => looksEncoded.test(text) || control.test(text);
/** The maximum length of an encoded word, as in nodemailer. RFC 2047, section 2, allows 75 characters. */
const longestEncodedWord = 52;
const encodedWhole = (text: string): string => encodeWord(text, 'Q', longestEncodedWord);
/** Replaces lone surrogates, which UTF-8 cannot represent and which would make the encoder fail. */
const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd');

/** Headers that nodemailer parses before it writes them, and headers whose lines it makes longer. */
const structured = /^(?:from|sender|to|cc|bcc|reply-to|message-id|in-reply-to|content-.*|references|date|otp-token)$/i;
/** Text in which no encoded word begins. It stays unchanged. */
const plainText = /^(?!.*=\?)[!-~](?:[ -~]*[!-~])?$/;
const plainId = /^<[!-;=?-~]+>$/;
/** A name of words, which needs no quotes, and an address that no rule changes. */
const plainName = /^\w+(?: \w+)*$/;
const plainAddress =
  /^[\w+-]+(?:\.[\w+-]+)*@(?!.*--)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;

/** The line, if it needs neither encoding nor folding. Most headers of most mails do not. */
const unchanged = (key: string, value: string, isPlain: boolean): string | undefined =>
  isPlain && key.length + value.length + 2 < foldedFrom ? `${key}: ${value}\r\n` : undefined;

function textHeader(key: string, input: string): string {
  const value = wellFormed(input);
  if (structured.test(key)) return header(key, value);
  if (isEncodedWhole(value)) return folded(key, encodedWhole(value));
  return unchanged(key, value, plainText.test(value)) ?? header(key, value);
}

function mailboxHeader(key: string, mailbox: WireMailbox): string {
  const { address } = mailbox;
  const name = wellFormed(mailbox.name);
  if (isEncodedWhole(name)) return folded(key, `${encodedWhole(name)} <${address}>`);
  const isPlain = plainAddress.test(address) && (name === '' || plainName.test(name));
  return unchanged(key, name === '' ? address : `${name} <${address}>`, isPlain) ?? header(key, { address, name });
}

/** The headers in nodemailer's order: the caller's headers first, then those of the message. */
export function headOf(mail: OutgoingMail, ownHeaders: readonly OwnHeader[]): string {
  let lines = '';
  for (const [key, value] of Object.entries(mail.headers)) lines += textHeader(key, value.trim());
  for (const { key, value } of ownHeaders) lines += textHeader(key, value);
  lines += mailboxHeader('From', wireMailbox(mail.from, 'sender'));
  lines += mailboxHeader('To', wireMailbox(mail.to, 'recipient'));
  if (mail.replyTo !== undefined) lines += mailboxHeader('Reply-To', wireMailbox(mail.replyTo, 'reply address'));
  lines += textHeader('Subject', mail.subject.trim());
  const { messageId } = mail;
  lines += unchanged('Message-ID', messageId, plainId.test(messageId)) ?? header('Message-ID', messageId);
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

/** The message, in chunks to join. The boundary is random, so that no author of a body can guess it. */
export async function mimeChunks(
  mail: OutgoingMail,
  ownHeaders: readonly OwnHeader[] = [],
): Promise<readonly Buffer[]> {
  const boundary = `--_NmP-${randomUUID()}`;
  const type = `Content-Type: multipart/alternative;\r\n boundary="${boundary}"\r\n`;
  return [
    Buffer.from(`${headOf(mail, ownHeaders)}${type}`),
    ...(await part(boundary, 'text/plain', mail.text, mail.fixed?.text)),
    ...(await part(boundary, 'text/html', mail.html, mail.fixed?.html)),
    Buffer.from(`\r\n--${boundary}--\r\n`, 'latin1'),
  ];
}
