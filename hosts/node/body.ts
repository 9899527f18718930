// A request's body in whatever state the program left it: unread, kept as bytes, parsed, or gone.
// A body that cannot be had is handed over as a stream that fails when it is read, so that the service
// refuses in its own order: first the key, then the body. Called by the hosts that stand on node:http.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { HttpRequestBody } from '../../core/index.ts';
import { coreErrors } from '../../core/index.ts';

/** A body that fails when it is read. */
export function refusedBody(error: Error): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
  };
}

/** Reads on without destroying the connection when the reader stops early: the answer still has to go out on it. */
export async function* unreadBody(stream: Readable): AsyncGenerator<Uint8Array> {
  // Something of the program listened in since: what it got is missing here, and a part would pass for the whole.
  if (stream.readableDidRead) throw coreErrors.body_already_consumed();
  try {
    yield* stream.iterator({ destroyOnReturn: false });
  } catch (cause) {
    throw coreErrors.json_invalid({ reason: 'the connection was closed before its end.' }, { cause });
  }
}

const isBytes = (value: unknown): value is Uint8Array | string =>
  value instanceof Uint8Array || typeof value === 'string';

/** What a parsed body had at least: what was declared, or where that says nothing, its shortest JSON. */
function minLengthOf({ headers }: IncomingMessage, parsed: unknown): number {
  const isPlain = headers['content-length'] !== undefined && headers['content-encoding'] === undefined;
  return isPlain ? Number(headers['content-length']) : Buffer.byteLength(JSON.stringify(parsed));
}

/** The body of a request that some middleware has read already. */
function consumedBody(request: IncomingMessage, limit: number): HttpRequestBody {
  const { body, rawBody } = request as IncomingMessage & { body?: unknown; rawBody?: unknown };
  if (isBytes(rawBody)) return rawBody;
  if (isBytes(body)) return body;
  if (body === undefined) return refusedBody(coreErrors.body_already_consumed());
  if (minLengthOf(request, body) > limit) return refusedBody(coreErrors.payload_too_large({ limit }));
  return { parsed: body };
}

/** The body as the program's middleware left it. `limit` is the service's own, in bytes. */
export function bodyOf(request: IncomingMessage, limit: number): HttpRequestBody {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return undefined;
  return request.readableDidRead ? consumedBody(request, limit) : unreadBody(request);
}
