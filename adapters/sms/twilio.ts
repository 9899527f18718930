// SMS over Twilio (twilio.com/docs/messaging/api/message-resource), with its package. The package builds the requests and checks
// the signatures of reports (twilio.com/docs/usage/webhooks/webhooks-security). Requests are sent through the service's guarded
// `outgoing`.

import twilio from 'twilio';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import { defineConnector } from '../../plugins/connectors/port/index.ts';
import {
  isSmsError,
  type SmsAdapter,
  SmsError,
  type SmsReason,
  type SmsReport,
  SmsReportRefused,
  type SmsReports,
} from '../../plugins/sms/port/index.ts';
import { httpSms, type SmsExchange, type SmsRefusal } from '../kit/http-sms.ts';
import { apiUrl, checkOption } from '../kit/provider-responses.ts';
import { textOf } from '../kit/report-fields.ts';
import { smsCredentials } from '../kit/sms-credentials.ts';

/** Options of `twilioSms`. */
export interface TwilioSmsOptions {
  /** The id (AC…) of the account or subaccount. */
  readonly accountSid: string;
  /** Checks the signatures of reports, and authenticates requests if there is no `apiKey`. */
  readonly authToken: string;
  /** An API key (SK…), so that requests need no auth token. (Default: the auth token) */
  readonly apiKey?: { readonly sid: string; readonly secret: string };
  /** An E.164 number, a short code, an alphanumeric sender, or the id of a Messaging Service (MG…). */
  readonly from: string;
  /** (Default: https://api.twilio.com) */
  readonly url?: string;
  /** The time limit of one send, in milliseconds. (Default: 30,000) */
  readonly timeoutMs?: number;
}

/** The meaning of error codes (twilio.com/docs/api/errors). */
const reasons: Readonly<Record<string, SmsReason>> = {
  '20003': 'account',
  '20005': 'account',
  '21211': 'invalid_number',
  '21214': 'invalid_number',
  '21217': 'invalid_number',
  '21219': 'not_permitted',
  '21408': 'not_permitted',
  '21602': 'content',
  '21603': 'sender',
  '21606': 'sender',
  '21608': 'not_permitted',
  '21610': 'opted_out',
  '21611': 'account',
  '21612': 'not_permitted',
  '21614': 'landline',
  '21617': 'content',
  '21659': 'sender',
  '21660': 'sender',
  '21703': 'sender',
  '30001': 'account',
  '30002': 'account',
  '30003': 'unreachable',
  '30004': 'blocked',
  '30005': 'invalid_number',
  '30006': 'landline',
  '30007': 'content',
  '30022': 'account',
  '30023': 'account',
  '30032': 'sender',
  '30034': 'sender',
  '30036': 'expired',
  '30410': 'unreachable',
  '30450': 'blocked',
  '63038': 'account',
};

/** Too many requests, or a full queue of the sender: rejected now, accepted later. */
const busyCodes: ReadonlySet<string> = new Set(['20429', '21611', '14107']);

const reasonOf = (code: string): SmsReason => (Object.hasOwn(reasons, code) ? (reasons[code] ?? 'unknown') : 'unknown');

function refusalOf(code: string, status: number): SmsRefusal {
  if (code === '') return {};
  const isRefused = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return {
    code,
    reason: reasonOf(code),
    ...(busyCodes.has(code) ? { fault: 'busy' } : isRefused ? { fault: 'refused' } : {}),
  };
}

const isService = (sender: string): boolean => /^MG[0-9a-f]{32}$/i.test(sender);

/** The parts of the package's request that this adapter sends. */
interface PackageRequest {
  readonly method: string;
  readonly uri: string;
  readonly username?: string;
  readonly password?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** The form of a request, as the package's own client writes it. */
function formOf(data: PackageRequest['data'] = {}): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(data))
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) form.append(name, String(item));
  return form.toString();
}

const statuses: Readonly<Record<string, 'sent' | 'delivered' | 'undelivered' | 'failed'>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'undelivered',
  failed: 'failed',
  canceled: 'failed',
};

/** Twilio's Advanced Opt-Out reports the kind of a keyword in OptOutType (twilio.com/docs/messaging/tutorials/advanced-opt-out). */
const optOutTypes: Readonly<Record<string, 'stop' | 'start' | 'help' | undefined>> = {
  STOP: 'stop',
  START: 'start',
  HELP: 'help',
};

function reportOf(form: Readonly<Record<string, string>>): SmsReport | undefined {
  const field = (name: string): string => form[name] ?? '';
  const status = field('MessageStatus');
  if (status === '' || status === 'received') {
    const keyword = optOutTypes[field('OptOutType').toUpperCase()];
    if ((field('Body') === '' && keyword === undefined) || field('From') === '') return undefined;
    return {
      kind: 'inbound',
      from: field('From'),
      to: [field('To'), field('MessagingServiceSid')].filter((name) => name !== ''),
      text: field('Body'),
      ...(keyword === undefined ? {} : { asks: keyword }),
      // Advanced Opt-Out has already answered such a keyword itself.
      answered: field('OptOutType') !== '',
    };
  }
  const deliveryStatus = Object.hasOwn(statuses, status) ? statuses[status] : undefined;
  if (deliveryStatus === undefined) return undefined;
  const code = field('ErrorCode');
  return {
    kind: 'status',
    providerMessageId: field('MessageSid'),
    status: deliveryStatus,
    ...(code === '' ? {} : { code, reason: reasonOf(code) }),
  };
}

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeText = (text: string): string => text.replace(/[&<>]/g, (mark) => references[mark] ?? mark);

