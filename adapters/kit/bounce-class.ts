// Classifies refusals: answers of mail servers during a send, reports that arrive as mail, and reports of providers
// that contain a server's words. Words and code are judged together, because many servers write 5.1.1 for any reason.
// Only a missing mailbox or domain is a hard bounce; a block, a full mailbox, greylisting or the content never is.
// Pure.
import { type BounceDetails, isGreylisting } from '../../plugins/email/port/index.ts';
import {
  isMostlyNotLatin,
  missingReason,
  otherReason,
  plainWordsOf,
  type RefusalReason,
  saysUnknownUser,
} from './bounce-words.ts';

/**
 * The stage of the server's answer: connecting up to AUTH, MAIL FROM, RCPT TO, DATA, or the content's final dot. `report` if a
 * report contains the answer but does not name the command.
 */
export type SmtpStage = 'session' | 'sender' | 'recipient' | 'data' | 'content' | 'report';

/** A refusal, as far as it is known. */
export interface KnownRefusal {
  readonly code?: number;
  /** RFC 3463, such as 5.1.1. */
  readonly enhancedCode?: string;
  readonly diagnostic: string;
  /** Whether the server only gave up after temporary refusals. (Default: derived from the code) */
  readonly temporary?: boolean;
}

type SubType = BounceDetails['subType'];

/** Reasons that can be true only if the mailbox may exist. With such a reason, no code makes the refusal a hard bounce. */
const reasonsAgainstHard: ReadonlySet<RefusalReason> = new Set([
  'greylisted',
  'mailbox_full',
  'too_large',
  'attachment',
  'content',
  'block_list',
  'authentication',
  'relay',
  'rate',
  'loop',
  'gave_up',
  'local_fault',
]);

/** A link often contains the reason as one word, although the sentence before it does not. */
const blockedByLink =
  /\b(?:blocked|block-?list|blacklist|\w*rbl|dnsbl|bl|spam\w*|sorbs|barracuda\w*|reputation|polic(?:y|ies))\b/;

/** Everything that is known about one refusal. */
interface AnalyzedRefusal {
  readonly code: number | undefined;
  /** The subject and the detail of the enhanced code, such as 1.1; empty if there is none. */
  readonly detail: string;
  readonly other: RefusalReason | undefined;
  readonly missing: RefusalReason | undefined;
  readonly stage: SmtpStage;
  /** Whether the words say that the user is unknown, not only that a mailbox is invalid or unavailable. */
  readonly isUnknown: boolean;
  /** Whether the words are in a script of which the tables know only a few phrases. */
  readonly isForeign: boolean;
}

/**
 * RFC 3463: x.1.x concerns the recipient's address, except for three codes about the sender's. x.1.4 says that the address is
 * ambiguous, and x.1.5 that it is valid.
 */
const isAboutRecipient = (detail: string): boolean => detail.startsWith('1.') && !/^1\.[45789]$/.test(detail);

/**
 * Answers that mean a missing mailbox according to the vendor's documentation, although neither the code nor the words show it.
 */
const missingByVendor = [
  // Exchange Online, directory-based edge blocking: the tenant has no such recipient.
  { detail: '4.1', words: /\brecipient address rejected: access denied/ },
] as const;

function analyzeRefusal({ code, enhancedCode, diagnostic }: KnownRefusal, stage: SmtpStage): AnalyzedRefusal {
  const plainWords = plainWordsOf(diagnostic);
  const detail = enhancedCode?.slice(2) ?? '';
  if (missingByVendor.some((one) => one.detail === detail && one.words.test(plainWords.words)))
    return { code, detail, other: undefined, missing: 'no_mailbox', stage, isUnknown: true, isForeign: false };
  const missing = missingReason(plainWords);
  const statedReason = isGreylisting(diagnostic) ? 'greylisted' : otherReason(plainWords);
  const isProven = missing !== undefined && isAboutRecipient(detail);
  const other = statedReason ?? (!isProven && blockedByLink.test(plainWords.links) ? 'block_list' : undefined);
  return {
    code,
    detail,
    other,
    missing,
    stage,
    isUnknown: saysUnknownUser(plainWords),
    isForeign: isMostlyNotLatin(plainWords),
  };
}

