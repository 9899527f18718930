// Reports that arrive as mail: delivery status notifications (RFC 3464) and complaints of feedback loops (ARF, RFC 5965). The
// program passes each message of its bounce mailbox to it, as bytes and with a secret. It reads no mailbox itself.

import type { Email } from 'postal-mime';
import PostalMime from 'postal-mime';
import { checkOptions } from '../../core/contract/check-options.ts';
import {
  type BounceDetails,
  type MailReport,
  type MailReports,
  type ReportedFact,
  ReportRefused,
  type ReportRequest,
} from '../../plugins/email/port/index.ts';
import { isSameSecret } from '../kit/report-fields.ts';
import { bounceOfWords } from '../kit/smtp-answer.ts';

/** Options of `mailboxReports`. */
export interface MailboxReportsOptions {
  /** The secret of the requests, `Authorization: Bearer <secret>`; at least 16 characters. */
  readonly secret: string;
}

/**
 * The maximum part of a mail that is read. A report's data precede the returned message, whose first lines identify it. The
 * parser would take seconds for millions of lines or parts.
 */
const maxLines = 2_000;
const maxBytes = 524_288;

const maxHeaderBytes = 65_536;
/** Eight times the maximum length of a line (RFC 5322, section 2.1.1). */
const maxLineBytes = 8_192;
const lineEnd = Buffer.from('\r\n');

/**
 * The header fields of the mail itself that are needed. The parser would also parse the addresses in other fields, which an
 * attacker could make slow.
 */
const needed = /^(?:content-[a-z-]+|mime-version|message-id):/i;

/** The beginning of a mail, with only the needed fields of its header. */
function beginningOf(mail: Uint8Array): Buffer {
  const bytes = Buffer.from(mail.buffer, mail.byteOffset, mail.byteLength);
  const kept: Buffer[] = [];
  let [start, size, isHeader, isKept] = [0, 0, true, false];
  for (let line = 0; line < maxLines && start < bytes.length && size < maxBytes; line += 1) {
    const next = bytes.indexOf(0x0a, start);
    const end = next === -1 ? bytes.length : next + 1;
    const beginning = bytes.toString('latin1', start, Math.min(end, start + 64));
    if (/^\r?\n/.test(beginning)) isHeader = false;
    // A field may continue on the next line, which then begins with white space.
    if (isHeader && !/^[ \t]/.test(beginning)) isKept = needed.test(beginning);
    if (!isHeader || isKept) {
      const isLong = end - start > maxLineBytes;
      kept.push(isLong ? bytes.subarray(start, start + maxLineBytes) : bytes.subarray(start, end));
      if (isLong) kept.push(lineEnd);
      size += Math.min(end - start, maxLineBytes);
    }
    start = end;
  }
  return Buffer.concat(kept);
}

/** @throws Error if the headers are longer than those of any report */
const parsed = (mail: Uint8Array): Promise<Email> =>
  PostalMime.parse(beginningOf(mail), { forceRfc822Attachments: true, maxHeadersSize: maxHeaderBytes });

type Group = ReadonlyMap<string, string>;

