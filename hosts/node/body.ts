// A request's body in any state in which the program left it: unread, buffered, parsed, or consumed. A lost body becomes a stream
// that fails when it is read, so that the service makes its checks in their order: first the key, then the body. Called by the
// hosts that use node:http.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { coreErrors, type HttpRequestBody } from '../../core/index.ts';

/** A body that fails when it is read. */
export function refusedBody(error: Error): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
  };
}

/**
 * Reads the body without destroying the connection if the reader stops early, because the response still has to be sent on it.
 */
export async function* unreadBody(stream: Readable): AsyncGenerator<Uint8Array> {
  // Program code has attached a listener. The data that it received is missing here, and the rest must not count as the whole
  // body.
  if (stream.readableDidRead) throw coreErrors.body_already_consumed();
  try {
    yield* stream.iterator({ destroyOnReturn: false });
  } catch (cause) {
    throw coreErrors.json_invalid({ reason: 'the connection was closed before its end.' }, { cause });
  }
}

const isBytes = (value: unknown): value is Uint8Array | string =>
  value instanceof Uint8Array || typeof value === 'string';

/** The minimum size of a parsed body: its Content-Length, or without one its shortest JSON. */
function minLengthOf({ headers }: IncomingMessage, parsed: unknown): number {
  const isPlain = headers['content-length'] !== undefined && headers['content-encoding'] === undefined;
  return isPlain ? Number(headers['content-length']) : Buffer.byteLength(JSON.stringify(parsed));
}

/** The body of a request that a middleware has already read. */
function consumedBody(request: IncomingMessage, limit: number): HttpRequestBody {
  const { body, rawBody } = request as IncomingMessage & { body?: unknown; rawBody?: unknown };
  if (isBytes(rawBody)) return rawBody;
  if (isBytes(body)) return body;
  if (body === undefined) return refusedBody(coreErrors.body_already_consumed());
  if (minLengthOf(request, body) > limit) return refusedBody(coreErrors.payload_too_large({ limit }));
  return { parsed: body };
}

/** The body in the state in which the program's middleware left it. `limit` is the service's own limit, in bytes. */
export function bodyOf(request: IncomingMessage, limit: number): HttpRequestBody {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return undefined;
  return request.readableDidRead ? consumedBody(request, limit) : unreadBody(request);
}