/** Whether a permanent refusal means that mail can never reach this address. */
function isHardRefusal({ detail, other, missing, stage, isUnknown, isForeign }: AnalyzedRefusal): boolean {
  if (stage === 'session' || stage === 'sender' || (other !== undefined && reasonsAgainstHard.has(other))) return false;
  const isAboutAddress = isAboutRecipient(detail);
  // After the content, only a code about the recipient counts, because filters answer "user unknown" to unwanted
  // messages.
  if (stage === 'content' && detail !== '1.1') return false;
  const isUncontested = other === undefined || other === 'disabled';
  if (isAboutAddress && missing !== undefined) return detail === '1.0' ? other === undefined : isUncontested;
  if (missing === undefined) return isAboutAddress && isUncontested && !isForeign;
  // Servers also write "mailbox unavailable" and similar words when a policy refuses the mail.
  if (detail.startsWith('7.') && !isUnknown) return false;
  // The code names another fault: full (5.2.2), size (5.2.3, 5.3.4), the route (5.4.x) or the content (5.6.x).
  if (/^(?:2\.(?!1$)|3\.(?!0$)|6\.)/.test(detail) || (missing === 'no_domain' && detail.startsWith('4.'))) return false;
  return other === undefined;
}

/**
 * Whether a server gave up after days of temporary refusals that all named an unknown mailbox: some servers answer 450 4.1.1 for
 * unknown mailboxes. Without such words or this code, a temporary refusal stays temporary.
 */
const isPersistentlyUnknown = ({ detail, other, missing, stage }: AnalyzedRefusal): boolean =>
  stage === 'report' && detail === '1.1' && missing === 'no_mailbox' && other === undefined;

const subTypeByReason: Partial<Readonly<Record<RefusalReason, SubType>>> = {
  mailbox_full: 'mailbox_full',
  too_large: 'message_too_large',
  greylisted: 'policy',
  block_list: 'policy',
  authentication: 'policy',
  relay: 'policy',
  rate: 'policy',
  sender: 'policy',
  policy: 'policy',
};

function subTypeOfHard({ detail, missing }: AnalyzedRefusal): SubType {
  if (missing !== 'no_mailbox' && (missing === 'no_domain' || detail === '1.2' || detail === '1.10'))
    return 'dns_failure';
  return missing === undefined && (detail === '1.0' || detail === '') ? 'general' : 'no_mailbox';
}

/** The reason that the code states, if the text does not state a more exact one. */
function subTypeOfCode({ code, detail, stage }: AnalyzedRefusal): SubType | undefined {
  if (detail === '1.2' || detail === '1.10' || detail === '4.3' || detail === '4.4') return 'dns_failure';
  if (detail === '1.7' || detail === '1.8') return 'policy';
  if (detail !== '1.0' && isAboutRecipient(detail)) return 'no_mailbox';
  if (detail.startsWith('6.')) return 'content_rejected';
  if (detail.startsWith('7.')) return 'policy';
  // RFC 5321 4.2.2: 552 is "exceeded storage allocation": of the mailbox after RCPT, of the message's size elsewhere.
  if (code === 552 && detail === '')
    return stage === 'recipient' || stage === 'report' ? 'mailbox_full' : 'message_too_large';
  return undefined;
}

function subTypeOf(weighed: AnalyzedRefusal, isHard: boolean): SubType {
  const { detail, other, missing, stage } = weighed;
  if (isHard) return subTypeOfHard(weighed);
  const isBeforeContent = stage !== 'content' && stage !== 'report';
  if (other === 'attachment' && !isBeforeContent) return 'attachment_rejected';
  if (detail === '2.2') return 'mailbox_full';
  if (detail === '2.3' || detail === '3.4') return 'message_too_large';
  // Before the content was sent, "spam" can only refer to the sender.
  if (other === 'content' || other === 'attachment') return isBeforeContent ? 'policy' : 'content_rejected';
  if (other === 'gave_up' || other === 'loop') return 'general';
  const byWords = other === undefined ? undefined : subTypeByReason[other];
  if (byWords !== undefined) return byWords;
  if (missing !== undefined && !/^[67]\./.test(detail)) return missing === 'no_domain' ? 'dns_failure' : 'no_mailbox';
  return subTypeOfCode(weighed) ?? 'general';
}

const isTemporary = ({ code, enhancedCode, temporary }: KnownRefusal): boolean =>
  temporary ?? (code === undefined ? enhancedCode?.startsWith('4.') === true : code < 500 || code >= 600);

/** The class and the subtype of a refusal. Temporary refusals are soft; so is a report of a server that stopped trying. */
export function classifyRefusal(refusal: KnownRefusal, stage: SmtpStage): Pick<BounceDetails, 'class' | 'subType'> {
  const weighed = analyzeRefusal(refusal, stage);
  const isSoft =
    (isTemporary(refusal) && !isPersistentlyUnknown(weighed)) || (stage === 'report' && weighed.other === 'gave_up');
  const isHard = !isSoft && isHardRefusal(weighed);
  return { class: isSoft ? 'soft' : isHard ? 'hard' : 'undetermined', subType: subTypeOf(weighed, isHard) };
}
