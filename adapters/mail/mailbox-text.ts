// Reports that only people can read: qmail, Exim, older Sendmail, Exchange and Notes, the large providers, and many
// others. They have a common shape: a sentence, the recipient, the server's reply, and the returned message. So general
// rules read them, without a table of the servers' forms. Called by mailbox.ts and mailbox-status.ts. bounce-class.ts of
// the kit reads the reasons themselves.
import { oneLine } from '../../core/contract/values/shorten.ts';
import type { BounceDetails } from '../../plugins/email/port/index.ts';
import type { SmtpStage } from '../kit/bounce-class.ts';
import { reportedBounce } from '../kit/reported-bounce.ts';
import type { ReportMail } from './mailbox-mail.ts';

/** Lines after which the returned message begins. */
const returnedAfter: readonly RegExp[] = [
  // "----- Original message -----", "------- Returned Message --------", "   ----- Unsent message follows -----"
  /^[-=_*#\s]*(?:start of )?(?:the )?(?:original|returned|unsent|undelivered|rejected) (?:message|mail|e-?mail)\b.{0,30}$/i,
  // qmail, Exim, Yahoo, OpenSMTPD: "--- Below this line is a copy of the message."
  /\b(?:is|follows) (?:a|the) copy of (?:the|your)\b/i,
  // 1&1, DragonFly: "--- The header of the original message is following. ---", "Message headers follow."
  /^[-\s]*(?:the )?(?:message )?headers? (?:of the (?:original|returned) message|follow)/i,
];

/** A field that begins a returned header, if an empty line precedes it. */
const returnedHeader =
  /^\s{0,4}(?:received|return-path|dkim-signature|domainkey-signature|x-received|arc-seal|x-google-[\w-]+|mime-version)\s*:/i;

/**
 * The report's own words, without the message that it returns. Quoted lines are included only if a server sent the
 * mail.
 */
export function ownWordsOf(mail: ReportMail): string[] {
  const isByServer = isFromServer(mail);
  const lines = mail.text
    .slice(0, 50_000)
    .split(/\r?\n/)
    .filter((line) => isByServer || !/^\s*>/.test(line))
    .map((line) => line.slice(0, 2_000).replace(/^(?:\s?> ?)+(?!>)/, ''));
  const end = lines.findIndex((line, index) => {
    if (returnedAfter.some((pattern) => pattern.test(line))) return true;
    return returnedHeader.test(line) && (lines[index - 1] ?? '').trim() === '';
  });
  return (end === -1 ? lines : lines.slice(0, end)).slice(0, 400);
}

const fromServer = /mailer-?daemon|mail-?daemon|post_?master|mail (?:delivery|deliver|system|administrator)|<>/i;

/** Whether the sender calls itself a mail server. */
export const isFromServer = ({ fields }: ReportMail): boolean => fromServer.test(fields.get('from') ?? '');

const failureSubject =
  /undeliver|returned mail|delivery (?:status|failure|notification|report|problem|error)|failure (?:notice|notification)|fail(?:ed|ure)\b.*\b(?:deliver|mail|message)|(?:mail|message|delivery).*\bfail|returned to sender|could ?n[o']t (?:be )?(?:send|sent|deliver)|mail system error|rejected|non-?delivery|not delivered|user unknown|unzustellbar|non remis|no entregado|не доставлено/i;
const failureSentence =
  /\b(?:could not|cannot|can't|was not|were not|wasn't|not able to|unable to|failed to|has not been|have not been) (?:be )?(?:deliver|sent|send|relay|reach)|\bdid not reach\b|\bundeliver|\bdelivery (?:to .{0,80})?(?:has )?failed|\bpermanent(?:ly)? (?:error|fail|fatal)|\bdelivery errors?\b|\bwas rejected\b|\bhave been rejected\b|\breturned to sender\b/i;
const delay =
  /\bwarning message only\b|\b(?:do not|don't) need to re-?send|\bno need to re-?send|\b(?:is|was|been|being) delayed\b|\bdelayed (?:for|mail)\b|\bstill being retried\b|\bwill (?:be retried|be tried again|keep trying|continue (?:to try|trying))|\btemporary failure report\b/i;
const delaySubject = /\bdelay|^warning\b|\bwarning:/i;
/** Subjects of automatic replies, after an optional `Re:` or `Aw:`. */
const automaticSubject = new RegExp(
  `^(?:re: ?|aw: ?)?(?:${[
    'auto(?:matic|mated)?(?:[ -](?:reply|response|answer))?:|auto(?:matic|mated)?[ -](?:reply|response|answer)',
    String.raw`out[ -]of[ -](?:the )?office|away\b|vacation`,
    'abwesen|automatische antwort|automatisch antwoord|autosvar|automatisk(?:t)? svar|fr[åa]nvaro|automaattinen vastaus',
    'r[eé]ponse automatique|absence|respuesta autom|resposta autom|risposta automatica|fuori sede',
    'odpowied[zź] automatyczna|automatick[aá] odpov|otomatik yan[ıi]t|автоответ|автоматический ответ',
    '自動(?:返信|応答|回[覆复])|自动(?:回复|答复)|자동 ?(?:응답|회신)|부재중',
  ].join('|')})`,
  'i',
);

/** Fields of programs that answer for people. */
const automaticFields = ['x-autoreply', 'x-autorespond', 'x-mail-autoreply', 'x-vacation'] as const;

/**
 * Whether a robot of the recipient answered, such as an out-of-office reply (RFC 3834). Such a reply shows nothing
 * about the delivery.
 */
export function isAutomaticReply(mail: ReportMail): boolean {
  const { fields, subject } = mail;
  if (automaticSubject.test(subject) || automaticFields.some((name) => fields.has(name))) return true;
  const isAutomatic =
    /^auto-(?:replied|notified)/i.test(fields.get('auto-submitted') ?? '') ||
    /^auto[_-]reply/i.test(fields.get('precedence') ?? '') ||
    fields.has('x-auto-response-suppress');
  return isAutomatic && !isFromServer(mail) && !failureSubject.test(subject);
}

/** Whether the mail answers another mail. Mail servers refer to the returned message, too, but their subject says that it failed. */
export const isReply = ({ fields, subject }: ReportMail): boolean =>
  /^\s*(?:re|aw|antw|sv|vs|odp|rif|回复|答复|回覆|返信)\s*[:：]/i.test(subject) ||
  ((fields.has('in-reply-to') || fields.has('references')) && !failureSubject.test(subject));

/** Replies of a mail server, with the lines that they run over. */
interface Reply {
  readonly words: string;
  readonly stage: SmtpStage;
}

/** How servers introduce the command that was refused: "after pipelined MAIL FROM", "in reply to", "sent:", ">>>". */
const introducedBy = (command: string): string =>
  String.raw`(?:\b(?:after|following|to|our|for|like)\b|\bsent:|>>>) ?(?:the |our |pipelined )?${command}`;

const stages: readonly (readonly [SmtpStage, RegExp])[] = [
  [
    'session',
    new RegExp(
      String.raw`${introducedBy('(?:initial connection|ehlo|helo|lhlo|starttls|auth)')}\b|\bgreeting failed\b`,
      'i',
    ),
  ],
  [
    'sender',
    new RegExp(
      String.raw`${introducedBy('mail[ _](?:from|command)')}\b|\[mail_from\]|\bsender was (?:rejected|refused)`,
      'i',
    ),
  ],
  [
    'content',
    /\bend[ _-]of[ _-]data\b|\bfinal data\b|\bafter data\b|\bfor (?:text|data) command|\b(?:to|following) (?:the )?data command|>>> ?data\b|\bbody of message generated\b|\bafter (?:i sent the message|transfer of mail text|sending data)\b/i,
  ],
  ['recipient', new RegExp(String.raw`${introducedBy('rcpt[ _]to')}\b|\bdoes not like recipient\b`, 'i')],
];

/** The command after which a server refused; `report` if the words name no command, RCPT TO, or more than one command. */
export function stageOf(text: string): SmtpStage {
  const foundStages = stages.filter(([, pattern]) => pattern.test(text)).map(([stage]) => stage);
  const [only] = foundStages;
  return foundStages.length === 1 && only !== undefined && only !== 'recipient' ? only : 'report';
}

/** A reply begins a line, or follows a word that introduces it. */
const replyStart =
  /(?:^|(?:<<<|>>>|said|says|reason|was|response|error|returned|code|status|\]|\)|'|"|<[^<>]{0,300}>|\S@\S{1,250})\s?:?|: )\s*['"(#[]{0,2}([45][0-5]\d)(?=[ :,-](?!\d\d)|[ -][45]\d\d[ -])/i;
/** A code without a reply: `(#5.1.1)` of qmail, `#5.1.1` of Exchange, `5.1.1 …` of others. */
const codeOnly = /(?:^|[(#<])#?([45]\.[1-7]\.\d{1,2})\b/;

/** The replies in these lines. A reply ends at an empty line, at the next reply, or after four more lines. */
function repliesOf(lines: readonly string[]): Reply[] {
  const replies: Reply[] = [];
  let index = 0;
  while (index < lines.length && replies.length < 20) {
    const line = lines[index]?.trim() ?? '';
    const start = replyStart.exec(line);
    if (start === null && !codeOnly.test(line)) {
      index += 1;
      continue;
    }
    const code = start?.[1];
    const replyLines = [start === null || code === undefined ? line : line.slice(line.indexOf(code, start.index))];
    let nextIndex = index + 1;
    while (nextIndex < lines.length && nextIndex <= index + 4) {
      const nextLine = lines[nextIndex]?.trim() ?? '';
      const nextCode = replyStart.exec(nextLine)?.[1];
      const isContinued = nextCode !== undefined && nextCode === code && /^\d{3}-/.test(replyLines.at(-1) ?? '');
      if (nextLine === '' || (nextCode !== undefined && !isContinued) || /^(?:<<<|>>>|--)/.test(nextLine)) break;
      replyLines.push(nextLine);
      nextIndex += 1;
    }
    const surrounding = lines.slice(Math.max(0, index - 3), nextIndex).join(' ');
    replies.push({ words: replyLines.join(' '), stage: stageOf(surrounding) });
    index = nextIndex;
  }
  return replies;
}

/** A paragraph that repeats fields of the returned message, or of the report. */
const quotedFields =
  /^\s*(?:message-id|date|from|to|subject|received|reporting-mta|original-recipient|final-recipient)\s*:/i;

const paragraphsOf = (lines: readonly string[]): Reply[] =>
  lines
    .join('\n')
    .split(/\n\s*\n/)
    .map((words) => ({ words, stage: stageOf(words) }))
    .filter(({ words }) => words.trim() !== '' && !quotedFields.test(words))
    .slice(0, 60);

const isInformative = ({ class: kind, subType }: BounceDetails): boolean =>
  kind !== 'undetermined' || subType !== 'general';

/**
 * The bounce of one recipient, from several parts of a report. If the parts disagree, the address may be good, so the
 * least severe bounce counts.
 */
export function mildestBounce(bounces: readonly BounceDetails[]): BounceDetails | undefined {
  const informative = bounces.filter(isInformative);
  return informative.find((one) => one.class !== 'hard') ?? informative[0] ?? bounces[0];
}

/** The bounce that the human-readable text describes. @param status the status of the report, if it has one */
export function bounceOfLines(lines: readonly string[], status?: string): BounceDetails | undefined {
  const bouncesOf = (replies: readonly Reply[]) =>
    replies.map(({ words, stage }) => reportedBounce(words, { stage, ...(status === undefined ? {} : { status }) }));
  const byReply = mildestBounce(bouncesOf(repliesOf(lines)));
  if (byReply !== undefined && isInformative(byReply)) return byReply;
  const paragraphs = bouncesOf(paragraphsOf(lines));
  const byWords = mildestBounce(paragraphs);
  if (byWords !== undefined && isInformative(byWords)) return byWords;
  // If no paragraph contains a reason, the paragraph with the recipient is the most exact.
  return byReply ?? paragraphs.find(({ diagnostic }) => diagnostic.includes('@')) ?? byWords;
}

const rejectedBecause = /\bwas automatically rejected:[ \t]*\r?\n?((?:[^\r\n]{1,500}\r?\n?){1,5})/i;

/**
 * The reason that Dovecot and other servers with Sieve (RFC 5429) write only into the human-readable text. It takes precedence over
 * the rest of the report.
 */
export function readRejection(mail: ReportMail): BounceDetails | undefined {
  if (!isFromServer(mail) && mail.part('message/disposition-notification') === undefined) return undefined;
  const message = rejectedBecause.exec(mail.text.slice(0, 20_000))?.[1];
  return message === undefined ? undefined : reportedBounce(message);
}

/** The content of a human-readable report. */
export type TextReport =
  | { readonly kind: 'bounced'; readonly bounce: BounceDetails }
  | { readonly kind: 'delivery_delayed'; readonly reason: string };

/**
 * Reads a report without a machine-readable part; undefined if the mail is not a report.
 * @param returnsMessage whether the mail returns the original message
 */
export function readTextReport(mail: ReportMail, returnsMessage: boolean): TextReport | undefined {
  const lines = ownWordsOf(mail);
  const text = lines.join(' ').replace(/\s+/g, ' ').trim();
  const isServers = isFromServer(mail) || fromServer.test(mail.fields.get('return-path') ?? '');
  const hasFailureSentence = failureSentence.test(text);
  const hasFailureSubject = failureSubject.test(mail.subject);
  const hasReplies = repliesOf(lines).length > 0;
  const isReport = hasFailureSubject
    ? isServers || hasFailureSentence || hasReplies
    : (isServers || returnsMessage) && (hasFailureSentence || hasReplies);
  if (!isReport && !(isServers && (delaySubject.test(mail.subject) || delay.test(text)))) return undefined;
  // Some servers give the reason in the subject only.
  const bounce = bounceOfLines([...lines, '', ...(hasReplies ? [] : [mail.subject])]) ?? {
    class: 'undetermined',
    subType: 'general',
    diagnostic: oneLine(text, 500),
  };
  // "Warning: undeliverable mail" is a bounce, if the server says that the mailbox does not exist.
  if (delay.test(text) || (delaySubject.test(mail.subject) && bounce.class !== 'hard'))
    return { kind: 'delivery_delayed', reason: bounce.diagnostic };
  return { kind: 'bounced', bounce };
}
