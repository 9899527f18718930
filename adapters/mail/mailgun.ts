// Reports of Mailgun: webhooks with an HMAC-SHA256 over a time and a token (documentation.mailgun.com, "Securing webhooks"). The
// HMAC does not cover the report itself, so a token is accepted with one report only.

import { createHash, createHmac } from 'node:crypto';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import { beginning } from '../../core/contract/values/shorten.ts';
import { type MailReport, type MailReports, type ReportedFact, ReportRefused } from '../../plugins/email/port/index.ts';
import {
  fieldsOf,
  isSameSecret,
  optionalText,
  parseReport,
  type ReportFields,
  textOf,
  timeOfSeconds,
} from '../kit/report-fields.ts';
import { reportedBounce } from '../kit/reported-bounce.ts';

export { type MailgunMailOptions, mailgunMail } from './mailgun-mail.ts';

/** Options of `mailgunReports`. */
export interface MailgunReportsOptions {
  /** The HTTP webhook signing key of the account or the subaccount. */
  readonly signingKey: string;
}

/** The maximum age of a report. Mailgun retries for eight hours, and clocks may differ slightly. */
const maxAgeMs = 9 * 3_600_000;
const maxAheadMs = 300_000;
const maxTokens = 20_000;

/** Accepts each token with one report only, in this process. */
function createTokenMemory(): (token: string, report: string) => boolean {
  const reports = new Map<string, string>();
  return (token, report) => {
    const earlierReport = reports.get(token);
    if (earlierReport !== undefined) return earlierReport === report;
    if (reports.size >= maxTokens) reports.delete(reports.keys().next().value ?? '');
    reports.set(token, report);
    return true;
  };
}

function factOfFailure(event: ReportFields): ReportedFact {
  const status = fieldsOf(event['delivery-status']);
  const message = textOf(status['message']) || textOf(status['description']) || textOf(event['reason']);
  const code = textOf(status['code']);
  const reason = /^\d{3}\b/.test(message) || !/^[245]\d\d$/.test(code) ? message : `${code} ${message}`;
  if (event['severity'] === 'temporary') return { kind: 'delivery_delayed', reason: beginning(reason, 500) };
  // Mailgun did not try to deliver, because the address is on its own list of bounces.
  const reported = event['reason'] === 'suppress-bounce' ? ({ class: 'hard' } as const) : {};
  return { kind: 'bounced', bounce: reportedBounce(reason, reported) };
}

function factOf(event: ReportFields): ReportedFact | undefined {
  const info = fieldsOf(event['client-info']);
  const client = {
    userAgent: optionalText(info['user-agent']),
    address: optionalText(event['ip']),
    // The name of a known program, such as `apple`; empty for people.
    isBot: textOf(info['bot']) !== '',
  };
  switch (event['event']) {
    case 'delivered':
      return { kind: 'delivered' };
    case 'failed':
      return factOfFailure(event);
    case 'complained':
      return { kind: 'complained' };
    case 'unsubscribed':
      return { kind: 'unsubscribed' };
    case 'opened':
      return { kind: 'opened', client };
    case 'clicked':
      return { kind: 'clicked', url: textOf(event['url']), client };
    default:
      return undefined;
  }
}

/** Parses Mailgun's webhooks. @throws TypeError for a missing key */
export function mailgunReports(options: MailgunReportsOptions): MailReports {
  checkOptions<MailgunReportsOptions>('mailgunReports', options, { signingKey: 'required' });
  const { signingKey } = options;
  if (signingKey === '') throw new TypeError('mailgunReports: `signingKey` is missing.');
  const claimToken = createTokenMemory();
  return {
    id: 'mailgun',
    async read({ body, now }): Promise<readonly MailReport[]> {
      const fields = fieldsOf(parseReport(body));
      const signature = fieldsOf(fields['signature']);
      const [time, token] = [textOf(signature['timestamp']), textOf(signature['token'])];
      const expected = createHmac('sha256', signingKey)
        .update(time + token)
        .digest('hex');
      // Only this format is accepted, because the signature does not show where the time ends and the token begins.
      if (!/^\d{10}$/.test(time)) throw new ReportRefused('The timestamp of the signature is not in Unix seconds.');
      const age = now - Number(time) * 1_000;
      const isCurrent = age <= maxAgeMs && age >= -maxAheadMs;
      if (!isSameSecret(textOf(signature['signature']), expected) || !isCurrent)
        throw new ReportRefused('The signature is missing, wrong or old.');
      if (!claimToken(token, createHash('sha256').update(body).digest('base64')))
        throw new ReportRefused('The token of the signature was already used for another report.');
      const event = fieldsOf(fields['event-data']);
      const fact = factOf(event);
      const messageId = textOf(fieldsOf(fieldsOf(event['message'])['headers'])['message-id']);
      if (fact === undefined) return [];
      return [{ messageIds: [messageId], id: textOf(event['id']), at: timeOfSeconds(event['timestamp']), fact }];
    },
  };
}
