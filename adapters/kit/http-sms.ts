// The common part of SMS adapters on providers' HTTP APIs. Called by the adapters of such providers. It never repeats a request,
// and no error contains a secret. After a broken connection or a server error the outcome is unknown.
import { beginning } from '../../core/contract/values/shorten.ts';
import {
  type OutgoingSms,
  type SmsAdapter,
  SmsError,
  type SmsErrorOptions,
  type SmsReceipt,
  type SmsReports,
  type SmsSendOptions,
} from '../../plugins/sms/port/index.ts';
import {
  type ProviderResponse,
  plainWords,
  readFields,
  refusalOfStatus,
  retryAfterOf,
  trackSends,
} from './provider-responses.ts';
import type { ReportFields } from './report-fields.ts';
import { checkSms } from './sms-fields.ts';

/** A request that sends one message. */
export interface SmsRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A response with the text from which it was parsed. */
export interface SmsProviderResponse extends ProviderResponse {
  readonly text: string;
}

/** The meaning of a refusal, if its status alone does not show it. */
export interface SmsRefusal extends Pick<SmsErrorOptions, 'reason' | 'code' | 'unauthorised'> {
  /** (Default: by the status) */
  readonly fault?: 'busy' | 'refused';
}

/** Sends a request and returns a successful response. @throws SmsError */
export type SmsExchange = (request: SmsRequest) => Promise<SmsProviderResponse>;

/** The properties of one provider. */
export interface HttpSmsProvider {
  readonly id: string;
  readonly sender: string;
  /** The time limit of one request, in milliseconds. */
  readonly timeoutMs: number;
  /** Texts that no error may repeat: keys and passwords. */
  readonly secrets: readonly string[];
  handOver(
    sms: OutgoingSms & { readonly from: string },
    exchange: SmsExchange,
    options: SmsSendOptions,
  ): Promise<SmsReceipt>;
  /** The provider's message in a refusal; empty if there is none. */
  errorMessage(fields: ReportFields): string;
  /**
   * Also called for 2xx responses, because some providers refuse with 200 and a code in the body. A result with a `fault` is then
   * a refusal.
   */
  refusal(response: ProviderResponse): SmsRefusal;
  readonly reports?: SmsReports | undefined;
}

const faults = {
  recipient: 'refused',
  message: 'refused',
  sender: 'refused',
  service: 'refused',
  credentials: 'refused',
  busy: 'busy',
  unknown: 'unknown',
} as const;

function errorOf({ id, errorMessage, refusal, secrets }: HttpSmsProvider, response: ProviderResponse): SmsError {
  const { status } = response;
  const message = plainWords(errorMessage(response.fields), secrets) || `${id} answered ${status}.`;
  const byStatus = refusalOfStatus(status);
  const { fault = faults[byStatus], ...details } = refusal(response);
  const retryAfterMs = fault === 'busy' ? retryAfterOf(response) : undefined;
  const reason = byStatus === 'service' || byStatus === 'credentials' ? ({ reason: 'account' } as const) : {};
  return new SmsError(fault, message, {
    ...reason,
    unauthorised: byStatus === 'credentials',
    retryAfterMs,
    ...details,
  });
}

function exchangeOf(provider: HttpSmsProvider, { outgoing, signal }: SmsSendOptions): SmsExchange {
  return async (request) => {
    let response: SmsProviderResponse;
    try {
      const { status, headers, body } = await outgoing.request({
        url: request.url,
        method: 'POST',
        headers: { accept: 'application/json', 'user-agent': 'postrider', ...request.headers },
        body: request.body,
        timeoutMs: provider.timeoutMs,
        signal,
      });
      response = { status, headers, fields: readFields(body), text: Buffer.from(body).toString('utf8') };
    } catch (cause) {
      const isSent = (cause as { sent?: unknown } | null)?.sent !== false;
      const text = cause instanceof Error ? cause.message : `${provider.id} cannot be reached.`;
      throw new SmsError(isSent ? 'unknown' : 'busy', beginning(text, 500), { cause });
    }
    const isSuccess = response.status >= 200 && response.status < 300;
    if (isSuccess && provider.refusal(response).fault === undefined) return response;
    throw errorOf(provider, response);
  };
}

/** Makes the adapter. @throws TypeError for an invalid time limit */
export function httpSms(provider: HttpSmsProvider): SmsAdapter {
  const { id, sender, timeoutMs, reports } = provider;
  if (!(Number.isInteger(timeoutMs) && timeoutMs > 0))
    throw new TypeError(`${id}Sms: \`timeoutMs\` must be a whole number above 0.`);
  const sends = trackSends();
  return {
    id,
    capabilities: { captures: false },
    sender,
    ...(reports === undefined ? {} : { reports }),
    async send(sms, options) {
      checkSms(sms);
      if (sends.isClosed) throw new SmsError('busy', 'This SMS adapter is closed.');
      if (options.signal.aborted) throw new SmsError('busy', 'The attempt was ended before it began.');
      const from = sms.from ?? sender;
      return sends.run(() => provider.handOver({ ...sms, from }, exchangeOf(provider, options), options));
    },
    close: () => sends.close(),
  };
}
