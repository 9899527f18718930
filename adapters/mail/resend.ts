// Reports of Resend: webhooks with signatures like Svix's, HMAC-SHA256 over id, time and the exact bytes
// (resend.com/docs/webhooks, docs.svix.com/receiving/verifying-payloads/how-manual).

import { createHmac } from 'node:crypto';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import {
  type BounceDetails,
  type MailReport,
  type MailReports,
  type ReportedFact,
  ReportRefused,
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
import { diagnosticOf, reportedBounce } from '../kit/reported-bounce.ts';

export { type ResendMailOptions, resendMail } from './resend-mail.ts';

/** Options of `resendReports`. */
export interface ResendReportsOptions {
  /** The signing secret of the webhook, `whsec_…`. */
  readonly secret: string;
}

/** The maximum deviation of a request's time, in milliseconds. Every attempt has a new signature. */
const toleranceMs = 300_000;

const classes: Readonly<Record<string, BounceDetails['class']>> = { Permanent: 'hard', Transient: 'soft' };
const subTypes: Readonly<Record<string, BounceDetails['subType']>> = {
  NoEmail: 'no_mailbox',
  MailboxFull: 'mailbox_full',
  MessageTooLarge: 'message_too_large',
  ContentRejected: 'content_rejected',
  AttachmentRejected: 'attachment_rejected',
};

function factOfBounce(bounce: ReportFields): ReportedFact {
  const subType = subTypes[textOf(bounce['subType'])];
  const reported = {
    class: classes[textOf(bounce['type'])] ?? ('undetermined' as const),
    ...(subType === undefined ? {} : { subType }),
  };
  return { kind: 'bounced', bounce: reportedBounce(textOf(bounce['message']), reported) };
}

/** Resend no longer sends to the address. It may have bounced or complained before, or the account's owner put it on the list. */
function bounceOfSuppression(message: string): BounceDetails {
  const diagnostic = diagnosticOf(message || 'Resend no longer sends to this address.');
  return /\bbounced\b|\binvalid\b/i.test(message)
    ? { class: 'hard', subType: 'general', diagnostic }
    : { class: 'undetermined', subType: 'policy', diagnostic };
}

function factOf(type: unknown, data: ReportFields): ReportedFact | undefined {
  switch (type) {
    case 'email.delivered':
      return { kind: 'delivered' };
    case 'email.delivery_delayed':
      return { kind: 'delivery_delayed', reason: 'Resend reports a delay.' };
    case 'email.bounced':
      return factOfBounce(fieldsOf(data['bounce']));
    case 'email.failed': {
      const reason = textOf(fieldsOf(data['failed'])['reason']) || 'Resend could not send the message.';
      return { kind: 'bounced', bounce: reportedBounce(reason, { class: 'undetermined' }) };
    }
    case 'email.suppressed':
      return { kind: 'bounced', bounce: bounceOfSuppression(textOf(fieldsOf(data['suppressed'])['message'])) };
    case 'email.complained':
      return { kind: 'complained' };
    case 'email.opened':
      return { kind: 'opened', client: {} };
    case 'email.clicked': {
      const click = fieldsOf(data['click']);
      const client = { userAgent: optionalText(click['userAgent']), address: optionalText(click['ipAddress']) };
      return { kind: 'clicked', url: textOf(click['link']), client };
    }
    default:
      return undefined;
  }
}

/** Parses Resend's webhooks. @throws TypeError for an invalid secret */
export function resendReports(options: ResendReportsOptions): MailReports {
  checkOptions<ResendReportsOptions>('resendReports', options, { secret: 'required' });
  const { secret } = options;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (!secret.startsWith('whsec_') || key.length < 16)
    throw new TypeError('resendReports: `secret` must be the signing secret of the webhook, whsec_….');
  return {
    id: 'resend',
    async read({ headers, body, now }): Promise<readonly MailReport[]> {
      const { 'svix-id': id = '', 'svix-timestamp': time = '', 'svix-signature': signatures = '' } = headers;
      const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64');
      const isSigned = signatures.split(' ').some((signature) => isSameSecret(signature, `v1,${expected}`));
      if (!isSigned || !(Math.abs(now - Number(time) * 1_000) <= toleranceMs))
        throw new ReportRefused('The signature is missing, wrong or old.');
      const report = fieldsOf(parseReport(body));
      const data = fieldsOf(report['data']);
      const fact = factOf(report['type'], data);
      if (fact === undefined) return [];
      const messageIds = [textOf(data['message_id']), textOf(fieldsOf(data['tags'])['message_id'])];
      const at = timeOf(fieldsOf(data['click'])['timestamp']) ?? timeOf(report['created_at']);
      return [{ messageIds, id, at, fact }];
    },
  };
}
