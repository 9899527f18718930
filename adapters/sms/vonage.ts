// SMS over Vonage's Messages API, version 1 (developer.vonage.com/en/api/messages), without a package. Its reports are signed
// with a JWT (developer.vonage.com/en/getting-started/concepts/webhooks, "Validating signed webhooks").

import { createHash, createHmac } from 'node:crypto';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import { defineConnector } from '../../plugins/connectors/port/index.ts';
import {
  isSmsError,
  type SmsAdapter,
  type SmsReason,
  type SmsReport,
  SmsReportRefused,
  type SmsReports,
} from '../../plugins/sms/port/index.ts';
import { httpSms, type SmsRefusal } from '../kit/http-sms.ts';
import { apiUrl, checkOption } from '../kit/provider-responses.ts';
import { fieldsOf, isSameSecret, optionalText, type ReportFields, textOf } from '../kit/report-fields.ts';
import { smsCredentials } from '../kit/sms-credentials.ts';

/** Options of `vonageSms`. */
export interface VonageSmsOptions {
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Checks the signatures of reports: the account's signature secret, which differs from `apiSecret`. */
  readonly signatureSecret: string;
  /** An E.164 number, or a name of up to 11 letters and digits. */
  readonly from: string;
  /** (Default: https://api.nexmo.com) */
  readonly url?: string;
  /** The time limit of one send, in milliseconds. (Default: 30,000) */
  readonly timeoutMs?: number;
}

/** The meaning of error codes (developer.vonage.com/en/api-errors/messages). */
const reasons: Readonly<Record<string, SmsReason>> = {
  '1020': 'content',
  '1040': 'invalid_number',
  '1050': 'blocked',
  '1060': 'account',
  '1070': 'account',
  '1080': 'account',
  '1120': 'sender',
  '1140': 'account',
  '1160': 'not_permitted',
};

/** Above the capacity of the account: rejected now, accepted later. */
const throttled = '1000';

/** The code, from the title of an error or the fragment of its type. */
function codeOf({ title, type }: ReportFields): string | undefined {
  const text = textOf(title);
  if (/^\d{4}$/.test(text)) return text;
  return /#(\d{4})$/.exec(textOf(type))?.[1];
}

const reasonOf = (code: string | undefined): SmsReason =>
  code !== undefined && Object.hasOwn(reasons, code) ? (reasons[code] ?? 'unknown') : 'unknown';

function refusalOf(fields: ReportFields): SmsRefusal {
  const code = codeOf(fields);
  if (code === throttled) return { code, fault: 'busy' };
  if (code !== undefined) return { code, reason: reasonOf(code) };
  const names = Array.isArray(fields['invalid_parameters'])
    ? fields['invalid_parameters'].map((one) => textOf(fieldsOf(one)['name']))
    : [];
  if (names.includes('to')) return { reason: 'invalid_number' };
  if (names.includes('from')) return { reason: 'sender' };
  return names.includes('text') ? { reason: 'content' } : {};
}

/** Vonage writes numbers without the plus. */
const withoutPlus = (number: string): string => number.replace(/^\+(?=\d)/, '');
const withPlus = (number: string): string => (/^\d{6,15}$/.test(number) ? `+${number}` : number);

const statuses: Readonly<Record<string, 'sent' | 'delivered' | 'undelivered'>> = {
  submitted: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  rejected: 'undelivered',
  undeliverable: 'undelivered',
};

function reportOf(report: ReportFields): SmsReport | undefined {
  const status = textOf(report['status']);
  if (status === '') {
    if (textOf(report['message_type']) !== 'text' || textOf(report['from']) === '') return undefined;
    const to = textOf(report['to']);
    return {
      kind: 'inbound',
      from: withPlus(textOf(report['from'])),
      to: [...new Set([withPlus(to), to])],
      text: textOf(report['text']),
      answered: false,
    };
  }
  const deliveryStatus = Object.hasOwn(statuses, status) ? statuses[status] : undefined;
  if (deliveryStatus === undefined) return undefined;
  const code = codeOf(fieldsOf(report['error']));
  return {
    kind: 'status',
    providerMessageId: textOf(report['message_uuid']),
    smsId: optionalText(report['client_ref']),
    status: deliveryStatus,
    ...(code === undefined ? {} : { code, reason: reasonOf(code) }),
  };
}

