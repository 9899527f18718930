// Reports of Postmark (postmarkapp.com/developer/webhooks). Postmark does not sign reports. It authenticates with the user name
// and the password in the webhook's URL (HTTP Basic), so the URL must be https.

import { checkOptions } from '../../core/contract/errors/check-options.ts';
import { beginning } from '../../core/contract/values/shorten.ts';
import {
  type BounceDetails,
  type MailReport,
  type MailReports,
  type ReportedFact,
  ReportRefused,
  type ReportRequest,
} from '../../plugins/email/port/index.ts';
import {
  fieldsOf,
  isSameSecret,
  optionalText,
  parseReport,
  type ReportFields,
  textOf,
  timeOf,
} from '../kit/report-fields.ts';
import { reportedBounce } from '../kit/reported-bounce.ts';

export { type PostmarkMailOptions, postmarkMail } from './postmark-mail.ts';

/** Options of `postmarkReports`. */
export interface PostmarkReportsOptions {
  /** As in the webhook's URL: `https://user:password@…`. */
  readonly username: string;
  /** At least 16 characters. */
  readonly password: string;
}

/**
 * The metadata key that Postmark makes from the header `X-PM-Metadata-message-id`, which `smtpMail` sends as its
 * `messageIdHeader`. Compared case-insensitively, because mail libraries change the case of header names.
 */
const metadataKey = 'message-id';

type BounceClassification = Partial<Pick<BounceDetails, 'class' | 'subType'>>;

/** The meaning of bounce types (postmarkapp.com/developer/api/bounce-api#bounce-types). */
const bounceTypes: Readonly<Record<string, BounceClassification>> = {
  HardBounce: { class: 'hard' },
  BadEmailAddress: { class: 'hard', subType: 'no_mailbox' },
  SoftBounce: { class: 'soft' },
  DnsError: { class: 'soft', subType: 'dns_failure' },
  SpamNotification: { class: 'undetermined', subType: 'content_rejected' },
  VirusNotification: { class: 'undetermined', subType: 'content_rejected' },
  Blocked: { class: 'undetermined', subType: 'policy' },
  DMARCPolicy: { class: 'undetermined', subType: 'policy' },
  ManuallyDeactivated: { class: 'undetermined' },
  Unknown: { class: 'undetermined' },
};

function factOfBounce(report: ReportFields): ReportedFact | undefined {
  const type = textOf(report['Type']);
  const reason = textOf(report['Details']) || textOf(report['Description']) || type;
  if (type === 'SpamComplaint') return { kind: 'complained' };
  if (type === 'Unsubscribe') return { kind: 'unsubscribed' };
  if (type === 'Transient') return { kind: 'delivery_delayed', reason: beginning(reason, 500) };
  // Automatic replies, changes of address and tests are not bounces.
  const reported = Object.hasOwn(bounceTypes, type) ? bounceTypes[type] : undefined;
  return reported === undefined ? undefined : { kind: 'bounced', bounce: reportedBounce(reason, reported) };
}

function factOf(report: ReportFields): ReportedFact | undefined {
  const client = {
    userAgent: optionalText(report['UserAgent']),
    address: optionalText(fieldsOf(report['Geo'])['IP']),
  };
  switch (report['RecordType']) {
    case 'Delivery':
      return { kind: 'delivered' };
    case 'Bounce':
      return factOfBounce(report);
    case 'SpamComplaint':
      return { kind: 'complained' };
    case 'Open':
      return { kind: 'opened', client };
    case 'Click':
      return { kind: 'clicked', url: textOf(report['OriginalLink']), client };
    case 'SubscriptionChange':
      return report['SuppressSending'] === true && report['SuppressionReason'] === 'ManualSuppression'
        ? { kind: 'unsubscribed' }
        : undefined;
    default:
      return undefined;
  }
}

/** Each kind of report has its own field for its time. */
const timeFields = ['DeliveredAt', 'BouncedAt', 'ReceivedAt', 'ChangedAt'] as const;

/** Parses Postmark's webhooks. @throws TypeError for a missing user name or a short password */
export function postmarkReports(options: PostmarkReportsOptions): MailReports {
  checkOptions<PostmarkReportsOptions>('postmarkReports', options, { username: 'required', password: 'required' });
  const { username, password } = options;
  if (username === '' || password.length < 16)
    throw new TypeError('postmarkReports: give a `username`, and a `password` of at least 16 characters.');
  const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const checkHeaders = (headers: ReportRequest['headers']): void => {
    if (!isSameSecret(headers['authorization'] ?? '', expected))
      throw new ReportRefused('The user name or the password is missing or wrong.');
  };
  return {
    id: 'postmark',
    checkHeaders,
    async read({ headers, body }): Promise<readonly MailReport[]> {
      checkHeaders(headers);
      const report = fieldsOf(parseReport(body));
      const fact = factOf(report);
      if (fact === undefined) return [];
      const metadata = Object.entries(fieldsOf(report['Metadata']));
      const messageIds = metadata.flatMap(([key, value]) => (key.toLowerCase() === metadataKey ? [textOf(value)] : []));
      const id = `${textOf(report['MessageID'])} ${fact.kind} ${textOf(report['ReceivedAt'])}`;
      const [at] = timeFields.flatMap((field) => timeOf(report[field]) ?? []);
      return [{ messageIds, id, at, fact }];
    },
  };
}
