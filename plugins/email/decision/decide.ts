// Decides whether an address may be sent a mail, and when. Pure: the same facts give the same answer. Called when a send is
// accepted and again when it is delivered, and by callers who want to know the decision beforehand.
import { toIsoTime } from '../../../core/index.ts';
import { counted, isAlwaysAllowed, nextSendingTime, type SendingHours } from '../../../core/unstable.ts';
import type { MailCategory, Suppressed } from '../../suppressions/index.ts';
import { suppressedSentence } from '../timeline/why-not-sent.ts';

/** The reasons why a mail may not be sent now, in the order in which they are listed. */
export const decisionCodes = [
  'suppressed',
  'no_consent',
  'topic',
  'frequency_cap',
  'quiet_hours',
  'reputation_hold',
  'ramp',
  'no_address',
  'expired',
] as const;

export type DecisionCode = (typeof decisionCodes)[number];

/** One reason why a mail may not be sent now. */
export interface DecisionReason {
  readonly code: DecisionCode;
  /** A sentence for people. */
  readonly message: string;
}

/** Whether a mail may be sent at the time in question. */
export interface Decision {
  readonly allowed: boolean;
  /** The time from which the mail may be sent, in milliseconds, if every reason ends by itself. Undefined also if the time is unknown. */
  readonly after: number | undefined;
  /** Empty if the mail may be sent. */
  readonly reasons: readonly DecisionReason[];
}

/** The decision about a mail that may be sent. */
export const allowed: Decision = { allowed: true, after: undefined, reasons: [] };

/** The maximum number of marketing mails to one address within a period. */
export interface FrequencyCap {
  readonly max: number;
  /** The length of the period, which ends now, in milliseconds. */
  readonly windowMs: number;
}

/** Facts that only matter for marketing mail. A missing fact forbids nothing. */
export interface MarketingFacts {
  /** The mail needs the recipient's consent, and the consent is missing. */
  readonly consent?: 'missing' | undefined;
  /** The topic of the mail, and whether the recipient is subscribed to it. */
  readonly topic?: { readonly key: string; readonly subscribed: boolean } | undefined;
  /** The hours and days of the recipient, in the recipient's time zone. */
  readonly hours?: (SendingHours & { readonly zone: string }) | undefined;
  readonly caps?: readonly FrequencyCap[] | undefined;
  /** The times at which earlier marketing mail to the address was accepted, the newest first, in milliseconds. */
  readonly acceptedAt?: readonly number[] | undefined;
  /** Whether marketing mail of the sender waits until somebody releases it. */
  readonly hold?: boolean | undefined;
  /** The time from which the sender's domain may send more, in milliseconds. */
  readonly rampUntil?: number | undefined;
  /** Whether the sender's domain limits how much marketing mail leaves: the mail then needs a slot right before its hand-over. */
  readonly needsSlot?: boolean | undefined;
}

/** Everything that the decision depends on. */
export interface DecisionFacts {
  readonly category: MailCategory;
  readonly sandbox: boolean;
  readonly hasAddress: boolean;
  /** The suppression that stops mail of this category, if any. */
  readonly suppressed: Suppressed | undefined;
  readonly marketing: MarketingFacts;
  /** The time at which the mail would leave, in milliseconds: now, or the time for which it is scheduled. */
  readonly at: number;
  /** The time at which the mail is accepted, in milliseconds. Caps count back from this time. */
  readonly now: number;
  readonly expiresAt: number | null;
}

/** Whether a mail is too late at this time. */
export const isExpired = (expiresAt: number | null, at: number): boolean => expiresAt !== null && expiresAt <= at;

/** The reason why an expired mail is not sent. */
export const expiredReason = (expiresAt: number): DecisionReason => ({
  code: 'expired',
  message: `The mail expires at ${toIsoTime(expiresAt)}, before it may be sent.`,
});

/** Reasons that end by themselves, or that somebody lifts. A mail waits for them. */
const waitCodes: ReadonlySet<DecisionCode> = new Set(['quiet_hours', 'reputation_hold', 'ramp']);

/** A reason, and the time until which the mail has to wait for it; undefined if the time is unknown. */
interface FoundReason extends DecisionReason {
  readonly until?: number;
}

