// The head of an Express request in the core's plain words.
import type { Request, Response } from 'express';

/** Path and query below the mount point. A proxy may send the absolute form (RFC 9112, section 3.2.2). */
export function urlOf(request: Request): string {
  if (request.url.startsWith('/')) return request.url;
  const { pathname, search } = new URL(request.url, 'http://localhost');
  return `${pathname}${search}`;
}

/** Node has the names in lower case and joins what may be joined; the few lists that it keeps are joined here. */
export function headersOf(request: Request): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}

/** Aborts when the client goes away before it has its answer. */
export function createDisconnectSignal(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
