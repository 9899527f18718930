// Classifies a mail server's answer to a send: whether it is final, and the kind of bounce. Pure; called by the SMTP adapter
// (smtp-errors.ts). The stage of the session decides whether the recipient, the message or the account was refused, never the words
// alone: only an answer to RCPT TO can be a bounce.

import { oneLine } from '../../core/contract/values/shorten.ts';
import { type BounceDetails, MailError } from '../../plugins/email/port/index.ts';
import { classifyRefusal, type SmtpStage } from './bounce-class.ts';

export type { SmtpStage } from './bounce-class.ts';

/** A server's answer, parsed. */
export interface SmtpResponse {
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
export function parseSmtpResponse(response: string): SmtpResponse | undefined {
  const leading = LEADING_CODES.exec(response);
  if (!leading) return undefined;
  const enhancedCode = leading[2] ?? TRAILING_ENHANCED_CODE.exec(response.slice(0, 2_000))?.[1];
  const diagnostic = oneLine(response, 500);
  return { code: Number(leading[1]), diagnostic, ...(enhancedCode === undefined ? {} : { enhancedCode }) };
}

/** The number of characters of an answer that are analysed; its words come first. */
const maxReadCharacters = 1_000;

/** The answer's words without codes and addresses, because `sender@` or `policy@` would be misleading. */
function wordsOf(response: SmtpResponse): string {
  return response.diagnostic
    .slice(0, maxReadCharacters)
    .replace(/<[^<>]*>|\S+@\S+/g, ' ')
    .toLowerCase();
}

/** The subject of a refusal that came before the recipient was named. */
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
function refusedPart(response: SmtpResponse, stage: SmtpStage): RefusedPart {
  const { code, enhancedCode = '' } = response;
  if (LOGIN_REFUSED.has(code) || enhancedCode === '5.7.8') return 'login';
  if (stage === 'session' || SERVICE_REFUSED.has(code) || enhancedCode === '5.7.13') return 'account';
  if (classifyRefusal(response, stage).subType === 'message_too_large') return 'message';
  const text = wordsOf(response);
  if (ABOUT_ACCOUNT.test(text)) return 'account';
  if (/^5\.1\./.test(enhancedCode) || ABOUT_SENDER.test(text)) return 'sender';
  return ABOUT_SERVICE.test(text) ? 'account' : 'sender';
}

/** The fault, and whether the server refused its service: it accepted nothing, and another provider may accept the message. */
function faultOf(
  response: SmtpResponse,
  stage: SmtpStage,
): Pick<MailError, 'fault' | 'unavailable' | 'credentialsRefused'> {
  const isEarly = stage === 'session' || stage === 'sender';
  const defaults = { unavailable: isEarly, credentialsRefused: false };
  if (response.code < 500 || response.code >= 600) return { ...defaults, fault: 'transient' };
  if (!isEarly) return { ...defaults, fault: stage === 'recipient' ? 'bounced' : 'rejected' };
  const part = refusedPart(response, stage);
  // A message is retried for hours, in which a person can repair a login or an account.
  const fault = part === 'login' || part === 'account' ? 'transient' : 'rejected';
  return { fault, unavailable: part !== 'message', credentialsRefused: part === 'login' };
}

/**
 * The error for a server's answer. 4xx, and an answer that is not a refusal (out of sequence), is `transient`. 5xx to RCPT TO is
 * `bounced`, hard or undetermined. Before that, 5xx is `transient` if it concerns the login, the account or the connection, else
 * `rejected`, and the provider is `unavailable`. Any other 5xx is `rejected`. `bounce` is always set.
 */
export function mailErrorOfResponse(response: SmtpResponse, stage: SmtpStage, cause?: unknown): MailError {
  const { fault, ...refusal } = faultOf(response, stage);
  const classified = classifyRefusal(response, stage);
  const bounce: BounceDetails = {
    class: fault === 'transient' ? 'soft' : fault === 'bounced' ? classified.class : 'undetermined',
    subType: classified.subType,
    smtpCode: response.code,
    diagnostic: response.diagnostic,
    ...(response.enhancedCode === undefined ? {} : { enhancedCode: response.enhancedCode }),
  };
  return new MailError(fault, response.diagnostic, {
    cause,
    bounce,
    ...refusal,
    smtpCode: response.code,
    ...(response.enhancedCode === undefined ? {} : { enhancedCode: response.enhancedCode }),
  });
}
