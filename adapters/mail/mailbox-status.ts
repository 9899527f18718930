// The machine-readable part of a report: delivery status notifications (RFC 3464, and RFC 6533 for international
// addresses). Called by mailbox.ts. The kit compares the status with the server's words (reported-bounce.ts).
import { domainToASCII } from 'node:url';
import type { BounceDetails, ReportedFact } from '../../plugins/email/port/index.ts';
import { timeOf } from '../kit/report-fields.ts';
import { diagnosticOf, reportedBounce, saysSomething } from '../kit/reported-bounce.ts';
import { type FieldGroup, groupsOf, type ReportMail } from './mailbox-mail.ts';
import { bounceOfLines, isFromServer, mildestBounce, ownWordsOf, stageOf } from './mailbox-text.ts';

/** The code of RFC 3463 without the words that some servers add. */
const statusOf = (recipient: FieldGroup): string | undefined =>
  /[245]\.\d{1,3}\.\d{1,3}/.exec(recipient.get('status') ?? '')?.[0];

/** An address in the form in which two addresses are compared: lower-case letters, and the domain in ASCII (RFC 5891). */
export function comparable(address: string): string {
  const lower = address.replace(/[<>\s]/g, '').toLowerCase();
  const at = lower.lastIndexOf('@');
  const asciiDomain = at === -1 ? '' : domainToASCII(lower.slice(at + 1));
  return asciiDomain === '' ? lower : `${lower.slice(0, at + 1)}${asciiDomain}`;
}

/** The characters that a server writes as numbers, such as `\\x{430}` (RFC 6533, section 3). */
const charactersOf = (text: string): string =>
  text.replace(/\\x\{([0-9a-f]{2,6})\}/gi, (whole, digits: string) => {
    const code = Number.parseInt(digits, 16);
    return code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
  });

/** The address of a field such as `rfc822; ada@example.org`. */
function addressOf(field: string | undefined): string {
  const text = field?.slice(0, 2_000) ?? '';
  return comparable(charactersOf(text.slice(text.lastIndexOf(';') + 1)));
}

const isAboutAddress = (recipient: FieldGroup, to: string): boolean =>
  addressOf(recipient.get('final-recipient')) === to || addressOf(recipient.get('original-recipient')) === to;

const localPart = (address: string): string => address.slice(0, address.lastIndexOf('@'));
const domain = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/**
 * Whether both parts of the recipient's address differ from the address that we sent to: then the server expanded a list, and the
 * list's address is good.
 */
function isOfListMember(recipient: FieldGroup, to: string): boolean {
  const addresses = ['final-recipient', 'original-recipient']
    .map((name) => addressOf(recipient.get(name)))
    .filter((address) => address.includes('@'));
  return (
    addresses.length > 0 &&
    addresses.every((address) => localPart(address) !== localPart(to) && domain(address) !== domain(to))
  );
}

/** The lines about this recipient, if the text is about several. OpenSMTPD writes a line for each recipient. */
function linesOf(recipient: FieldGroup, lines: readonly string[]): readonly string[] {
  const address = addressOf(recipient.get('final-recipient'));
  const ownLines = lines.filter((line) => line.toLowerCase().startsWith(`${address}:`));
  return address === '' || ownLines.length === 0 ? lines : ownLines;
}

function bounceOf(recipient: FieldGroup, lines: readonly string[]): BounceDetails {
  const status = statusOf(recipient);
  const message = recipient.get('diagnostic-code') ?? '';
  const recipientLines = linesOf(recipient, lines);
  if (saysSomething(message)) return reportedBounce(message, { status, stage: stageOf(recipientLines.join(' ')) });
  // Without words of the server, the reason may be beside the status, or in the human-readable text.
  const comment = /\((.{3,200})\)/.exec(recipient.get('status') ?? '')?.[1] ?? '';
  const fromComment = saysSomething(comment) ? [reportedBounce(comment, { status })] : [];
  const mildest = mildestBounce([...fromComment, bounceOfLines(recipientLines, status) ?? []].flat());
  return mildest ?? reportedBounce(`The message was not delivered (${status ?? 'no status'}).`, { status });
}

function factOf(recipient: FieldGroup, lines: readonly string[]): ReportedFact | undefined {
  const action = /^[a-z-]+/.exec(recipient.get('action')?.toLowerCase() ?? '')?.[0];
  switch (action) {
    case 'failed':
    case 'failure':
    case 'expired':
      return { kind: 'bounced', bounce: bounceOf(recipient, lines) };
    case 'delayed': {
      const message = recipient.get('diagnostic-code') ?? '';
      const reason = saysSomething(message) ? diagnosticOf(message) : bounceOfLines(lines)?.diagnostic;
      return { kind: 'delivery_delayed', reason: reason || 'Delayed.' };
    }
    case 'delivered':
      return { kind: 'delivered' };
    default:
      return undefined;
  }
}

/** The groups of fields, one for each recipient. Some servers, and people who forward a report, put them into the text. */
function recipientsOf(mail: ReportMail): FieldGroup[] | undefined {
  const part = mail.part('message/delivery-status', 'message/global-delivery-status');
  const text = isFromServer(mail) ? mail.text.replace(/^(?:> ?)+/gm, '') : mail.text;
  if (part === undefined && !(/^[ \t]*final-recipient:/im.test(text) && /^[ \t]*action:/im.test(text)))
    return undefined;
  return groupsOf((part ?? text).slice(0, 100_000)).filter((group) => group.has('action'));
}

/**
 * The time of the server's last attempt to deliver (`Last-Attempt-Date`, RFC 3464, section 2.3.7). `Arrival-Date` is
 * not used, because it is the time when the message reached the server, which may be days before the bounce.
 */
export function lastAttemptOf(mail: ReportMail): number | undefined {
  const times = (recipientsOf(mail) ?? []).flatMap((group) => timeOf(group.get('last-attempt-date')) ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}

/**
 * The report's statement about the recipient of the message; undefined if the report has no machine-readable part. A send has one
 * recipient, but a server that expanded its address into others reports on each. @param to the address that the returned message was sent
 * to, if it is known
 */
export function readStatus(mail: ReportMail, to: string | undefined): { readonly fact?: ReportedFact } | undefined {
  const groups = recipientsOf(mail);
  // If the machine-readable part names no recipient, only the text contains the result.
  if (groups === undefined || groups.length === 0) return undefined;
  const lines = ownWordsOf(mail);
  const ownGroups = to === undefined ? [] : groups.filter((group) => isAboutAddress(group, to));
  const facts = (ownGroups.length === 0 ? groups : ownGroups).flatMap((group) => {
    const fact = factOf(group, lines);
    if (fact?.kind !== 'bounced' || fact.bounce.class !== 'hard' || to === undefined || !isOfListMember(group, to))
      return fact ?? [];
    return { kind: 'bounced', bounce: { ...fact.bounce, class: 'undetermined' } } satisfies ReportedFact;
  });
  const bounces = facts.flatMap((fact) => (fact.kind === 'bounced' ? [fact.bounce] : []));
  const bounce = mildestBounce(bounces);
  // The mail has reached at least one of the recipients, or may still reach them.
  const notBounced = facts.find(({ kind }) => kind !== 'bounced');
  if (notBounced !== undefined && bounce?.class !== 'soft') return { fact: notBounced };
  return bounce === undefined ? {} : { fact: { kind: 'bounced', bounce } };
}
