// Builds the fields of a message as JSON mail APIs expect them. Called after checkMail by the adapters of such providers.
import type { Mailbox, OutgoingMail } from '../../plugins/email/port/index.ts';
import { wireMailbox } from './mail-fields.ts';

/** `{ email, name? }`, with the domain in ASCII. */
export function jsonMailbox(mailbox: Mailbox, field: string): { email: string; name?: string } {
  const { address, name } = wireMailbox(mailbox, field);
  return name === '' ? { email: address } : { email: address, name };
}

/** `"Ada Lovelace" <ada@example.com>`. The name is always quoted, so that nothing in it is parsed as an address (RFC 5322). */
export function mailboxText(mailbox: Mailbox, field: string): string {
  const { address, name } = wireMailbox(mailbox, field);
  return name === '' ? address : `"${name.replace(/["\\]/g, '\\$&')}" <${address}>`;
}

/** The part of the Message-ID before the `@`. Providers repeat it in reports. */
export const reportId = ({ messageId }: OutgoingMail): string => messageId.slice(1, messageId.indexOf('@'));

/** Bytes in base64, as providers accept them in JSON. */
export const base64Of = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
