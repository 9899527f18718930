// The common part of mail adapters on providers' HTTP APIs. Called by the adapters of such providers. Each of them defines how a
// message becomes a request and how responses are classified. It never repeats a request, and no error contains a secret.

import { isOutgoingError } from '../../core/contract/ports/outgoing.ts';
import { beginning } from '../../core/contract/values/shorten.ts';
import {
  type MailAdapter,
  MailError,
  type MailErrorOptions,
  type MailFault,
  type MailReceipt,
  type MailSendOptions,
  type OutgoingMail,
} from '../../plugins/email/port/index.ts';
import { checkMail } from './mail-fields.ts';
import {
  type ProviderRefusal,
  type ProviderResponse,
  plainWords,
  readFields,
  refusalOfStatus,
  retryAfterOf,
  trackSends,
} from './provider-responses.ts';
import type { ReportFields } from './report-fields.ts';

export type { ProviderRefusal } from './provider-responses.ts';
export { apiUrl, checkOption } from './provider-responses.ts';

/** A provider's response. */
export type MailProviderResponse = ProviderResponse;

/** A request that sends one message. */
export interface MailRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** Secrets of this request that no error may repeat, in addition to the secrets of the provider. (Default: none) */
  readonly secrets?: readonly string[];
}

/** A request that sends nothing. Its response shows whether the key works. */
export interface MailCheck {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** As in MailRequest. */
  readonly secrets?: readonly string[];
}

/** The properties of one provider. */
export interface HttpMailProvider {
  readonly id: string;
  /** Whether a repeat with the same idempotency key is suppressed. (Default: false) */
  readonly idempotent?: boolean;
  /** The time limit of one request, in milliseconds. (Default: 30,000) */
  readonly timeoutMs?: number | undefined;
  /** Texts that no error may repeat: keys and passwords. */
  readonly secrets: readonly string[];
  request(mail: OutgoingMail, options: MailSendOptions): MailRequest | Promise<MailRequest>;
  /** The provider's id of an accepted message. */
  receipt(response: MailProviderResponse): string | undefined;
  /** The provider's message in a refusal; empty if there is none. */
  errorMessage(fields: ReportFields): string;
  /**
   * The meaning of a refusal, if the status alone does not show it. Called for every response, including 2xx: some vendors refuse
   * with 200 and a code in the body. Undefined for an acceptance, or if the status decides.
   */
  refusal?(response: MailProviderResponse, message: string): ProviderRefusal | undefined;
  /** The request of `verify`. */
  check(): MailCheck | Promise<MailCheck>;
  /** Whether a refusal of the check still shows that the key works, because the key may only have the right to send. */
  passes?(response: MailProviderResponse, message: string): boolean;
}

/** The provider accepted nothing, regardless of the message. Another provider may accept it. */
const unavailable: ReadonlySet<ProviderRefusal> = new Set(['sender', 'service', 'credentials', 'busy']);

const faults: Readonly<Record<ProviderRefusal, MailFault>> = {
  recipient: 'bounced',
  message: 'rejected',
  sender: 'rejected',
  // A person can fix the account or the key within the hours in which messages are retried.
  service: 'transient',
  credentials: 'transient',
  busy: 'transient',
  unknown: 'transient',
};

/** The error of a refusal; undefined for an acceptance. A 2xx is a refusal if the provider's `refusal` returns one. */
function errorOf(
  provider: HttpMailProvider,
  response: MailProviderResponse,
  secrets: readonly string[],
): MailError | undefined {
  const message = plainWords(provider.errorMessage(response.fields), secrets);
  const isSuccess = response.status >= 200 && response.status < 300;
  const refusal = provider.refusal?.(response, message) ?? (isSuccess ? undefined : refusalOfStatus(response.status));
  if (refusal === undefined) return undefined;
  const fault = faults[refusal];
  const diagnostic = message || `${provider.id} answered ${response.status}.`;
  const retryAfterMs = fault === 'transient' ? retryAfterOf(response) : undefined;
  const options: MailErrorOptions = {
    bounce: { class: fault === 'transient' ? 'soft' : 'undetermined', subType: 'general', diagnostic },
    unavailable: unavailable.has(refusal),
    credentialsRefused: refusal === 'credentials',
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
  return new MailError(fault, diagnostic, options);
}

async function exchange(
  provider: HttpMailProvider,
  request: MailRequest | MailCheck,
  { outgoing, signal }: Pick<MailSendOptions, 'outgoing' | 'signal'>,
): Promise<MailProviderResponse> {
  try {
    const { status, headers, body } = await outgoing.request({
      url: request.url,
      method: 'method' in request ? request.method : 'POST',
      headers: { accept: 'application/json', 'user-agent': 'postrider', ...request.headers },
      ...(request.body === undefined ? {} : { body: request.body }),
      timeoutMs: provider.timeoutMs ?? 30_000,
      signal,
    });
    return { status, headers, fields: readFields(body) };
  } catch (cause) {
    if (signal.aborted) throw new MailError('transient', 'The attempt was ended before the provider answered.');
    const isReached = (cause as { sent?: unknown } | null)?.sent !== false;
    const text = cause instanceof Error ? cause.message : `${provider.id} cannot be reached.`;
    // The adapter's own URL was refused. Every later attempt would be refused, too.
    const fault = isOutgoingError(cause, 'url_refused') ? 'rejected' : 'transient';
    throw new MailError(fault, beginning(text, 500), { cause, unavailable: !isReached });
  }
}

/** Makes the adapter. @throws TypeError for an invalid time limit */
export function httpMail(provider: HttpMailProvider): MailAdapter {
  const { id, timeoutMs = 1 } = provider;
  if (!(Number.isInteger(timeoutMs) && timeoutMs > 0))
    throw new TypeError(`${id}Mail: \`timeoutMs\` must be a whole number above 0.`);
  const sends = trackSends();

  async function sendOnce(mail: OutgoingMail, options: MailSendOptions): Promise<MailReceipt> {
    const request = await provider.request(mail, options);
    const answer = await exchange(provider, request, options);
    const error = errorOf(provider, answer, [...provider.secrets, ...(request.secrets ?? [])]);
    if (error !== undefined) throw error;
    const providerMessageId = provider.receipt(answer)?.slice(0, 500);
    return { response: String(answer.status), ...(providerMessageId ? { providerMessageId } : {}) };
  }

  /** Runs an attempt so that close() waits for it. */
  async function runAttempt<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> {
    if (sends.isClosed) throw new MailError('transient', 'This mail adapter is closed.');
    if (signal.aborted) throw new MailError('transient', 'The attempt was ended before it began.');
    return sends.run(run);
  }

  async function check(signal: AbortSignal, outgoing: MailSendOptions['outgoing']): Promise<void> {
    const request = await provider.check();
    const answer = await exchange(provider, request, { signal, outgoing });
    const secrets = [...provider.secrets, ...(request.secrets ?? [])];
    const error = errorOf(provider, answer, secrets);
    if (error === undefined) return;
    if (provider.passes?.(answer, plainWords(provider.errorMessage(answer.fields), secrets)) !== true) throw error;
  }

  return {
    id,
    capabilities: { idempotent: provider.idempotent ?? false, captures: false },
    async send(mail, options) {
      checkMail(mail);
      return runAttempt(options.signal, () => sendOnce(mail, options));
    },
    verify(signal, { outgoing }) {
      return runAttempt(signal, () => check(signal, outgoing));
    },
    close: () => sends.close(),
  };
}
