// Ends connections once their server has closed. Called by the hosts that stand on node:http, before and after each
// answer. A client that goes on sending over a kept connection would otherwise keep a closed server alive for ever. Never
// ends a connection whose answer is still being written.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The server that took a connection, as Node notes it on the socket. */
interface ServingSocket {
  readonly server?: { readonly listening?: boolean; closeIdleConnections?(): void } | null;
}

/** The HTTP/2 side of a request, in Node's compatibility API. */
interface StreamRequest {
  readonly stream?: { readonly session?: { close(): void; readonly socket?: ServingSocket } };
}

const sessionOf = (request: IncomingMessage) =>
  request.httpVersionMajor === 2 ? (request as StreamRequest).stream?.session : undefined;

const serverOf = (request: IncomingMessage): ServingSocket['server'] =>
  ((sessionOf(request)?.socket ?? request.socket) as ServingSocket).server;

/** Whether the server took this request's connection, and has been closed since. */
const isClosed = (request: IncomingMessage): boolean => serverOf(request)?.listening === false;

/**
 * Call before the head of an answer is written. Over a closed server the answer is the last of its connection; where the
 * server closes while the answer is written, the connection ends after it.
 */
export function endWithServer(request: IncomingMessage, response: ServerResponse): void {
  if (!isClosed(request)) {
    response.once('finish', () => {
      if (isClosed(request)) endNow(request);
    });
    return;
  }
  const session = sessionOf(request);
  if (session === undefined) response.setHeader('Connection', 'close');
  // No more requests are taken; those that run are answered.
  else session.close();
}

/** Ends what a finished answer has left open. */
function endNow(request: IncomingMessage): void {
  const session = sessionOf(request);
  if (session !== undefined) session.close();
  // Node marks the connection as idle after this event.
  else setImmediate(() => serverOf(request)?.closeIdleConnections?.());
}
