// Writes a response to node:http, so that the client receives it even while it is still sending a body that the service does not
// read. Called by the hosts that use node:http.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ErrorEnvelope, type HttpResponse, isStream, type PostriderError } from '../../core/index.ts';
import { endWithServer } from './closing.ts';

/** If at most this many bytes remain unread, they are read and discarded, and the connection stays open. */
const maxDiscardedBytes = 65_536;
/** How long a client may continue to send after its response, in milliseconds. */
const lingerMs = 10_000;

/** The host's own refusal, in the service's error format. */
export function hostRefusal({ type, code, message, status }: PostriderError, requestId: string): HttpResponse {
  const envelope: ErrorEnvelope = { error: { type, code, message, request_id: requestId } };
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'X-Request-Id': requestId },
    body: JSON.stringify(envelope),
  };
}

/**
 * Whether the client is still sending a body that is too large, or of unknown size, to be read to its end. HTTP/2 does not need
 * this, because it can end a request without ending its connection.
 */
export function isStillUploading({ complete, readableEnded, headers, httpVersionMajor }: IncomingMessage): boolean {
  if (complete || readableEnded || httpVersionMajor === 2) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > maxDiscardedBytes;
}

/**
 * Writes the complete response, but closes the connection only after the client has stopped sending. Closing a connection with
 * unread bytes resets it, and the client would see the reset instead of the response.
 */
function endAfterUpload(request: IncomingMessage, response: ServerResponse): void {
  // A response without a body does not flush its head by itself; the head would be sent only at the end.
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

/** Converts a stream to node's form. It reads at most one chunk ahead, and ends when the reader stops. */
export const readableOf = (body: AsyncIterable<Uint8Array>): Readable => Readable.from(body, { objectMode: false });

/** Writes a stream at the client's pace. An error of the stream aborts the connection; the service has already logged it. */
async function writeStream(
  request: IncomingMessage,
  response: ServerResponse,
  body: AsyncIterable<Uint8Array>,
  mustLinger: boolean,
): Promise<void> {
  try {
    await pipeline(readableOf(body), response, { end: !mustLinger });
  } catch {
    response.destroy();
    return;
  }
  if (mustLinger) endAfterUpload(request, response);
}

/** Writes the response. Headers that the program set before stay unless the response also sets them. */
export function writeResponse(request: IncomingMessage, response: ServerResponse, answer: HttpResponse): void {
  const { status, headers, body } = answer;
  // The client has disconnected. The request's signal ends a stream.
  if (response.destroyed) return;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  endWithServer(request, response);
  const mustLinger = isStillUploading(request);
  if (mustLinger) response.setHeader('Connection', 'close');
  if (isStream(body)) {
    // HEAD omits a body of any length. The response may set its own Content-Length.
    if (request.method === 'HEAD') response.end();
    else void writeStream(request, response, body, mustLinger);
    return;
  }
  // RFC 9110, section 8.6: a 204 or 1xx has no length, and a 304 could only repeat the length of the omitted body.
  const hasLength = status >= 200 && status !== 204 && status !== 304;
  if (hasLength) response.setHeader('Content-Length', Buffer.byteLength(body));
  if (mustLinger) {
    response.write(body);
    endAfterUpload(request, response);
  } else response.end(body);
}
