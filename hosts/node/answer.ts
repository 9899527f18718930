// Writes an answer to node:http, so that the client gets it even when it is still sending a body that nobody wants.
// Called by the hosts that stand on node:http.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ErrorEnvelope, HttpResponse, PostriderError } from '../../core/index.ts';
import { isStream } from '../../core/index.ts';

/** A rest of at most so many bytes is read and thrown away, and the connection lives on. */
const smallRest = 65_536;
/** How long a client may go on sending after its answer, in milliseconds. */
const lingerMs = 10_000;

/** Whether the service knows nothing at this path; decided before anything of the request was read. */
export function isUnknownRoute({ status, body }: HttpResponse): boolean {
  if (status !== 404 || typeof body !== 'string') return false;
  const { error } = JSON.parse(body) as { error?: { code?: unknown } };
  return error?.code === 'route_not_found';
}

/** What a host refuses by itself, in the service's form. */
export function refusalAnswer({ type, code, message, status }: PostriderError, requestId: string): HttpResponse {
  const envelope: ErrorEnvelope = { error: { type, code, message, request_id: requestId } };
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'X-Request-Id': requestId },
    body: JSON.stringify(envelope),
  };
}

/**
 * Whether the client is still sending a body that is too large to be read to its end just to be polite. HTTP/2 needs no
 * such care: there a request is ended without its connection.
 */
export function hasLargeRest({ complete, readableEnded, headers, httpVersionMajor }: IncomingMessage): boolean {
  if (complete || readableEnded || httpVersionMajor === 2) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > smallRest;
}

/**
 * The answer stands with its whole length on the wire, but the connection is closed only after the client has stopped
 * sending: closing it over unread bytes resets it, and the client would see that instead of the answer.
 */
function endAfterUpload(request: IncomingMessage, response: ServerResponse): void {
  // An answer without a body writes nothing by itself: its head would wait for the end.
  response.flushHeaders();
  const timer = setTimeout(() => response.end(), lingerMs);
  timer.unref();
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  request.once('end', end);
  request.once('close', end);
  request.resume();
}

/** A stream as node reads it: one chunk ahead at most, and ended where nobody reads on. */
export const readableOf = (body: AsyncIterable<Uint8Array>): Readable => Readable.from(body, { objectMode: false });

/** Writes a stream at the client's pace. A fault of it breaks the connection off; the service has logged it. */
async function writeStream(
  request: IncomingMessage,
  response: ServerResponse,
  body: AsyncIterable<Uint8Array>,
  lingers: boolean,
): Promise<void> {
  try {
    await pipeline(readableOf(body), response, { end: !lingers });
  } catch {
    response.destroy();
    return;
  }
  if (lingers) endAfterUpload(request, response);
}

/** Writes the answer; headers that the program set before stay unless the answer has its own. */
export function writeAnswer(request: IncomingMessage, response: ServerResponse, answer: HttpResponse): void {
  const { status, headers, body } = answer;
  // A stream ends by the signal of the request.
  if (response.destroyed) return;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const lingers = hasLargeRest(request);
  if (lingers) response.setHeader('Connection', 'close');
  if (isStream(body)) {
    // What HEAD leaves out may be of any length: the answer says its own, or none.
    if (request.method === 'HEAD') response.end();
    else void writeStream(request, response, body, lingers);
    return;
  }
  // RFC 9110, section 8.6: a 204 or 1xx has no length, and a 304 could only repeat the one of what it leaves out.
  const hasLength = status >= 200 && status !== 204 && status !== 304;
  if (hasLength) response.setHeader('Content-Length', Buffer.byteLength(body));
  if (lingers) {
    response.write(body);
    endAfterUpload(request, response);
  } else response.end(body);
}
