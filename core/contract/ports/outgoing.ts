// Requests to URLs that users supplied: webhooks, remote media, client metadata. All of them go through here, so that
// none reaches a private network (SSRF). Implemented in core/outgoing.
import type { Socket } from 'node:net';

/** Why a request did not get an answer. */
export type OutgoingFault =
  /** The URL must not be called: its scheme, user information or port. */
  | 'url_refused'
  /** It resolves to an address that is not public. */
  | 'address_refused'
  /** The name has no address, or could not be looked up. */
  | 'dns_failed'
  /** No connection in time, refused, or reset. */
  | 'connection_failed'
  | 'tls_failed'
  /** No complete answer in time. */
  | 'timeout';

/** Thrown when there is no answer; the message names the fault and repeats no secret. */
export class OutgoingError extends Error {
  readonly fault: OutgoingFault;
  /** Whether the server may have received a part of the request. (Default: false) */
  readonly sent: boolean;
  constructor(
    fault: OutgoingFault,
    message: string,
    options: { readonly cause?: unknown; readonly sent?: boolean } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'OutgoingError';
    this.fault = fault;
    this.sent = options.sent ?? false;
  }
}

/** Whether a thrown value is an OutgoingError, of this fault where one is given. */
export function isOutgoingError(error: unknown, fault?: OutgoingFault): error is OutgoingError {
  const found = error as Partial<OutgoingError> | null;
  return found?.name === 'OutgoingError' && (fault === undefined || found.fault === fault);
}

/** A body that is sent while it is read: it need not fit into memory. */
export interface OutgoingStream {
  /** Its exact length. */
  readonly bytes: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

const longestRetryAfterMs = 86_400_000;

/**
 * Retry-After as a wait in milliseconds: seconds, or a date (RFC 9110, section 10.2.3). Servers write anything into it: more than
 * a day counts as a day, and a past date, a negative number or another text as none.
 */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  const given = value?.trim() ?? '';
  const isSeconds = /^\d+(\.\d+)?$/.test(given);
  // Date.parse accepts nearly any text; an HTTP date begins with the day of the week.
  const isDate = /^[A-Z][a-z]{2,8},? /.test(given);
  const wait = isSeconds ? Math.ceil(Number(given) * 1_000) : isDate ? Date.parse(given) - now : Number.NaN;
  return wait > 0 ? Math.min(wait, longestRetryAfterMs) : undefined;
}

/** One request. */
export interface OutgoingRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | OutgoingStream;
  /** The time limit from DNS look-up to the last byte, in milliseconds. (Default: 15,000) */
  readonly timeoutMs?: number;
  /** The time limit of the connection, in milliseconds. (Default: 5,000) */
  readonly connectTimeoutMs?: number;
  /** Reads at most so many bytes of the answer. (Default: 65,536) */
  readonly maxAnswerBytes?: number;
  readonly signal?: AbortSignal;
}

/** An answer, whatever its status. Redirects are answers; they are never followed. */
export interface OutgoingAnswer {
  readonly status: number;
  /** Lower-cased names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Whether `body` is incomplete: the answer was longer, did not end in time, or broke off. */
  readonly cut: boolean;
}

/** A connection of another protocol than HTTP, to a host that a user named. */
export interface OutgoingConnection {
  /** A name or an address. */
  readonly host: string;
  readonly port: number;
  /** The time limit from DNS look-up to the open connection, in milliseconds. (Default: 5,000) */
  readonly timeoutMs?: number;
  /** Exceptions beside those of `outgoing.allow`, in the same form. (Default: none) */
  readonly allow?: readonly string[];
}

/** `ctx.ports.outgoing`. */
export interface Outgoing {
  /**
   * Resolves the URL and refuses it like `request` does: call it when a user saves a URL. With `production`, refuses what
   * production would, in development too. @throws OutgoingError
   */
  check(url: string, environment?: 'production'): Promise<void>;
  /** @throws OutgoingError */
  request(request: OutgoingRequest): Promise<OutgoingAnswer>;
  /**
   * Opens a TCP connection to a checked address of the host, under the rules of `request`. The caller speaks its protocol on
   * it, begins TLS itself with the name of the host, and closes it. @throws OutgoingError; RangeError for a bad `allow`
   */
  connect(connection: OutgoingConnection): Promise<Socket>;
  /** Closes idle connections. */
  close(): Promise<void>;
}
