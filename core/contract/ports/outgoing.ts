// Requests to addresses that users gave: webhooks, remote media, client metadata. Every one of them goes through here,
// so that none reaches the inside of somebody's network. Implemented in core/outgoing.

/** Why a request did not get an answer. */
export type OutgoingFault =
  /** The URL is none that may be called: scheme, user information, port. */
  | 'url_refused'
  /** It leads to an address that is not public. */
  | 'address_refused'
  /** The name has no address, or could not be looked up. */
  | 'dns_failed'
  /** No connection in time, or refused, or broken off. */
  | 'connection_failed'
  | 'tls_failed'
  /** No complete answer in time. */
  | 'timeout';

/** Thrown when there is no answer; the message names what was wrong and repeats no secret. */
export class OutgoingError extends Error {
  readonly fault: OutgoingFault;
  constructor(fault: OutgoingFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutgoingError';
    this.fault = fault;
  }
}

/** Whether something thrown is an OutgoingError, of this fault where one is given. */
export function isOutgoingError(error: unknown, fault?: OutgoingFault): error is OutgoingError {
  const found = error as Partial<OutgoingError> | null;
  return found?.name === 'OutgoingError' && (fault === undefined || found.fault === fault);
}

/** One request. */
export interface OutgoingRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For everything, from the look-up to the last byte, in milliseconds. (Default: 15,000) */
  readonly timeoutMs?: number;
  /** For the connection, in milliseconds. (Default: 5,000) */
  readonly connectTimeoutMs?: number;
  /** The answer is read to here and no further. (Default: 65,536) */
  readonly maxAnswerBytes?: number;
  readonly signal?: AbortSignal;
}

/** An answer, whatever its status. Redirects are answers; nobody follows them. */
export interface OutgoingAnswer {
  readonly status: number;
  /** Lower-cased names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Whether `body` is only the beginning: it was longer, or did not end in time, or broke off. */
  readonly cut: boolean;
}

/** `ctx.ports.outgoing`. */
export interface Outgoing {
  /** Looks the URL up and refuses what may not be called: when somebody saves it. @throws OutgoingError */
  check(url: string): Promise<void>;
  /** @throws OutgoingError */
  request(request: OutgoingRequest): Promise<OutgoingAnswer>;
  /** Closes kept connections. */
  close(): Promise<void>;
}
