// The checks of every mail adapter before its library receives a message: no field may inject a header, a recipient or a command.
// Called by the mail adapters. Bad fields are rejected, never repaired.

import { domainToASCII } from 'node:url';
import {
  isForbiddenOnWire,
  type MailAttachment,
  type Mailbox,
  MailError,
  type OutgoingMail,
} from '../../plugins/email/port/index.ts';

/** An address in wire form: the domain in ASCII, the local part as given. */
export interface WireMailbox {
  readonly address: string;
  readonly name: string;
}

// RFC 5322 3.6.8: printable ASCII without the colon.
const HEADER_NAME = /^[!-9;-~]{1,76}$/;
const LINE_BREAK = /[\r\n\0]/;
/** RFC 5322 2.1.1 allows 998 octets in a line, and text without white space cannot be folded. */
const LONGEST_WORD = /[!-~]{900}/;
/**
 * A run of this many spaces or tabs would be folded into a line of white space only. RFC 5322 3.2.2 forbids such lines, and some
 * readers treat them as the end of the header, so that the text after it would become a header.
 */
const WIDEST_GAP = /[ \t]{70}/;
const MESSAGE_ID = /^<[!-;=?A-~]+@[!-;=?A-~]+>$/;
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[ \t]*;[ \t]*[\w!#$&^.+-]+=(?:[\w!#$&'*^.+/:-]+|"[ !#-[\]-~]*"))*$/;
const CONTENT_ID = /^[!-;=?-~]{1,250}$/;
const LOCAL_PART = /^(?:[\w!#$%&'*+\-/=?^`{|}~.]|[^\p{ASCII}\p{C}\p{Z}])+$/u;
/** Excludes @, < and >, because readers disagree on where such an address ends. */
const QUOTED_LOCAL_PART = /^"(?:[ !#-;=?A-[\]-~]|\\[ -;=?A-~])+"$/;
const DOMAIN = /^[A-Za-z0-9_](?:[\w-]{0,61}[A-Za-z0-9_])?(?:\.[A-Za-z0-9_](?:[\w-]{0,61}[A-Za-z0-9_])?)*$/;
const UNICODE_DOMAIN = /^(?:[\w.-]|[^\p{ASCII}\p{C}\p{Z}])+$/u;
const DOMAIN_LITERAL = /^\[(?:\d{1,3}(?:\.\d{1,3}){3}|IPv6:[0-9A-Fa-f:.]{2,45})\]$/;
/** A last label such as 1 or 0x7f makes URL parsers read the whole name as an IPv4 address. */
const NUMERIC_LAST_LABEL = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/i;
/**
 * Headers of identifiers and tokens. Encoded words are not allowed in them. nodemailer folds them at any Unicode space, so that a
 * line would start with a byte that a mail server does not treat as white space.
 */
const TOKEN_HEADERS = /^(?:in-reply-to|references|otp-token)$/i;
const ASCII_TEXT = /^[\t -~]*$/;
const NON_ASCII = /\P{ASCII}/u;

function refuse(message: string): never {
  throw new MailError('rejected', message);
}

function checkLine(value: unknown, field: string): asserts value is string {
  if (typeof value !== 'string') refuse(`The ${field} must be a string.`);
  if (LINE_BREAK.test(value)) refuse(`The ${field} must not contain a line break or NUL.`);
  if (WIDEST_GAP.test(value)) refuse(`The ${field} has more than 69 spaces in a row.`);
  if (LONGEST_WORD.test(value)) refuse(`The ${field} has more than 900 characters without a space.`);
}

/** A domain in ASCII; an internationalised domain in punycode (RFC 5891). Undefined if it is not a domain. */
export function asciiDomain(domain: string): string | undefined {
  const ascii = NON_ASCII.test(domain) && UNICODE_DOMAIN.test(domain) ? domainToASCII(domain) : domain;
  return ascii.length > 253 || !DOMAIN.test(ascii) || NUMERIC_LAST_LABEL.test(ascii) ? undefined : ascii;
}

const wireDomain = (domain: string, field: string): string =>
  DOMAIN_LITERAL.test(domain) ? domain : (asciiDomain(domain) ?? refuse(`The ${field} has no valid domain.`));

/**
 * An address in wire form: an internationalised domain in punycode (RFC 5891), the local part unchanged. @throws MailError
 * `rejected` for anything that isn't one plain `local@domain`.
 */
export function wireAddress(email: string, field: string): string {
  checkLine(email, field);
  const at = email.lastIndexOf('@');
  const local = email.slice(0, Math.max(at, 0));
  if (local.length > 64 || !(LOCAL_PART.test(local) || QUOTED_LOCAL_PART.test(local))) {
    refuse(`The ${field} is not one plain e-mail address.`);
  }
  return `${local}@${wireDomain(email.slice(at + 1), field)}`;
}

/** A mailbox in wire form. @throws MailError `rejected` */
export function wireMailbox(mailbox: Mailbox, field: string): WireMailbox {
  const name = mailbox.name ?? '';
  checkLine(name, `name of the ${field}`);
  return { address: wireAddress(mailbox.email, `address of the ${field}`), name };
}

/** Whether an address requires SMTPUTF8 (RFC 6531), because its local part isn't ASCII. */
export function needsSmtpUtf8(address: string): boolean {
  return NON_ASCII.test(address);
}

function checkAttachment(attachment: MailAttachment): void {
  checkLine(attachment.filename, 'name of an attachment');
  if (attachment.filename === '') refuse('An attachment has no name.');
  checkLine(attachment.contentType, 'content type of an attachment');
  if (!MEDIA_TYPE.test(attachment.contentType) || /^multipart\//i.test(attachment.contentType)) {
    refuse('The content type of an attachment must be a media type other than multipart.');
  }
  if (!(attachment.content instanceof Uint8Array)) refuse('The content of an attachment must be bytes.');
  if (attachment.contentId !== undefined && !CONTENT_ID.test(attachment.contentId)) {
    refuse('The content id of an attachment must be printable ASCII without angle brackets.');
  }
}

/**
 * Rejects a message with a field that could end its header line or add a recipient: CR, LF and NUL everywhere, header names that
 * aren't tokens or that callers cannot set, and addresses that aren't one plain address. Bodies may contain anything. @throws
 * MailError `rejected`
 * @param reserved the adapter's own `reservedHeaders`
 */
export function checkMail(mail: OutgoingMail, reserved?: readonly string[]): void {
  wireMailbox(mail.from, 'sender');
  wireMailbox(mail.to, 'recipient');
  if (mail.replyTo) wireMailbox(mail.replyTo, 'reply address');
  checkLine(mail.subject, 'subject');
  checkLine(mail.messageId, 'message id');
  if (mail.messageId.length > 250 || !MESSAGE_ID.test(mail.messageId)) {
    refuse('The message id must have the form <id@domain>, in ASCII.');
  }
  if (!(mail.date instanceof Date) || Number.isNaN(mail.date.getTime())) refuse('The date of the message is invalid.');
  if (typeof mail.html !== 'string' || typeof mail.text !== 'string') refuse('The bodies must be strings.');
  for (const [name, value] of Object.entries(mail.headers)) {
    if (!HEADER_NAME.test(name)) refuse('A header name is not a token (RFC 5322).');
    if (isForbiddenOnWire(name, reserved)) refuse(`The header ${name} cannot be set by the caller of a send.`);
    checkLine(value, `header ${name}`);
    if (TOKEN_HEADERS.test(name) && !ASCII_TEXT.test(value)) refuse(`The header ${name} must be printable ASCII.`);
  }
  for (const attachment of mail.attachments) checkAttachment(attachment);
}