function exceededCap({ caps = [], acceptedAt = [] }: MarketingFacts, now: number): FrequencyCap | undefined {
  return caps.find(({ max, windowMs }) => acceptedAt.filter((at) => at > now - windowMs).length >= max);
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** The length of a period in words: as a number above 1 of the largest unit that divides it. */
function periodText(windowMs: number): string {
  const [unit, ms] = units.find(([, size]) => windowMs % size === 0 && windowMs > size) ?? (['second', 1_000] as const);
  return counted(windowMs / ms, unit);
}

const capSentence = ({ max, windowMs }: FrequencyCap): string =>
  `The marketing calendar allows ${counted(max, 'marketing mail')} in ${periodText(windowMs)}, and the address has already got as many.`;

function hoursSentence({ quietHours, weekdays, zone }: NonNullable<MarketingFacts['hours']>, until: number): string {
  const hours = quietHours === null ? '' : `, not from ${quietHours.from} to ${quietHours.to}`;
  return `Marketing mail reaches this address on ${weekdays.join(', ')}${hours} (${zone}). The next time is ${toIsoTime(until)}.`;
}

/** The reason why a mail waits if its sending domain has sent enough. */
export const rampReason = (until: number): DecisionReason => ({
  code: 'ramp',
  message: `The sending domain is new and sends no more marketing mail before ${toIsoTime(until)}.`,
});

/** The reasons that only marketing mail has. */
function marketingReasons({ marketing, sandbox, at, now }: DecisionFacts): FoundReason[] {
  const { consent, topic, hours, hold, rampUntil } = marketing;
  const reasons: FoundReason[] = [];
  if (consent === 'missing')
    reasons.push({ code: 'no_consent', message: 'The recipient has not agreed to this mail.' });
  if (topic?.subscribed === false)
    reasons.push({ code: 'topic', message: `The recipient gets no mail about ${topic.key}.` });
  const cap = exceededCap(marketing, now);
  if (cap !== undefined) reasons.push({ code: 'frequency_cap', message: capSentence(cap) });
  // Mail of the sandbox reaches nobody, so it neither harms a sender's reputation nor uses up a ramp.
  const ramp = sandbox || rampUntil === undefined || rampUntil <= at ? undefined : rampUntil;
  const from = ramp ?? at;
  const until = hours === undefined || isAlwaysAllowed(hours) ? from : nextSendingTime(hours, hours.zone, from);
  if (hours !== undefined && until > from)
    reasons.push({ code: 'quiet_hours', message: hoursSentence(hours, until), until });
  if (hold === true && !sandbox)
    reasons.push({ code: 'reputation_hold', message: 'Marketing mail of this workspace waits until it is released.' });
  if (ramp !== undefined) reasons.push({ ...rampReason(ramp), until: ramp });
  return reasons;
}

/** The time from which a mail with these reasons may be sent; undefined if it never may, or if the time is unknown. */
function afterOf(reasons: readonly FoundReason[]): number | undefined {
  if (reasons.length === 0) return undefined;
  const times = reasons.map(({ code, until }) => (waitCodes.has(code) ? until : undefined));
  return times.some((time) => time === undefined) ? undefined : Math.max(...times.map((time) => time ?? 0));
}

/** Decides whether the mail may be sent, with all reasons why not. */
export function decide(facts: DecisionFacts): Decision {
  const { category, hasAddress, suppressed, at, expiresAt } = facts;
  const reasons: FoundReason[] = [];
  if (suppressed !== undefined) reasons.push({ code: 'suppressed', message: suppressedSentence(suppressed) });
  if (category === 'marketing') reasons.push(...marketingReasons(facts));
  if (!hasAddress) reasons.push({ code: 'no_address', message: 'The contact has no email address.' });
  const after = afterOf(reasons);
  if (expiresAt !== null && isExpired(expiresAt, after ?? at)) reasons.push(expiredReason(expiresAt));
  return {
    allowed: reasons.length === 0,
    after: afterOf(reasons),
    reasons: reasons.map(({ code, message }) => ({ code, message })),
  };
}

/** The result of a decision for one mail. */
export type DecisionEffect =
  | { readonly kind: 'sent' }
  /** `until` is undefined if it is unknown when the mail may be sent. */
  | { readonly kind: 'waits'; readonly reason: DecisionReason; readonly until: number | undefined }
  | { readonly kind: 'suppressed' | 'expired'; readonly reason: DecisionReason };

/** The result for a mail: the first reason that stops it, otherwise the first reason that lets it wait. */
export function effectOf({ reasons, after }: Decision): DecisionEffect {
  const stops = reasons.find(({ code }) => code !== 'expired' && !waitCodes.has(code));
  if (stops !== undefined) return { kind: 'suppressed', reason: stops };
  const expired = reasons.find(({ code }) => code === 'expired');
  if (expired !== undefined) return { kind: 'expired', reason: expired };
  const [first] = reasons;
  return first === undefined ? { kind: 'sent' } : { kind: 'waits', reason: first, until: after };
}

/** A reason as `whyNotSent` shows it: the code. For a suppression, also its cause. */
export const whyNotSentOf = ({ code, message }: DecisionReason): string => (code === 'suppressed' ? message : code);