/** Groups of header fields, separated by empty lines. If a name occurs twice, the first field is used. */
function groupsOf(text: string): Group[] {
  const blocks = text.replace(/\r\n?/g, '\n').split(/\n[ \t]*\n/);
  return blocks.map((block) => {
    const fields = new Map<string, string>();
    for (const line of block.replace(/\n[ \t]+/g, ' ').split('\n')) {
      const colon = line.indexOf(':');
      const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
      if (name !== '' && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
    }
    return fields;
  });
}

function partOf({ attachments }: Email, ...types: string[]): string | undefined {
  const part = attachments.find(({ mimeType }) => types.includes(mimeType.toLowerCase()));
  if (part === undefined) return undefined;
  const { content } = part;
  return typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('utf8');
}

/** The Message-ID of the reported message, from its headers, which are returned alone or with the whole message. */
function originalId(email: Email): string | undefined {
  const original = partOf(email, 'message/rfc822', 'text/rfc822-headers', 'message/rfc822-headers', 'message/global');
  return original === undefined ? undefined : groupsOf(original.slice(0, 100_000))[0]?.get('message-id');
}

/** The code of RFC 3463 without the words that some servers add. */
const statusOf = (recipient: Group): string | undefined =>
  /[245]\.\d{1,3}\.\d{1,3}/.exec(recipient.get('status') ?? '')?.[0];

function bounceOf(recipient: Group): BounceDetails {
  const status = statusOf(recipient);
  const words = recipient.get('diagnostic-code') ?? `The message was not delivered (${status ?? 'no status'}).`;
  const said = bounceOfWords(words);
  // Some servers (OpenSMTPD) always write 5.0.0; the server response in the report has the real code.
  const code = status !== undefined && /^\d\.0\.0$/.test(status) ? (said.enhancedCode ?? status) : status;
  const bounce: BounceDetails = code === undefined ? said : { ...said, enhancedCode: code };
  // A server gave up after a temporary refusal, so the mailbox may exist.
  if (status?.startsWith('4.')) return { ...bounce, class: 'soft' };
  const isGone = code !== undefined && /^5\.1\.(?:1|2|3|6|10)$/.test(code);
  return isGone
    ? { ...bounce, class: 'hard', subType: bounce.subType === 'general' ? 'no_mailbox' : bounce.subType }
    : bounce;
}

function factOfStatus(recipient: Group): ReportedFact | undefined {
  switch (recipient.get('action')?.toLowerCase()) {
    case 'failed':
      return { kind: 'bounced', bounce: bounceOf(recipient) };
    case 'delayed':
      return { kind: 'delivery_delayed', reason: (recipient.get('diagnostic-code') ?? 'Delayed.').slice(0, 500) };
    case 'delivered':
      return { kind: 'delivered' };
    default:
      return undefined;
  }
}

/**
 * Adds the server's response from the human-readable text if the report has no diagnostic code. OpenSMTPD writes it only there.
 */
function withAnswer(recipient: Group, text: string): Group {
  const address = /^[^;]*;\s*([^\s;]+)$/.exec(recipient.get('final-recipient') ?? '')?.[1]?.toLowerCase();
  if (recipient.has('diagnostic-code') || address === undefined) return recipient;
  const answers = text
    .slice(0, 20_000)
    .split(/\r?\n/)
    .map((line) => /^\s*(\S+): (.*)$/.exec(line));
  const answer = answers.find((found) => found?.[1]?.toLowerCase() === address)?.[2]?.trim();
  return answer !== undefined && /^[245]\d\d[ -]/.test(answer)
    ? new Map([...recipient, ['diagnostic-code', `smtp; ${answer}`]])
    : recipient;
}

function factOf(email: Email): ReportedFact | undefined {
  const status = partOf(email, 'message/delivery-status', 'message/global-delivery-status');
  // The first group describes the message, each other group a recipient. A send has one recipient.
  const recipient = status === undefined ? undefined : groupsOf(status).find((group) => group.has('action'));
  if (recipient !== undefined) return factOfStatus(withAnswer(recipient, email.text ?? ''));
  const feedback = partOf(email, 'message/feedback-report');
  const type = feedback === undefined ? undefined : groupsOf(feedback)[0]?.get('feedback-type')?.toLowerCase();
  // Other types report something else, such as a failed authentication (RFC 6591).
  return type === 'abuse' || type === 'fraud' ? { kind: 'complained' } : undefined;
}

/** Parses report mails. @throws TypeError for a short secret */
export function mailboxReports(options: MailboxReportsOptions): MailReports {
  checkOptions<MailboxReportsOptions>('mailboxReports', options, { secret: 'required' });
  const { secret } = options;
  if (secret.length < 16) throw new TypeError('mailboxReports: `secret` has at least 16 characters.');
  const checkHeaders = (headers: ReportRequest['headers']): void => {
    if (!isSameSecret(headers['authorization'] ?? '', `Bearer ${secret}`))
      throw new ReportRefused('The secret is missing or wrong.');
  };
  return {
    id: 'mailbox',
    body: 'mail',
    checkHeaders,
    async read({ headers, body }): Promise<readonly MailReport[]> {
      checkHeaders(headers);
      const email = await parsed(body).catch(() => undefined);
      if (email === undefined) return [];
      const fact = factOf(email);
      const messageId = originalId(email);
      if (fact === undefined || messageId === undefined) return [];
      return [{ messageIds: [messageId], id: email.messageId ?? messageId, fact }];
    },
  };
}