/** The maximum age of a report, and the maximum time by which it may be ahead. Vonage repeats a report for a day. */
const maxAgeMs = 86_400_000;

const jsonOf = (part: string): ReportFields => {
  try {
    return fieldsOf(JSON.parse(Buffer.from(part, 'base64url').toString('utf8')));
  } catch {
    return {};
  }
};

/** The claims of a token (RFC 7519) that is signed with HS256. @throws SmsReportRefused */
function claimsOf(authorization: string, secret: string): ReportFields {
  const [, header = '', claims = '', signature = ''] =
    /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(authorization) ?? [];
  const expected = createHmac('sha256', secret).update(`${header}.${claims}`).digest('base64url');
  if (jsonOf(header)['alg'] !== 'HS256' || !isSameSecret(signature, expected))
    throw new SmsReportRefused('The token in Authorization is missing, or not signed with the signature secret.');
  return jsonOf(claims);
}

const reportsWith = (secret: string): SmsReports => ({
  async read({ headers, body, now }) {
    const claims = claimsOf(headers['authorization'] ?? '', secret);
    if (!isSameSecret(textOf(claims['payload_hash']), createHash('sha256').update(body).digest('hex')))
      throw new SmsReportRefused('The token was signed for another body.');
    const issuedMs = Number(claims['iat']) * 1_000;
    if (!(Math.abs(now - issuedMs) <= maxAgeMs)) throw new SmsReportRefused('The token is too old.');
    const report = reportOf(jsonBody(body));
    return report === undefined ? [] : [report];
  },
});

function jsonBody(body: Uint8Array): ReportFields {
  try {
    return fieldsOf(JSON.parse(Buffer.from(body).toString('utf8')));
  } catch {
    return {};
  }
}

/** Sends through Vonage, and parses its reports. @throws TypeError for invalid options */
export function vonageSms(options: VonageSmsOptions): SmsAdapter {
  checkOptions<VonageSmsOptions>('vonageSms', options, {
    apiKey: 'required',
    apiSecret: 'required',
    signatureSecret: 'required',
    from: 'required',
    url: 'optional',
    timeoutMs: 'optional',
  });
  const { apiKey, apiSecret, signatureSecret, from, url = 'https://api.nexmo.com', timeoutMs = 30_000 } = options;
  for (const [name, value] of Object.entries({ apiKey, apiSecret, signatureSecret }))
    checkOption(value, name, 'vonageSms');
  if (from === '') throw new TypeError('vonageSms: `from` is missing.');
  const base = apiUrl(url, 'vonageSms');
  const authorization = `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString('base64')}`;
  return httpSms({
    id: 'vonage',
    sender: from,
    timeoutMs,
    secrets: [apiSecret, signatureSecret],
    async handOver(sms, exchange, { idempotencyKey }) {
      const { fields } = await exchange({
        url: `${base}/v1/messages`,
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({
          channel: 'sms',
          message_type: 'text',
          to: withoutPlus(sms.to),
          from: withoutPlus(sms.from),
          text: sms.body,
          client_ref: idempotencyKey,
          ...(sms.validForSeconds === undefined ? {} : { ttl: sms.validForSeconds }),
          ...(sms.callbackUrl === undefined ? {} : { webhook_url: sms.callbackUrl, webhook_version: 'v1' }),
        }),
      });
      return { providerMessageId: optionalText(fields['message_uuid']), sender: sms.from };
    },
    errorMessage: (fields) => textOf(fields['detail']) || textOf(fields['title']),
    refusal: ({ fields }) => refusalOf(fields),
    reports: reportsWith(signatureSecret),
  });
}

const { credentials, options } = smsCredentials;

/** The connector for workspaces with their own Vonage accounts. */
export const vonageConnector = () =>
  defineConnector({
    kind: 'sms',
    provider: 'vonage',
    name: 'Vonage',
    credentials: credentials({
      apiKey: /^[!-~]{1,100}$/,
      apiSecret: /^[!-~]{1,200}$/,
      signatureSecret: /^[!-~]{1,200}$/,
    }),
    options,
    connect: ({ credentials: { apiKey, apiSecret, signatureSecret }, options: { sender } }) =>
      vonageSms({ apiKey, apiSecret, signatureSecret, from: sender }),
    faultOf: (error) => (isSmsError(error) && error.unauthorised ? 'revoked' : undefined),
  });
