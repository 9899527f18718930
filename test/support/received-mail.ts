// Parses a raw message with a MIME parser that shares no code with the composer. Used by the tests of mail adapters.

import type { Address, Email } from 'postal-mime';
import PostalMime from 'postal-mime';
import type { Mailbox } from '../../plugins/email/port/index.ts';
import type { ReceivedMail } from '../../plugins/email/testing/mail-suite.ts';
import type { SunkMail } from './smtp-sink.ts';

function toMailbox(address: Address | undefined): Mailbox {
  if (address?.address === undefined)
    throw new Error('The message has a group, or nothing, where one mailbox belongs.');
  return address.name === '' ? { email: address.address } : { email: address.address, name: address.name };
}

/** The parsed message, with every header of its root */
export function parseRaw(raw: Uint8Array): Promise<Email> {
  return PostalMime.parse(raw, { forceRfc822Attachments: true });
}

/** A message of the SMTP sink, parsed to the form that the shared suite of mail adapters (mail-suite.ts) compares. */
export async function parseSunkMail(sunk: Pick<SunkMail, 'raw' | 'recipients'>): Promise<ReceivedMail> {
  const email = await parseRaw(sunk.raw);
  return {
    recipients: sunk.recipients,
    messageId: email.messageId ?? '',
    from: toMailbox(email.from),
    to: toMailbox(email.to?.[0]),
    ...(email.replyTo?.[0] ? { replyTo: toMailbox(email.replyTo[0]) } : {}),
    subject: email.subject ?? '',
    html: email.html ?? '',
    text: email.text ?? '',
    headers: Object.fromEntries(email.headers.map((header) => [header.key, header.value])),
    attachments: email.attachments.map((attachment) => ({
      filename: attachment.filename ?? '',
      contentType: attachment.mimeType,
      content: bytesOf(attachment.content),
      inline: attachment.disposition === 'inline',
      ...(attachment.contentId === undefined ? {} : { contentId: attachment.contentId.replace(/^<|>$/g, '') }),
    })),
    date: new Date(email.date ?? Number.NaN),
  };
}

function bytesOf(content: ArrayBuffer | Uint8Array | string): Uint8Array {
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}
