// Converts the head of a node:http request into the core's terms. Called by the hosts that stand on node:http.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Path and query of a request's target. A proxy may send the absolute form (RFC 9112, section 3.2.2). */
export function targetOf(target: string): string {
  if (target.startsWith('/')) return target;
  if (!URL.canParse(target, 'http://localhost')) return `/${target}`;
  const { pathname, search } = new URL(target, 'http://localhost');
  return `${pathname}${search}`;
}

/**
 * Node lower-cases the names and joins repeated headers where that is allowed; the few lists that it keeps are joined
 * here. HTTP/2 has the head of the request in names that begin with a colon, the host among them (RFC 9113, section
 * 8.3.1).
 */
export function headersOf(request: IncomingMessage): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (!name.startsWith(':')) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const authority = request.headers[':authority'];
  if (headers['host'] === undefined && typeof authority === 'string') headers['host'] = authority;
  return headers;
}

/** Aborts when the client disconnects before it has its answer. */
export function createDisconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableEnded) controller.abort();
  });
  return controller.signal;
}
