// The bounce that a report describes, from a server's words in the report. The report comes from a mail server or a provider.
// bounce-class.ts classifies the words; their class takes precedence over the report's status and a provider's own class.
import { oneLine } from '../../core/contract/values/shorten.ts';
import type { BounceDetails } from '../../plugins/email/port/index.ts';
import { classifyRefusal, type KnownRefusal, type SmtpStage } from './bounce-class.ts';
import { plainWordsOf } from './bounce-words.ts';

/** The facts of a report about a bounce, apart from the server's words. */
export interface ReportedBounceFacts {
  /** The status of the report or of the provider (RFC 3463). */
  readonly status?: string | undefined;
  /** The provider's own class. */
  readonly class?: BounceDetails['class'] | undefined;
  readonly subType?: BounceDetails['subType'] | undefined;
  /** The command after which the answer came. (Default: not known) */
  readonly stage?: SmtpStage;
}

const enhancedPattern = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/;
/** A reply with both codes: `550 5.1.1`, `550-'5.7.1`, `550 #5.1.0`, `ERROR_CODE :550, ERROR_CODE :5.2.1`. */
const pairPattern =
  /(?<![\d.])([245]\d\d)[ :,-]{1,3}(?:error_code ?:)?['"#(]{0,2}([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/i;
const leadingPattern = /^(?:error:? |smtp:? )?([245][0-5]\d)(?=[ :,\-#;]|$)/i;

/** The codes of a server's words. A pair comes first: wrappers put the remote server's reply after words of their own. */
export function codesOf(text: string): Pick<KnownRefusal, 'code' | 'enhancedCode'> {
  const start = text.slice(0, 2_000);
  const codePair = pairPattern.exec(start);
  if (codePair !== null) return { code: Number(codePair[1]), enhancedCode: codePair[2] ?? '' };
  const code = leadingPattern.exec(start)?.[1];
  const detailed = enhancedPattern.exec(start)?.[1];
  return {
    ...(code === undefined ? {} : { code: Number(code) }),
    ...(detailed === undefined ? {} : { enhancedCode: detailed }),
  };
}

const isExact = (code: string | undefined): code is string => code !== undefined && !/^\d\.0\.0$/.test(code);

/** One line of at most 500 characters, without the type of a Diagnostic-Code (RFC 3464, section 2.3.6). */
export const diagnosticOf = (text: string): string =>
  oneLine(text.slice(0, 4_000).replace(/^\s*(?:smtp|lmtp|dns|x-[\w-]{1,40}|unix|esmtp)\s*;\s*/i, ''), 500);

/** Subtypes that can be true only if the address is good. */
const goodAddressSubTypes: ReadonlySet<BounceDetails['subType'] | undefined> = new Set([
  'mailbox_full',
  'message_too_large',
  'content_rejected',
  'attachment_rejected',
  'policy',
] as const);

/**
 * Compares the words with the provider's own class. If the words are vague, the provider's "permanent" counts, but it never makes
 * a block, a full mailbox or a refused content a hard bounce.
 */
function classOf(
  classified: Pick<BounceDetails, 'class' | 'subType'>,
  { class: providerClass, subType }: ReportedBounceFacts,
) {
  if (providerClass === undefined) return classified.class;
  if (classified.class === 'hard') return goodAddressSubTypes.has(subType) ? providerClass : 'hard';
  if (providerClass !== 'hard' || !(goodAddressSubTypes.has(classified.subType) || goodAddressSubTypes.has(subType)))
    return providerClass;
  return classified.class;
}

/** The bounce of a report. @param text the server's words, as the report contains them */
export function reportedBounce(text: string, reported: ReportedBounceFacts = {}): BounceDetails {
  const diagnostic = diagnosticOf(text);
  const { code, enhancedCode: ownCode } = codesOf(diagnostic);
  const { status } = reported;
  // Some servers write 5.0.0 for everything; the answer that they quote contains the real code.
  const detailed = isExact(ownCode) ? ownCode : isExact(status) ? status : (ownCode ?? status);
  const temporary = status?.startsWith('4.') || detailed?.startsWith('4.') || (code !== undefined && code < 500);
  const refusal: KnownRefusal = {
    diagnostic,
    temporary: temporary === true,
    ...(code === undefined ? {} : { code }),
    ...(detailed === undefined ? {} : { enhancedCode: detailed }),
  };
  const classified = classifyRefusal(refusal, reported.stage ?? 'report');
  const { subType } = reported;
  return {
    class: classOf(classified, reported),
    subType: subType === undefined || subType === 'general' ? classified.subType : subType,
    ...(code === undefined || code < 400 ? {} : { smtpCode: code }),
    ...(detailed === undefined ? {} : { enhancedCode: detailed }),
    diagnostic,
  };
}

/** Whether a text contains words besides codes: `smtp;` and `X-Unix; 71` do not. */
export function saysSomething(text: string): boolean {
  const { words, links } = plainWordsOf(diagnosticOf(text));
  return links !== '' || /\p{L}{2}/u.test(words);
}
