// Reports of SendGrid: the Event Webhook with its signature, ECDSA over the timestamp and the exact bytes
// (twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features).

import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import { beginning } from '../../core/contract/values/shorten.ts';
import { type MailReport, type MailReports, type ReportedFact, ReportRefused } from '../../plugins/email/port/index.ts';
import {
  fieldsOf,
  listOf,
  optionalText,
  parseReport,
  type ReportFields,
  textOf,
  timeOfSeconds,
} from '../kit/report-fields.ts';
import { reportedBounce } from '../kit/reported-bounce.ts';

export { type SendgridMailOptions, sendgridMail } from './sendgrid-mail.ts';

/** Options of `sendgridReports`. */
export interface SendgridReportsOptions {
  /** The verification key of the webhook: the base64 text, without PEM lines, that SendGrid shows. */
  readonly publicKey: string;
}

/** Reasons for addresses to which SendGrid no longer sends, because they are invalid or have bounced before. */
const goneReasons = /^(?:invalid|bounced address)/i;

function factOfDrop(reason: string): ReportedFact {
  const reported = goneReasons.test(reason)
    ? ({ class: 'hard', subType: 'no_mailbox' } as const)
    : ({ class: 'undetermined', subType: 'policy' } as const);
  return { kind: 'bounced', bounce: reportedBounce(reason, reported) };
}

function factOfBounce(event: ReportFields, reason: string): ReportedFact {
  const status = optionalText(event['status']);
  const isInvalid = event['bounce_classification'] === 'Invalid Address';
  const bounce = reportedBounce(reason, { status, ...(isInvalid ? { class: 'hard' } : {}) });
  // Blocked: refused temporarily, for a reason other than the address.
  if (event['type'] === 'blocked') return { kind: 'bounced', bounce: { ...bounce, class: 'soft' } };
  const isGone = bounce.class === 'hard' && bounce.subType === 'general';
  return { kind: 'bounced', bounce: isGone ? { ...bounce, subType: 'no_mailbox' } : bounce };
}

function factOf(event: ReportFields): ReportedFact | undefined {
  const reason = textOf(event['reason']) || textOf(event['response']);
  const isBot = event['sg_machine_open'] === true || event['sg_machine_open'] === 'true';
  const client = { userAgent: optionalText(event['useragent']), address: optionalText(event['ip']), isBot };
  switch (event['event']) {
    case 'delivered':
      return { kind: 'delivered' };
    case 'deferred':
      return { kind: 'delivery_delayed', reason: beginning(reason, 500) };
    case 'bounce':
      return factOfBounce(event, reason);
    case 'dropped':
      return factOfDrop(reason);
    case 'spamreport':
      return { kind: 'complained' };
    case 'unsubscribe':
    case 'group_unsubscribe':
      return { kind: 'unsubscribed' };
    case 'open':
      return { kind: 'opened', client };
    case 'click':
      return { kind: 'clicked', url: textOf(event['url']), client };
    default:
      return undefined;
  }
}

function reportOf(value: unknown): MailReport[] {
  const event = fieldsOf(value);
  const fact = factOf(event);
  if (fact === undefined) return [];
  const messageIds = [textOf(event['smtp-id']), textOf(event['message_id'])];
  return [{ messageIds, id: textOf(event['sg_event_id']), at: timeOfSeconds(event['timestamp']), fact }];
}

function keyOf(publicKey: string): KeyObject {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey.trim(), 'base64'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyType === 'ec') return key;
  } catch {
    // The error below reports an unreadable key, too.
  }
  throw new TypeError('sendgridReports: `publicKey` is not the verification key that SendGrid shows.');
}

/** Parses SendGrid's events. @throws TypeError for an invalid key */
export function sendgridReports(options: SendgridReportsOptions): MailReports {
  checkOptions<SendgridReportsOptions>('sendgridReports', options, { publicKey: 'required' });
  const key = keyOf(options.publicKey);
  return {
    id: 'sendgrid',
    async read({ headers, body }): Promise<readonly MailReport[]> {
      const signature = Buffer.from(headers['x-twilio-email-event-webhook-signature'] ?? '', 'base64');
      const timestamp = headers['x-twilio-email-event-webhook-timestamp'] ?? '';
      if (!verify('sha256', Buffer.concat([Buffer.from(timestamp), body]), key, signature))
        throw new ReportRefused('The signature is missing or wrong.');
      return listOf(parseReport(body)).flatMap(reportOf);
    },
  };
}
