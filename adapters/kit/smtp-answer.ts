// Classifies a mail server's answer: which kind of bounce a refusal is. Pure; called by the SMTP adapter and by the adapters that
// parse providers' reports. The stage decides what was refused, never the words alone: only an answer to RCPT TO can be a bounce.

import { type BounceDetails, MailError } from '../../plugins/email/port/index.ts';

/** The stage of the server's answer: connecting up to AUTH, MAIL FROM, RCPT TO, DATA, or the content's final dot. */
export type SmtpStage = 'session' | 'sender' | 'recipient' | 'data' | 'content';

/** A server's answer, parsed. */
export interface SmtpAnswer {
  readonly code: number;
  /** RFC 3463, such as 5.1.1; absent if the server sent none. */
  readonly enhancedCode?: string;
  /** The whole answer on one line, codes included, at most 500 characters. */
  readonly diagnostic: string;
}

const LEADING_CODES = /^(\d{3})(?:[ -](?:#?([245]\.\d{1,3}\.\d{1,3})\b)?|$)/;
/** qmail and its derivatives put the code at the end: `sorry, no mailbox here by that name. (#5.1.1)`. */
const TRAILING_ENHANCED_CODE = /\(#([245]\.\d{1,3}\.\d{1,3})\)/;

/** Parses an answer; undefined if the text doesn't start like one (RFC 5321 4.2). */
export function parseSmtpAnswer(response: string): SmtpAnswer | undefined {
  const leading = LEADING_CODES.exec(response);
  if (!leading) return undefined;
  const enhancedCode = leading[2] ?? TRAILING_ENHANCED_CODE.exec(response.slice(0, 2_000))?.[1];
  const diagnostic = response
    .slice(0, 2_000)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 500);
  return { code: Number(leading[1]), diagnostic, ...(enhancedCode === undefined ? {} : { enhancedCode }) };
}

const MAILBOX_UNKNOWN = [
  /\b(?:no such|unknown|invalid|non-?existent|not a (?:valid|known)) (?:local )?(?:user|mailbox|recipient|account|address|person)/,
  /\b(?:user|mailbox|recipient|account|address)\b.{0,60}\b(?:unknown|not found|not known|unavailable|no longer exists|(?:does not|doesn'?t|didn'?t) exist|not local)/,
  /\bno mailbox (?:here )?by that name/,
];
/** Words that show that the sender, the relay or the content was refused, regardless of the rest of the answer. */
const REFUSED_FOR_ANOTHER_REASON =
  /\bsender|\brelay|\bspam|\bblock|\bblack ?list|\bpolicy|\bdenied|\breputation|\b(?:spf|dkim|dmarc|rbl)\b/;
const DOMAIN_UNKNOWN =
  /\bunroute?able|\bnull mx\b|\bno mx\b|\b(?:host|domain)\b.{0,40}\b(?:not found|unknown|does not exist|doesn'?t exist)/;
const MAILBOX_FULL =
  /\bquota|\b(?:mailbox|storage|inbox)\b.{0,40}\b(?:full|exceed|over|limit)|\bexceed.{0,30}\b(?:storage|mailbox)/;
const TOO_LARGE = /\b(?:message|mail|size)\b.{0,40}\b(?:too (?:big|large)|exceed|limit)|\btoo (?:big|large)\b/;
const ATTACHMENT = /\battachment|\bfile (?:type|extension)|\bexecutable|\bbanned (?:file|name)/;
const CONTENT = /\bspam|\bvirus|\bmalware|\bcontent|\bjunk/;

/** The number of characters of an answer that are analysed; its words come first. */
const longestRead = 1_000;

/** The answer's words without codes and addresses, because `sender@` or `policy@` would be misleading. */
function wordsOf(answer: SmtpAnswer): string {
  return answer.diagnostic
    .slice(0, longestRead)
    .replace(/<[^<>]*>|\S+@\S+/g, ' ')
    .toLowerCase();
}

function subTypeOf(answer: SmtpAnswer, stage: SmtpStage): BounceDetails['subType'] {
  const words = wordsOf(answer);
  const detail = answer.enhancedCode?.slice(2) ?? '';
  if (stage === 'content' && ATTACHMENT.test(words)) return 'attachment_rejected';
  if (detail === '2.2') return 'mailbox_full';
  if (detail === '2.3' || detail === '3.4') return 'message_too_large';
  if (detail === '1.2' || detail === '1.10' || detail.startsWith('4.')) {
    return isMailboxUnknown(answer) ? 'no_mailbox' : 'dns_failure';
  }
  if (detail === '1.7' || detail === '1.8') return 'policy';
  if (detail.startsWith('1.') && detail !== '1.0') return 'no_mailbox';
  if (detail.startsWith('6.')) return 'content_rejected';
  if (detail.startsWith('7.')) return 'policy';
  if (answer.code === 552 || answer.code === 452) {
    if (MAILBOX_FULL.test(words)) return 'mailbox_full';
    if (TOO_LARGE.test(words)) return 'message_too_large';
    // RFC 5321 4.2.2: 552 is "exceeded storage allocation": the mailbox's at RCPT, the message's size elsewhere.
    if (answer.code === 552) return stage === 'recipient' ? 'mailbox_full' : 'message_too_large';
  }
  if (isMailboxUnknown(answer)) return 'no_mailbox';
  if (MAILBOX_FULL.test(words)) return 'mailbox_full';
  if (stage === 'content' && CONTENT.test(words)) return 'content_rejected';
  if (REFUSED_FOR_ANOTHER_REASON.test(words)) return 'policy';
  return DOMAIN_UNKNOWN.test(words) ? 'dns_failure' : 'general';
}

/** Whether the words mean that the mailbox doesn't exist, and no code gives another reason. */
function isMailboxUnknown(answer: SmtpAnswer): boolean {
  if (/^\d\.[27]\./.test(answer.enhancedCode ?? '')) return false;
  const words = wordsOf(answer);
  return !REFUSED_FOR_ANOTHER_REASON.test(words) && MAILBOX_UNKNOWN.some((pattern) => pattern.test(words));
}

/**
 * Whether a refused recipient does not exist permanently. Codes 5.1.x and mailbox-unknown words mean this; 5.1.7 and 5.1.8 do
 * not, because RFC 3463 defines them for the sender's address (and servers that delay their checks send them at RCPT TO).
 */
function isHardBounce(answer: SmtpAnswer): boolean {
  const code = answer.enhancedCode ?? '';
  if (code.startsWith('5.1.')) {
    const aboutSender = code === '5.1.7' || code === '5.1.8' || (code === '5.1.0' && /\bsender/.test(wordsOf(answer)));
    return !aboutSender;
  }
  return isMailboxUnknown(answer);
}

/** The subject of a refusal before the recipient. */
type RefusedPart = 'login' | 'account' | 'sender' | 'message';

/** RFC 4954, section 6, and RFC 5248: the login is wrong, too weak, or of a kind that the server does not accept. */
const LOGIN_REFUSED: ReadonlySet<number> = new Set([534, 535]);
/** RFC 5248 and RFC 7504: a login is missing or its account is disabled, or the host accepts no mail at all. */
const SERVICE_REFUSED: ReadonlySet<number> = new Set([521, 525, 530, 538]);
const ABOUT_ACCOUNT =
  /\baccount|\bsuspend|\b(?:disabled|deactivated|inactive|locked|banned|terminated)\b|\b(?:billing|payment|unpaid|overdue|subscription|plan|credits?|trial)\b|\bquota|\b(?:daily|hourly|monthly|sending|rate) limit|\btoo many\b/;
const ABOUT_SENDER =
  /\bsender|\bfrom[- ](?:address|domain|header)|\bsend as\b|\bnot owned\b|\bunverified\b|\bnot verified\b|\bdomain\b/;
const ABOUT_SERVICE =
  /\bauth|\blog ?in\b|\bpassword|\bcredential|\brelay|\bblock|\bblack ?list|\bdeny|\bdenied|\breputation|\brbl\b|\bclient\b|\bip\b|\bpermi|\bnot allowed|\bunauthori[sz]ed|\blimit|\bexceed|\bunavailable|\btls\b|\bencrypt/;

/** The subject of a 5xx that came before the recipient was named. */
function refusedPart(answer: SmtpAnswer, stage: SmtpStage): RefusedPart {
  const { code, enhancedCode = '' } = answer;
  if (LOGIN_REFUSED.has(code) || enhancedCode === '5.7.8') return 'login';
  if (stage === 'session' || SERVICE_REFUSED.has(code) || enhancedCode === '5.7.13') return 'account';
  if (subTypeOf(answer, stage) === 'message_too_large') return 'message';
  const words = wordsOf(answer);
  if (ABOUT_ACCOUNT.test(words)) return 'account';
  if (/^5\.1\./.test(enhancedCode) || ABOUT_SENDER.test(words)) return 'sender';
  return ABOUT_SERVICE.test(words) ? 'account' : 'sender';
}

/** The fault, and whether the server refused its service: it accepted nothing, and another provider may accept the message. */
function faultOf(
  answer: SmtpAnswer,
  stage: SmtpStage,
): Pick<MailError, 'fault' | 'unavailable' | 'credentialsRefused'> {
  const isEarly = stage === 'session' || stage === 'sender';
  const known = { unavailable: isEarly, credentialsRefused: false };
  if (answer.code < 500 || answer.code >= 600) return { ...known, fault: 'transient' };
  if (!isEarly) return { ...known, fault: stage === 'recipient' ? 'bounced' : 'rejected' };
  const part = refusedPart(answer, stage);
  // A person can fix a login or an account within the hours in which messages are retried.
  const fault = part === 'login' || part === 'account' ? 'transient' : 'rejected';
  return { fault, unavailable: part !== 'message', credentialsRefused: part === 'login' };
}

/**
 * The error for a server's answer. 4xx, and an answer that is not a refusal (out of sequence), is `transient`. 5xx to RCPT TO is
 * `bounced`, hard or undetermined. Before that, 5xx is `transient` if it concerns the login, the account or the connection, else
 * `rejected`, and the provider is `unavailable`. Any other 5xx is `rejected`. `bounce` is always set.
 */
export function answerToMailError(answer: SmtpAnswer, stage: SmtpStage, cause?: unknown): MailError {
  const { fault, ...refusal } = faultOf(answer, stage);
  const bounce: BounceDetails = {
    class: fault === 'transient' ? 'soft' : fault === 'bounced' && isHardBounce(answer) ? 'hard' : 'undetermined',
    subType: subTypeOf(answer, stage),
    smtpCode: answer.code,
    diagnostic: answer.diagnostic,
    ...(answer.enhancedCode === undefined ? {} : { enhancedCode: answer.enhancedCode }),
  };
  return new MailError(fault, answer.diagnostic, {
    cause,
    bounce,
    ...refusal,
    smtpCode: answer.code,
    ...(answer.enhancedCode === undefined ? {} : { enhancedCode: answer.enhancedCode }),
  });
}

/**
 * The bounce from a server's words, as a provider passes them on: `smtp; 550 5.1.1 No such user` (RFC 3464) or without the first
 * word. @param known the provider's own classification, which takes precedence over the words
 */
export function bounceOfWords(
  words: string,
  known: Partial<Pick<BounceDetails, 'class' | 'subType' | 'enhancedCode'>> = {},
): BounceDetails {
  const plain = words.replace(/^\s*smtp\s*;\s*/i, '');
  const answer = parseSmtpAnswer(plain);
  const read = answer === undefined ? undefined : answerToMailError(answer, 'recipient').bounce;
  const unread: BounceDetails = {
    class: 'undetermined',
    subType: 'general',
    diagnostic: plain
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, 500),
  };
  return { ...(read ?? unread), ...known };
}
