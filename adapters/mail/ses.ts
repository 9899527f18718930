// Reports of Amazon SES, through a topic of Amazon SNS: notifications of an identity, and events of a configuration set
// (docs.aws.amazon.com/ses/latest/dg/notification-contents.html, event-publishing-retrieving-sns-contents.html).

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
  listOf,
  optionalText,
  parseReport,
  type ReportFields,
  textOf,
  timeOf,
} from '../kit/report-fields.ts';
import { reportedBounce } from '../kit/reported-bounce.ts';
import { checkSnsSignature, createCertificates, isSnsUrl } from './ses-signature.ts';

export { type SesCredentials, type SesMailOptions, sesMail } from './ses-mail.ts';

/** Options of `sesReports`. */
export interface SesReportsOptions {
  /**
   * The ARNs of the topics that may report. Every AWS account can create a topic, and SNS would sign its messages. Subscriptions
   * are confirmed for these topics only.
   */
  readonly topics: readonly string[];
}

const classes: Readonly<Record<string, BounceDetails['class']>> = { Permanent: 'hard', Transient: 'soft' };
const subTypes: Readonly<Record<string, BounceDetails['subType']>> = {
  NoEmail: 'no_mailbox',
  MailboxFull: 'mailbox_full',
  MessageTooLarge: 'message_too_large',
  ContentRejected: 'content_rejected',
  AttachmentRejected: 'attachment_rejected',
};

/** SES only assumes that the address is wrong, because no server has refused it. */
const assumedSubType = 'EmailValidationSuppressed';

function factOfBounce(bounce: ReportFields): ReportedFact | undefined {
  const [recipient] = listOf(bounce['bouncedRecipients']).map(fieldsOf);
  const subType = textOf(bounce['bounceSubType']);
  const message = textOf(recipient?.['diagnosticCode']) || `${textOf(bounce['bounceType'])} ${subType}`;
  const status = optionalText(recipient?.['status']);
  const hasAnswer = status !== undefined || textOf(recipient?.['diagnosticCode']) !== '';
  // No server refused: SES reports out-of-office replies in this way.
  if (bounce['bounceType'] === 'Transient' && subType === 'General' && !hasAnswer) return undefined;
  if (subType === assumedSubType)
    return { kind: 'bounced', bounce: reportedBounce(message, { class: 'undetermined', subType: 'policy' }) };
  const reported = {
    class: classes[textOf(bounce['bounceType'])] ?? ('undetermined' as const),
    ...(subTypes[subType] === undefined ? {} : { subType: subTypes[subType] }),
    ...(status === undefined ? {} : { status }),
  };
  return { kind: 'bounced', bounce: reportedBounce(message, reported) };
}

function factOfDelay(delay: ReportFields): ReportedFact {
  const [recipient] = listOf(delay['delayedRecipients']).map(fieldsOf);
  const reason = textOf(recipient?.['diagnosticCode']) || textOf(delay['delayType']);
  return { kind: 'delivery_delayed', reason: beginning(reason, 500) };
}

const clientOf = (hit: ReportFields) => ({
  userAgent: optionalText(hit['userAgent']),
  address: optionalText(hit['ipAddress']),
});

function factOf(event: ReportFields): ReportedFact | undefined {
  switch (event['eventType'] ?? event['notificationType']) {
    case 'Delivery':
      return { kind: 'delivered' };
    case 'DeliveryDelay':
      return factOfDelay(fieldsOf(event['deliveryDelay']));
    case 'Bounce':
      return factOfBounce(fieldsOf(event['bounce']));
    case 'Complaint':
      // A recipient moved the message out of the spam folder.
      return fieldsOf(event['complaint'])['complaintFeedbackType'] === 'not-spam' ? undefined : { kind: 'complained' };
    case 'Reject': {
      const message = `SES refused the message: ${textOf(fieldsOf(event['reject'])['reason'])}`;
      return { kind: 'bounced', bounce: reportedBounce(message, { subType: 'content_rejected' }) };
    }
    case 'Open':
      return { kind: 'opened', client: clientOf(fieldsOf(event['open'])) };
    case 'Click': {
      const click = fieldsOf(event['click']);
      return { kind: 'clicked', url: textOf(click['link']), client: clientOf(click) };
    }
    default:
      return undefined;
  }
}

/** SES sends with its own Message-ID. The service's Message-ID is in `mail.headers`. */
function messageIdsOf(mail: ReportFields): string[] {
  const headers = listOf(mail['headers']).map(fieldsOf);
  return headers
    .filter((header) => /^message-id$/i.test(textOf(header['name'])))
    .map((header) => textOf(header['value']));
}

/** The parts of an event that have their own time. A rejection has none; `mail.timestamp`, when SES received the mail, is not used. */
const timedParts = ['delivery', 'deliveryDelay', 'bounce', 'complaint', 'open', 'click'] as const;

/** The time of the event; if the event has no time, the time at which SNS published it. */
const timeOfEvent = (event: ReportFields, published: unknown): number | undefined =>
  timedParts.flatMap((name) => timeOf(fieldsOf(event[name])['timestamp']) ?? [])[0] ?? timeOf(published);

function reportsOf(fields: ReportFields): MailReport[] {
  let message: unknown;
  try {
    message = JSON.parse(textOf(fields['Message']));
  } catch {
    // SNS and SES also send plain sentences, such as that a topic was set up.
    return [];
  }
  const event = fieldsOf(message);
  const fact = factOf(event);
  if (fact === undefined) return [];
  const messageIds = messageIdsOf(fieldsOf(event['mail']));
  return [{ messageIds, id: textOf(fields['MessageId']), at: timeOfEvent(event, fields['Timestamp']), fact }];
}

const confirmTimeoutMs = 10_000;

async function confirm(fields: ReportFields, { outgoing }: ReportRequest): Promise<void> {
  const url = textOf(fields['SubscribeURL']);
  if (!isSnsUrl(url)) throw new ReportRefused('The URL that confirms the subscription is not a URL of SNS.');
  const { status } = await outgoing.request({ url, method: 'GET', headers: {}, timeoutMs: confirmTimeoutMs });
  if (status !== 200) throw new Error(`SNS answered ${status} to the confirmation of the subscription.`);
}

/** Parses the messages of SNS topics about SES. @throws TypeError for invalid topics */
export function sesReports(options: SesReportsOptions): MailReports {
  checkOptions<SesReportsOptions>('sesReports', options, { topics: 'required' });
  const { topics } = options;
  if (
    !Array.isArray(topics) ||
    topics.length === 0 ||
    !topics.every((topic) => /^arn:aws[\w-]*:sns:[\w-]+:\d+:[\w.-]+$/.test(topic))
  )
    throw new TypeError(
      'sesReports: `topics` holds the ARNs of SNS topics, such as arn:aws:sns:eu-west-1:123456789012:mail.',
    );
  const certificates = createCertificates();
  return {
    id: 'ses',
    async read(request): Promise<readonly MailReport[]> {
      const fields = fieldsOf(parseReport(request.body));
      if (!topics.includes(textOf(fields['TopicArn']))) throw new ReportRefused('The topic is not one of `topics`.');
      await checkSnsSignature(fields, request, certificates);
      if (fields['Type'] === 'SubscriptionConfirmation') await confirm(fields, request);
      return fields['Type'] === 'Notification' ? reportsOf(fields) : [];
    },
  };
}
