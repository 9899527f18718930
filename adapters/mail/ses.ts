// Reports of Amazon SES, through a topic of Amazon SNS: notifications of an identity, and events of a configuration set
// (docs.aws.amazon.com/ses/latest/dg/notification-contents.html, event-publishing-retrieving-sns-contents.html).

import { checkOptions } from '../../core/contract/check-options.ts';
import { beginning } from '../../core/contract/shorten.ts';
import {
  type BounceDetails,
  type MailReport,
  type MailReports,
  type ReportedFact,
  ReportRefused,
  type ReportRequest,
} from '../../plugins/email/port/index.ts';
import { type Fields, fieldsOf, listOf, optionalText, parseReport, textOf } from '../kit/report-fields.ts';
import { bounceOfWords } from '../kit/smtp-answer.ts';
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

function factOfBounce(bounce: Fields): ReportedFact {
  const [recipient] = listOf(bounce['bouncedRecipients']).map(fieldsOf);
  const subType = textOf(bounce['bounceSubType']);
  const words = textOf(recipient?.['diagnosticCode']) || `${textOf(bounce['bounceType'])} ${subType}`;
  const status = optionalText(recipient?.['status']);
  const known = {
    class: classes[textOf(bounce['bounceType'])] ?? ('undetermined' as const),
    ...(subTypes[subType] === undefined ? {} : { subType: subTypes[subType] }),
    ...(status === undefined ? {} : { enhancedCode: status }),
  };
  return { kind: 'bounced', bounce: bounceOfWords(words, known) };
}

function factOfDelay(delay: Fields): ReportedFact {
  const [recipient] = listOf(delay['delayedRecipients']).map(fieldsOf);
  const reason = textOf(recipient?.['diagnosticCode']) || textOf(delay['delayType']);
  return { kind: 'delivery_delayed', reason: beginning(reason, 500) };
}

const clientOf = (hit: Fields) => ({
  userAgent: optionalText(hit['userAgent']),
  address: optionalText(hit['ipAddress']),
});

function factOf(event: Fields): ReportedFact | undefined {
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
      const words = `SES refused the message: ${textOf(fieldsOf(event['reject'])['reason'])}`;
      return { kind: 'bounced', bounce: bounceOfWords(words, { subType: 'content_rejected' }) };
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

/** SES replaces the service's Message-ID with its own, and includes the original one among the original headers. */
function messageIdsOf(mail: Fields): string[] {
  const headers = listOf(mail['headers']).map(fieldsOf);
  return headers
    .filter((header) => /^message-id$/i.test(textOf(header['name'])))
    .map((header) => textOf(header['value']));
}

function reportsOf(fields: Fields): MailReport[] {
  let message: unknown;
  try {
    message = JSON.parse(textOf(fields['Message']));
  } catch {
    // SNS and SES also send plain sentences, such as that a topic was set up.
    return [];
  }
  const event = fieldsOf(message);
  const fact = factOf(event);
  return fact === undefined
    ? []
    : [{ messageIds: messageIdsOf(fieldsOf(event['mail'])), id: textOf(fields['MessageId']), fact }];
}

const confirmTimeoutMs = 10_000;

async function confirm(fields: Fields, { outgoing }: ReportRequest): Promise<void> {
  const url = textOf(fields['SubscribeURL']);
  if (!isSnsUrl(url)) throw new ReportRefused('The confirmation does not lead to SNS.');
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
