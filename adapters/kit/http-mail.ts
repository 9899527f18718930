// A mail adapter on a provider's HTTP API: what is the same for all of them. Called by the adapters of such providers, each of
// which says how a message becomes a request and what its answers mean. It never repeats a request, and no error holds a secret.
import type {
  MailAdapter,
  MailErrorOptions,
  MailFault,
  MailReceipt,
  MailSendOptions,
  OutgoingMail,
} from '../../plugins/email/port/index.ts';
import { MailError } from '../../plugins/email/port/index.ts';
import { checkMail } from './mail-fields.ts';
import type { Fields } from './report-fields.ts';
import { fieldsOf } from './report-fields.ts';

/** A request that hands one message over. */
export interface MailRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** Texts that no error may repeat, where they are known with the request only. (Default: none) */
  readonly secrets?: readonly string[];
}

/** A provider's answer. */
export interface MailAnswer {
  readonly status: number;
  /** Lower-cased names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body where it is a JSON object; without fields otherwise. */
  readonly fields: Fields;
}

/**
 * What an answer other than acceptance says. `recipient`: the address is refused; `message`: the message is refused;
 * `service`: the account, the key or the sender is refused; `busy`: not taken, try again; `unknown`: it may have been taken.
 */
export type Refusal = 'recipient' | 'message' | 'service' | 'busy' | 'unknown';

/** What differs from provider to provider. */
export interface HttpMailProvider {
  readonly id: string;
  /** Whether a repeat with the same idempotency key is suppressed. (Default: false) */
  readonly idempotent?: boolean;
  /** Of one request, in milliseconds. (Default: 30,000) */
  readonly timeoutMs?: number | undefined;
  /** Texts that no error may repeat: keys and passwords. */
  readonly secrets: readonly string[];
  request(mail: OutgoingMail, options: MailSendOptions): MailRequest | Promise<MailRequest>;
  /** The provider's id of an accepted message. */
  receipt(answer: MailAnswer): string | undefined;
  /** The provider's words in a refusal; empty where it gives none. */
  words(fields: Fields): string;
  /** What a refusal means, where the status alone does not say it. */
  refusal?(answer: MailAnswer, words: string): Refusal | undefined;
}

const faults: Readonly<Record<Refusal, MailFault>> = {
  recipient: 'bounced',
  message: 'rejected',
  service: 'rejected',
  busy: 'transient',
  unknown: 'transient',
};

/** What a status means by itself (RFC 9110, RFC 6585): after a time-out or a fault of the server nothing is known. */
function refusalOfStatus(status: number): Refusal {
  if (status === 429) return 'busy';
  if (status === 401 || status === 402 || status === 403) return 'service';
  return status >= 400 && status < 500 && status !== 408 ? 'message' : 'unknown';
}

/** Retry-After in milliseconds: seconds or a date (RFC 9110, section 10.2.3). */
function retryAfterOf({ headers }: MailAnswer): number | undefined {
  const value = headers['retry-after'] ?? '';
  const wait = /^\d{1,9}$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return wait > 0 ? wait : undefined;
}

/** One line of at most 500 characters, without the secrets. */
function plainWords(words: string, secrets: readonly string[]): string {
  const kept = secrets.reduce((text, secret) => (secret === '' ? text : text.replaceAll(secret, '[secret]')), words);
  return kept
    .slice(0, 4_000)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 500);
}

function errorOf(provider: HttpMailProvider, answer: MailAnswer, secrets: readonly string[]): MailError {
  const words = plainWords(provider.words(answer.fields), secrets);
  const refusal = provider.refusal?.(answer, words) ?? refusalOfStatus(answer.status);
  const fault = faults[refusal];
  const diagnostic = words || `${provider.id} answered ${answer.status}.`;
  const retryAfterMs = fault === 'transient' ? retryAfterOf(answer) : undefined;
  const options: MailErrorOptions = {
    bounce: { class: fault === 'transient' ? 'soft' : 'undetermined', subType: 'general', diagnostic },
    unavailable: refusal === 'service' || refusal === 'busy',
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
  return new MailError(fault, diagnostic, options);
}

function readFields(body: Uint8Array): Fields {
  try {
    return fieldsOf(JSON.parse(Buffer.from(body).toString('utf8')));
  } catch {
    // A proxy answers in HTML: the status counts.
    return {};
  }
}

async function exchange(
  provider: HttpMailProvider,
  request: MailRequest,
  { outgoing, signal }: MailSendOptions,
): Promise<MailAnswer> {
  try {
    const { status, headers, body } = await outgoing.request({
      url: request.url,
      method: 'POST',
      headers: { accept: 'application/json', 'user-agent': 'postrider', ...request.headers },
      body: request.body,
      timeoutMs: provider.timeoutMs ?? 30_000,
      signal,
    });
    return { status, headers, fields: readFields(body) };
  } catch (cause) {
    if (signal.aborted) throw new MailError('transient', 'The attempt was ended before the provider answered.');
    const isReached = (cause as { sent?: unknown } | null)?.sent !== false;
    const text = cause instanceof Error ? cause.message : `${provider.id} cannot be reached.`;
    throw new MailError('transient', text.slice(0, 500), { cause, unavailable: !isReached });
  }
}

/** Makes the adapter. @throws TypeError for a time limit that is none */
export function httpMail(provider: HttpMailProvider): MailAdapter {
  const { id, timeoutMs = 1 } = provider;
  if (!(Number.isInteger(timeoutMs) && timeoutMs > 0))
    throw new TypeError(`${id}Mail: \`timeoutMs\` must be a whole number above 0.`);
  const inFlight = new Set<Promise<unknown>>();
  let isClosed = false;

  async function handOver(mail: OutgoingMail, options: MailSendOptions): Promise<MailReceipt> {
    const request = await provider.request(mail, options);
    const answer = await exchange(provider, request, options);
    const { status } = answer;
    if (status < 200 || status >= 300)
      throw errorOf(provider, answer, [...provider.secrets, ...(request.secrets ?? [])]);
    const providerMessageId = provider.receipt(answer)?.slice(0, 500);
    return { response: String(status), ...(providerMessageId ? { providerMessageId } : {}) };
  }

  return {
    id,
    capabilities: { idempotent: provider.idempotent ?? false, captures: false },
    async send(mail, options) {
      checkMail(mail);
      if (isClosed) throw new MailError('transient', 'This mail adapter is closed.');
      if (options.signal.aborted) throw new MailError('transient', 'The attempt was ended before it began.');
      const sending = handOver(mail, options);
      inFlight.add(sending);
      try {
        return await sending;
      } finally {
        inFlight.delete(sending);
      }
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(inFlight);
    },
  };
}

/** The address of an API without a slash at its end. @throws TypeError for one that is no URL */
export function apiUrl(url: string, factory: string): string {
  if (!URL.canParse(url) || !/^https?:\/\//.test(url)) throw new TypeError(`${factory}: \`url\` must be a URL.`);
  return url.replace(/\/+$/, '');
}

/** @throws TypeError for a key, a token or a name that is missing or could end a header */
export function checkOption(value: string, name: string, factory: string): void {
  if (!/^[!-~]+$/.test(value)) throw new TypeError(`${factory}: \`${name}\` is missing, or not printable ASCII.`);
}
