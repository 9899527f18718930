// Failures between the launcher and the endpoint, as JSON-RPC errors. A client on stdio sees no status and no headers, so their
// content goes into the error. Pure; called by bridge.ts and headers.ts.
import { type Reply, ResponseTooLong } from './post.ts';
import { variables } from './target.ts';

/** The error of a JSON-RPC response. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** JSON-RPC's own codes, and the code for failures outside the protocol. */
export const codes = { parseError: -32700, invalidRequest: -32600, refused: -32000 } as const;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface RefusedError {
  readonly code: string;
  readonly message: string;
  readonly retryAfterSeconds?: number | undefined;
}

const refusedFault = ({ code, message, retryAfterSeconds }: RefusedError): RpcError => ({
  code: codes.refused,
  message,
  data: {
    error: {
      type: 'api_error',
      code,
      message,
      ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
    },
  },
});

const repeatHint = 'The call may have taken effect nevertheless. With an idempotency_key it can be repeated safely.';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there. Start the service, or give another --url',
  ENOTFOUND: 'there is no such host. Check --url',
  EAI_AGAIN: 'its name could not be looked up. Check the network',
  ETIMEDOUT: 'it does not answer. Check the network',
  EHOSTUNREACH: 'it is unreachable. Check the network',
  ENETUNREACH: 'it is unreachable. Check the network',
};

/** The error for a failed connection. */
export function connectionFault(endpoint: URL, error: unknown): RpcError {
  const { code = '', message = String(error) } = error as { code?: string; message?: string };
  const where = endpoint.origin;
  if (error instanceof ResponseTooLong) {
    return refusedFault({
      code: 'answer_too_large',
      message: `${where}: ${message} Request less data in one call. ${repeatHint}`,
    });
  }
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return refusedFault({
      code: 'connection_lost',
      message: `The connection to ${where} broke before the response arrived. ${repeatHint}`,
    });
  }
  return refusedFault({
    code: 'server_unreachable',
    message: `${where} cannot be reached: ${reasons[code] ?? message}.`,
  });
}

/** The error for a call that took too long. */
export const timeFault = (seconds: number): RpcError =>
  refusedFault({ code: 'request_timeout', message: `No answer came within ${seconds} seconds. ${repeatHint}` });

/** The delay in seconds, from a number or a date in the header; at most a day. */
export function readRetryAfter(header: string | string[] | undefined, now: number): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : (Date.parse(text) - now) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.min(86_400, Math.max(0, seconds));
}

const pathHint = 'The endpoint ends in /v1/mcp, behind the path where the service is mounted.';

const statusReasons: Readonly<Record<number, string>> = {
  401: `The key in ${variables.key} was not accepted.`,
  403: 'It refused this key or this client.',
  404: `There is nothing at this address. ${pathHint}`,
  405: `It does not accept POST. ${pathHint}`,
  413: 'The message is too large for it.',
  429: 'It accepts no more requests for now.',
};

/**
 * The error for a response that is not a JSON-RPC message: from a proxy, from another server, or from another path of the
 * service.
 */
export function responseFault(endpoint: URL, { status, headers }: Reply, body: unknown, now: number): RpcError {
  const where = `${endpoint.origin}${endpoint.pathname}`;
  const retryAfterSeconds = readRetryAfter(headers['retry-after'], now);
  if (isRecord(body) && isRecord(body.error) && typeof body.error.message === 'string') {
    const isOtherPath = (status === 404 || status === 405) && !endpoint.pathname.endsWith('/v1/mcp');
    const message = `${where} answered ${status}: ${body.error.message}${isOtherPath ? ` ${pathHint}` : ''}`;
    return { code: codes.refused, message, data: body };
  }
  if (status >= 300 && status < 400) {
    return refusedFault({
      code: 'redirected',
      message: `${where} answered ${status} and redirects to ${String(headers.location)}. Pass that URL as --url.`,
    });
  }
  const reason =
    statusReasons[status] ??
    (status >= 500 ? 'Try again in a moment.' : 'The response does not come from an MCP endpoint. Check --url.');
  return refusedFault({ code: 'answer_invalid', message: `${where} answered ${status}. ${reason}`, retryAfterSeconds });
}
