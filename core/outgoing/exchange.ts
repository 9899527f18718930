// One request and its answer. Called by index.ts with a target that the guard has accepted. Never follows a redirect,
// never reads more of the answer than its limit, never reuses a connection after an aborted answer.
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import {
  isOutgoingError,
  OutgoingError,
  type OutgoingRequest,
  type OutgoingResponse,
} from '../contract/ports/outgoing.ts';
import { afterLimit } from '../contract/values/deadlines.ts';
import type { BorrowedClient, Connections } from './connections.ts';
import type { OutgoingTarget } from './target.ts';
import { isTlsFault } from './tls-reason.ts';

const defaults = { timeoutMs: 15_000, connectTimeoutMs: 5_000, maxResponseBytes: 65_536 };

/** Sends a request. @throws OutgoingError, or the reason of the request's signal */
export async function exchange(
  connections: Connections,
  target: OutgoingTarget,
  request: OutgoingRequest,
): Promise<OutgoingResponse> {
  const { timeoutMs, connectTimeoutMs, maxResponseBytes } = { ...defaults, ...request };
  const { signal } = request;
  const options = dispatchOptions(target, request);
  signal?.throwIfAborted();
  const end = new AbortController();
  const abort = () => end.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  const cancelLimit = afterLimit(timeoutMs, () => {
    end.abort(new OutgoingError('timeout', `${target.host} did not answer in ${timeoutMs / 1000} seconds.`));
  });
  try {
    const borrowed = connections.borrow(target.origin, connectTimeoutMs);
    return await sendOn(borrowed, options, {
      host: target.host,
      maxResponseBytes,
      connectTimeoutMs,
      signal: end.signal,
    });
  } finally {
    cancelLimit();
    signal?.removeEventListener('abort', abort);
  }
}

/** The body that undici sends, and its length if undici cannot determine it. */
function bodyOf(body: OutgoingRequest['body']): { readonly body: Buffer | Readable | null; readonly length?: number } {
  if (body === undefined) return { body: null };
  if (typeof body === 'string') return { body: Buffer.from(body) };
  if (body instanceof Uint8Array) return { body: Buffer.from(body) };
  return { body: Readable.from(body.chunks, { objectMode: false }), length: body.bytes };
}

function dispatchOptions(target: OutgoingTarget, request: OutgoingRequest): Dispatcher.DispatchOptions {
  const names = Object.keys(request.headers).map((name) => name.toLowerCase());
  const { body, length } = bodyOf(request.body);
  if (names.includes('host')) throw new TypeError('The header host comes from the URL and cannot be set.');
  return {
    path: target.path,
    method: request.method,
    // Answers are not decompressed: if a receiver compresses anyway, its bytes are returned as they are.
    headers: {
      ...request.headers,
      ...(names.includes('accept-encoding') ? {} : { 'accept-encoding': 'identity' }),
      ...(length === undefined ? {} : { 'content-length': String(length) }),
    },
    body,
  };
}

interface Bounds {
  readonly host: string;
  readonly maxResponseBytes: number;
  readonly connectTimeoutMs: number;
  readonly signal: AbortSignal;
}

/** Sends a request on a borrowed connection, and returns the connection. */
function sendOn(
  borrowed: BorrowedClient,
  options: Dispatcher.DispatchOptions,
  { host, maxResponseBytes, connectTimeoutMs, signal }: Bounds,
): Promise<OutgoingResponse> {
  return new Promise((resolve, reject) => {
    const latest = performance.now() + 2 * connectTimeoutMs;
    let status = 0;
    let sent = false;
    let headers: Record<string, string> = {};
    let length = 0;
    const chunks: Buffer[] = [];

    const fail = (error: unknown) => {
      signal.removeEventListener('abort', abort);
      borrowed.drop();
      reject(sent && isOutgoingError(error) ? asMaybeSent(error) : error);
    };
    // If the status has arrived, a body that does not end still gives an answer, marked as cut.
    const end = (error: unknown) => (status >= 200 ? answer(true) : fail(error));
    const abort = () => end(signal.reason);
    const answer = (cut: boolean) => {
      signal.removeEventListener('abort', abort);
      if (cut) borrowed.drop();
      else borrowed.keep();
      resolve({ status, headers, body: Buffer.concat(chunks).subarray(0, maxResponseBytes), cut });
    };
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort);
    borrowed.client.dispatch(options, {
      // Called when the connection is open, before the first byte.
      onRequestStart(controller) {
        // The process was stalled meanwhile, and its timers have not run yet. The facts that the caller checked before
        // are no longer certain.
        if (performance.now() > latest)
          controller.abort(new OutgoingError('connection_failed', `The connection to ${host} was opened too late.`));
        else sent = true;
      },
      onResponseStart(_controller, statusCode, responseHeaders) {
        status = statusCode;
        headers = plainHeaders(responseHeaders);
      },
      onResponseData(_controller, chunk) {
        if (length > maxResponseBytes) return;
        chunks.push(chunk);
        length += chunk.length;
        if (length > maxResponseBytes) answer(true);
      },
      onResponseEnd: () => answer(false),
      // Also called after the connection was dropped above; the promise is settled then.
      onResponseError: (_controller, error) => end(faultOf(error, host)),
    });
  });
}

const asMaybeSent = ({ fault, message, cause }: OutgoingError): OutgoingError =>
  new OutgoingError(fault, message, { sent: true, ...(cause === undefined ? {} : { cause }) });

function plainHeaders(rawHeaders: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(rawHeaders).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));
}

function faultOf(error: Error, host: string): Error {
  if (isOutgoingError(error)) return error;
  // The calling code passed an invalid request.
  if ((error as { code?: string }).code === 'UND_ERR_INVALID_ARG') return error;
  if (isTlsFault(error)) return new OutgoingError('tls_failed', `${host} ended the TLS connection.`, { cause: error });
  const text =
    error.name === 'HTTPParserError'
      ? `${host} did not respond in HTTP.`
      : `${host} closed the connection before its response was complete.`;
  return new OutgoingError('connection_failed', text, { cause: error });
}