const reportsWith = (authToken: string): SmsReports => ({
  async read({ headers, body, url }) {
    const form = Object.fromEntries(new URLSearchParams(Buffer.from(body).toString('utf8')));
    const signature = headers['x-twilio-signature'] ?? '';
    if (signature === '' || !twilio.validateRequest(authToken, signature, url, form))
      throw new SmsReportRefused(
        'X-Twilio-Signature is missing, or does not match this URL and body: check the public URL.',
      );
    const report = reportOf(form);
    return report === undefined ? [] : [report];
  },
  inboundResponse: (reply) => ({
    contentType: 'text/xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="UTF-8"?><Response>${reply === undefined ? '' : `<Message>${escapeText(reply)}</Message>`}</Response>`,
  }),
});

/** Sends through Twilio, and parses its reports. @throws TypeError for invalid options */
export function twilioSms(options: TwilioSmsOptions): SmsAdapter {
  checkOptions<TwilioSmsOptions>('twilioSms', options, {
    accountSid: 'required',
    authToken: 'required',
    from: 'required',
    apiKey: 'optional',
    url: 'optional',
    timeoutMs: 'optional',
  });
  const { accountSid, authToken, apiKey, from, url = 'https://api.twilio.com', timeoutMs = 30_000 } = options;
  if (!/^AC[0-9a-f]{32}$/i.test(accountSid))
    throw new TypeError('twilioSms: `accountSid` must be AC and 32 hexadecimal digits.');
  checkOption(authToken, 'authToken', 'twilioSms');
  if (apiKey !== undefined) {
    checkOption(apiKey.sid, 'apiKey.sid', 'twilioSms');
    checkOption(apiKey.secret, 'apiKey.secret', 'twilioSms');
  }
  if (from === '') throw new TypeError('twilioSms: `from` is missing.');
  const base = apiUrl(url, 'twilioSms');

  /** The package's client, with `exchange` in place of its HTTP client. */
  const clientOf = (exchange: SmsExchange) => {
    const request = async ({ uri, username, password, headers = {}, data }: PackageRequest) => {
      const { pathname, search } = new URL(uri);
      const { status, text } = await exchange({
        url: `${base}${pathname}${search}`,
        headers: {
          ...headers,
          authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
        },
        body: formOf(data),
      });
      return { statusCode: status, body: text };
    };
    const [username, password] = apiKey === undefined ? [accountSid, authToken] : [apiKey.sid, apiKey.secret];
    // The package calls only `request` of its client.
    const httpClient = { request } as unknown as InstanceType<typeof twilio.RequestClient>;
    return twilio(username, password, { accountSid, httpClient });
  };

  return httpSms({
    id: 'twilio',
    sender: from,
    timeoutMs,
    secrets: [authToken, ...(apiKey === undefined ? [] : [apiKey.secret])],
    async handOver(sms, exchange) {
      const message = clientOf(exchange).messages.create({
        to: sms.to,
        body: sms.body,
        ...(isService(sms.from) ? { messagingServiceSid: sms.from } : { from: sms.from }),
        ...(sms.callbackUrl === undefined ? {} : { statusCallback: sms.callbackUrl }),
        ...(sms.validForSeconds === undefined ? {} : { validityPeriod: sms.validForSeconds }),
      });
      const { sid } = await message.catch((error: unknown) => {
        if (isSmsError(error)) throw error;
        // A 2xx that the package cannot parse means that the message was accepted.
        throw new SmsError('unknown', 'The package of Twilio could not read the response.', { cause: error });
      });
      return { providerMessageId: sid, sender: sms.from };
    },
    errorMessage: (fields) => textOf(fields['message']),
    refusal: ({ fields, status }) => refusalOf(textOf(fields['code']), status),
    reports: reportsWith(authToken),
  });
}

const { credentials, options } = smsCredentials;

/** The connector for workspaces with their own Twilio accounts. */
export const twilioConnector = () =>
  defineConnector({
    kind: 'sms',
    provider: 'twilio',
    name: 'Twilio',
    credentials: credentials({ accountSid: /^AC[0-9a-fA-F]{32}$/, authToken: /^[!-~]{1,200}$/ }),
    options,
    connect: ({ credentials: { accountSid, authToken }, options: { sender } }) =>
      twilioSms({ accountSid, authToken, from: sender }),
    faultOf: (error) => (isSmsError(error) && error.unauthorised ? 'revoked' : undefined),
  });
