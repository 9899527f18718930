// The common part of all providers with an HTTP API, regardless of the medium: classification of statuses, parsing of responses,
// and sends in progress. Called by http-mail.ts, http-sms.ts, http-social.ts and the adapters on them. Pure, except for the promises
// that it counts.

import { retryAfterMs } from '../../core/contract/ports/outgoing.ts';
import { parseUrl } from '../../core/contract/values/parse-url.ts';
import { oneLine } from '../../core/contract/values/shorten.ts';
import { fieldsOf, type ReportFields } from './report-fields.ts';

/** A provider's response. */
export interface ProviderResponse {
  readonly status: number;
  /** Lower-cased names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The fields of the body if it is a JSON object; otherwise an object without fields. */
  readonly fields: ReportFields;
}

/**
 * The reason of a response other than acceptance. `recipient`: the address is refused; `message`: the message is refused;
 * `sender`: the sender's address or domain is refused; `service`: the account is refused; `credentials`: the key is refused;
 * `busy`: not accepted, retry; `unknown`: it may have been accepted.
 */
export type ProviderRefusal = 'recipient' | 'message' | 'sender' | 'service' | 'credentials' | 'busy' | 'unknown';

/** The meaning of a status by itself (RFC 9110, RFC 6585). After a timeout or a server error the outcome is unknown. */
export function refusalOfStatus(status: number): ProviderRefusal {
  if (status === 429) return 'busy';
  if (status === 401) return 'credentials';
  if (status === 402 || status === 403) return 'service';
  return status >= 400 && status < 500 && status !== 408 ? 'message' : 'unknown';
}

/** The wait that a response requests, in milliseconds. */
export const retryAfterOf = ({ headers }: Pick<ProviderResponse, 'headers'>): number | undefined =>
  retryAfterMs(headers['retry-after'], Date.now());

/** One line of at most 500 characters, without the secrets. */
export function plainWords(message: string, secrets: readonly string[]): string {
  const withoutSecrets = secrets.reduce(
    (text, secret) => (secret === '' ? text : text.replaceAll(secret, '[secret]')),
    message,
  );
  return oneLine(withoutSecrets, 500);
}

/** The fields of a body that is a JSON object; no fields for any other body. */
export function readFields(body: Uint8Array): ReportFields {
  try {
    return fieldsOf(JSON.parse(Buffer.from(body).toString('utf8')));
  } catch {
    // A proxy may respond with HTML; then only the status is used.
    return {};
  }
}

/** Sends in progress. Closing waits for them. */
export interface SendsInProgress {
  readonly isClosed: boolean;
  run<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Tracks the sends of one adapter. */
export function trackSends(): SendsInProgress {
  const inFlight = new Set<Promise<unknown>>();
  let isClosed = false;
  return {
    get isClosed() {
      return isClosed;
    },
    async run(work) {
      const send = work();
      inFlight.add(send);
      try {
        return await send;
      } finally {
        inFlight.delete(send);
      }
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(inFlight);
    },
  };
}

/** The URL of an API without a slash at its end. @throws TypeError for an invalid URL */
export function apiUrl(url: string, factory: string): string {
  if (parseUrl(url) === undefined || !/^https?:\/\//.test(url))
    throw new TypeError(`${factory}: \`url\` must be a URL.`);
  return url.replace(/\/+$/, '');
}

/** @throws TypeError for a key, a token or a name that is missing or could break a header */
export function checkOption(value: string, name: string, factory: string): void {
  if (!/^[!-~]+$/.test(value)) throw new TypeError(`${factory}: \`${name}\` is missing, or not printable ASCII.`);
}
