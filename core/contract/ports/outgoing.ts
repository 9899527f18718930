// Requests to URLs that users supplied: webhooks, remote media, client metadata. All of them go through this port, so that
// no request reaches a private network (SSRF). Implemented in core/outgoing.
import type { Socket } from 'node:net';

/** The reason why a request got no response. */
export type OutgoingFault =
  /** The URL must not be called, because of its scheme, user information or port. */
  | 'url_refused'
  /** The host resolves to an address that is not public. */
  | 'address_refused'
  /** The host name has no address, or could not be looked up. */
  | 'dns_failed'
  /** The connection was not opened in time, or was refused or reset. */
  | 'connection_failed'
  | 'tls_failed'
  /** There was no complete response in time. */
  | 'timeout';

/** Thrown if there is no response. The message names the fault and contains no secret. */
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

/** Whether a thrown value is an OutgoingError, of the given fault if one is given. */
export function isOutgoingError(error: unknown, fault?: OutgoingFault): error is OutgoingError {
  const outgoingError = error as Partial<OutgoingError> | null;
  return outgoingError?.name === 'OutgoingError' && (fault === undefined || outgoingError.fault === fault);
}

/** A body that is sent while it is read, so it need not fit into memory. */
export interface OutgoingStream {
  /** Its exact length. */
  readonly bytes: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

const longestRetryAfterMs = 86_400_000;

/**
 * Parses a Retry-After header (seconds or a date, RFC 9110, section 10.2.3) and returns the wait in milliseconds. Servers
 * send all kinds of values: more than a day counts as a day. Returns undefined for a past date, a negative number or other text.
 */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  const isSeconds = /^\d+(\.\d+)?$/.test(text);
  // Date.parse accepts nearly any text; an HTTP date begins with the day of the week.
  const isDate = /^[A-Z][a-z]{2,8},? /.test(text);
  const wait = isSeconds ? Math.ceil(Number(text) * 1_000) : isDate ? Date.parse(text) - now : Number.NaN;
  return wait > 0 ? Math.min(wait, longestRetryAfterMs) : undefined;
}

/** One outgoing request. */
export interface OutgoingRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | OutgoingStream;
  /** The time limit from DNS look-up to the last byte, in milliseconds. (Default: 15,000) */
  readonly timeoutMs?: number;
  /** The time limit of the connection, in milliseconds. (Default: 5,000) */
  readonly connectTimeoutMs?: number;
  /** The largest number of bytes of the response that are read. (Default: 65,536) */
  readonly maxResponseBytes?: number;
  readonly signal?: AbortSignal;
}

/** A response with any status. Redirects are returned like other responses; they are never followed. */
export interface OutgoingResponse {
  readonly status: number;
  /** Header names are lower-cased. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Whether `body` is incomplete, because the response was too long, did not end in time, or broke off. */
  readonly cut: boolean;
}

/** A connection for a protocol other than HTTP, to a host that a user supplied. */
export interface OutgoingConnection {
  /** A host name or an IP address. */
  readonly host: string;
  readonly port: number;
  /** The time limit from DNS look-up to the open connection, in milliseconds. (Default: 5,000) */
  readonly timeoutMs?: number;
  /** Exceptions in addition to those of `outgoing.allow`, in the same format. (Default: none) */
  readonly allow?: readonly string[];
}

/** `ctx.ports.outgoing`. */
export interface Outgoing {
  /**
   * Resolves the URL and refuses it like `request` does. Call it when a user saves a URL. With `production`, it applies the
   * rules of production in development too. @throws OutgoingError
   */
  check(url: string, environment?: 'production'): Promise<void>;
  /** Sends a request. @throws OutgoingError */
  request(request: OutgoingRequest): Promise<OutgoingResponse>;
  /**
   * Opens a TCP connection to a checked address of the host, under the rules of `request`. The caller runs its protocol on
   * the connection, starts TLS itself with the name of the host, and closes it. @throws OutgoingError; RangeError for a bad
   * `allow`
   */
  connect(connection: OutgoingConnection): Promise<Socket>;
  /** Closes idle connections. */
  close(): Promise<void>;
}
