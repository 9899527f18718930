// Reports that arrive as mail: delivery status notifications, complaints of feedback loops (ARF, RFC 5965), and the
// many forms of servers that write only for people. The program passes each message of its bounce mailbox to this
// adapter: in a request with a secret, or in a call of `service.ingestMail`. The adapter itself reads no mailbox.
import { createHash } from 'node:crypto';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import {
  type MailReport,
  type MailReports,
  type NothingReported,
  type ReadMail,
  type ReportedFact,
  ReportRefused,
  type ReportRequest,
} from '../../plugins/email/port/index.ts';
import { isSameSecret, timeOf } from '../kit/report-fields.ts';
import { addressesIn, identifiersOf, returnedHeader, returnsOurMessage } from './mailbox-identifiers.ts';
import { groupsOf, type ReportMail, readReportParts } from './mailbox-mail.ts';
import { comparable, lastAttemptOf, readStatus } from './mailbox-status.ts';
import { isAutomaticReply, isFromServer, isReply, readRejection, readTextReport } from './mailbox-text.ts';

/** Options of `mailboxReports`. */
export interface MailboxReportsOptions {
  /** The secret of the requests, `Authorization: Bearer <secret>`; at least 16 characters. */
  readonly secret: string;
}

const complaints: Readonly<Record<string, ReportedFact>> = {
  abuse: { kind: 'complained' },
  fraud: { kind: 'complained' },
  'opt-out': { kind: 'unsubscribed' },
  'opt-out-list': { kind: 'unsubscribed' },
};

/** Microsoft's feedback loop returns the message without a machine-readable part. */
const isJunkReport = ({ fields, subject }: ReportMail): boolean =>
  /\bstaff@hotmail\.com\b/i.test(fields.get('from') ?? '') && /^complaint about message/i.test(subject);

/**
 * The complaint or unsubscription that a feedback report contains; undefined for other types of feedback, such as a failed
 * authentication (RFC 6591).
 */
function readComplaint(mail: ReportMail): ReportedFact | undefined {
  const feedback = mail.part('message/feedback-report');
  const type =
    groupsOf(feedback?.slice(0, 100_000) ?? '')[0]
      ?.get('feedback-type')
      ?.toLowerCase() ?? '';
  if (Object.hasOwn(complaints, type)) return complaints[type];
  return feedback === undefined && isJunkReport(mail) ? { kind: 'complained' } : undefined;
}

const hasNoReturnPath = ({ fields }: ReportMail): boolean => /^\s*<>/.test(fields.get('return-path') ?? '');

/**
 * Whether a program sent the mail. A person's reply also contains the id of our message, and may quote or attach a
 * report about another message. Robots of recipients also reply without a return path.
 */
const isReport = (mail: ReportMail): boolean =>
  isFromServer(mail) ||
  /^\s*multipart\/report\b/i.test(mail.fields.get('content-type') ?? '') ||
  isJunkReport(mail) ||
  (!isReply(mail) && (hasNoReturnPath(mail) || returnsOurMessage(mail)));

/** The fact that the mail reports, or the reason why it reports nothing. */
function factOf(mail: ReportMail): ReportedFact | NothingReported {
  // The recipient read or deleted the message (RFC 8098). Servers with Sieve refuse messages in this form.
  const isReceipt = mail.part('message/disposition-notification') !== undefined;
  if (!isReport(mail)) {
    if (isReceipt) return 'read_receipt';
    return isAutomaticReply(mail) || hasNoReturnPath(mail) ? 'auto_reply' : 'no_report';
  }
  const complaint = readComplaint(mail);
  if (complaint !== undefined || mail.part('message/feedback-report') !== undefined) return complaint ?? 'no_outcome';
  const rejected = readRejection(mail);
  if (rejected !== undefined) return { kind: 'bounced', bounce: rejected };
  if (isReceipt) return 'read_receipt';
  const original = returnedHeader(mail);
  const [to, ...others] = addressesIn(original?.get('to'));
  const status = readStatus(mail, to === undefined || others.length > 0 ? undefined : comparable(to));
  if (status !== undefined) return status.fact ?? 'no_outcome';
  if (isAutomaticReply(mail)) return 'auto_reply';
  return readTextReport(mail, original !== undefined) ?? 'no_report';
}

async function readMail(bytes: Uint8Array): Promise<ReadMail> {
  const mail = bytes.byteLength === 0 ? undefined : await readReportParts(bytes);
  if (mail === undefined) return { nothing: 'unreadable' };
  const fact = factOf(mail);
  if (typeof fact === 'string') return { nothing: fact };
  const id = mail.messageId ?? createHash('sha256').update(bytes).digest('hex');
  return { report: { ...identifiersOf(mail), id, at: lastAttemptOf(mail) ?? timeOf(mail.fields.get('date')), fact } };
}

/** The check of a request's secret. Without a secret, every request is refused. @throws TypeError for a short secret */
function secretCheck(options: MailboxReportsOptions | undefined): (headers: ReportRequest['headers']) => void {
  if (options === undefined)
    return () => {
      throw new ReportRefused('This service accepts no reports by HTTP request, because mailboxReports has no secret.');
    };
  checkOptions<MailboxReportsOptions>('mailboxReports', options, { secret: 'required' });
  const { secret } = options;
  if (secret.length < 16) throw new TypeError('mailboxReports: `secret` must have at least 16 characters.');
  return (headers) => {
    if (!isSameSecret(headers['authorization'] ?? '', `Bearer ${secret}`))
      throw new ReportRefused('The secret is missing or wrong.');
  };
}

/**
 * Parses report mails.
 * @param options if they are left out, mail can only be passed to `service.ingestMail`
 * @throws TypeError for a short secret
 */
export function mailboxReports(options?: MailboxReportsOptions): MailReports {
  const checkHeaders = secretCheck(options);
  return {
    id: 'mailbox',
    body: 'mail',
    checkHeaders,
    readMail,
    async read({ headers, body }): Promise<readonly MailReport[]> {
      checkHeaders(headers);
      const reading = await readMail(body);
      return 'report' in reading ? [reading.report] : [];
    },
  };
}
