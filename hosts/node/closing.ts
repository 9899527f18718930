// Ends connections once their server has closed. Called by the hosts that use node:http, before and after each response.
// Otherwise a client that keeps sending over a kept-alive connection would keep a closed server alive forever. Never ends a
// connection while its response is being written.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The server that accepted a connection, as Node stores it on the socket. */
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

/** Whether the server that accepted this request's connection has been closed since. */
const isClosed = (request: IncomingMessage): boolean => serverOf(request)?.listening === false;

/**
 * Call before the head of a response is written. If the server is closed, the response is the last one of its connection. If the
 * server closes while the response is written, the connection ends after it.
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
  // No further requests are accepted; running requests are completed.
  else session.close();
}

/** Closes the connection after a finished response. */
function endNow(request: IncomingMessage): void {
  const session = sessionOf(request);
  if (session !== undefined) session.close();
  // Node marks the connection as idle only after this event.
  else setImmediate(() => serverOf(request)?.closeIdleConnections?.());
}
