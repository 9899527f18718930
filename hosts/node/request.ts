// Converts the head of a node:http request into the core's types. Called by the hosts that use node:http.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpRequest, HttpRequestBody } from '../../core/index.ts';
import { parseUrl } from '../../core/unstable.ts';

/**
 * The client's address and the requested host, as the proxies report them, and the program's start page, to which the
 * service's pages link.
 */
interface RequestOrigin {
  readonly address: string | undefined;
  readonly host: string | undefined;
  readonly startPage?: string | undefined;
}

/** Path and query of a request's target. A proxy may send the absolute form (RFC 9112, section 3.2.2). */
export function targetOf(target: string): string {
  if (target.startsWith('/')) return target;
  const url = parseUrl(target, 'http://localhost');
  if (url === undefined) return `/${target}`;
  const { pathname, search } = url;
  return `${pathname}${search}`;
}

/**
 * The headers. Node lower-cases the names and joins most repeated headers; headers that it leaves as arrays are joined here.
 * HTTP/2 puts the head of the request, including the host, into names that begin with a colon (RFC 9113, section 8.3.1).
 */
export function headersOf(request: IncomingMessage): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {};
  const raw = request.headers;
  for (const name in raw) {
    const value = raw[name];
    if (!name.startsWith(':')) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const authority = request.headers[':authority'];
  if (headers['host'] === undefined && typeof authority === 'string') headers['host'] = authority;
  return headers;
}

/** Aborts if the client disconnects before it has the response. */
function createDisconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (!response.writableEnded) controller.abort();
  };
  // Over HTTP/2, `destroyed` is a property of the stream.
  const { stream } = response as { readonly stream?: { readonly destroyed?: boolean } };
  if (response.destroyed || stream?.destroyed === true) abort();
  else response.once('close', abort);
  return controller.signal;
}

/** The request in the service's form. Its signal is created when it is first read, because most requests need no signal. */
export class HostRequest implements HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: HttpRequest['headers'];
  readonly body: HttpRequestBody;
  declare readonly address?: string;
  declare readonly host?: string;
  declare readonly startPage?: string;
  readonly #response: ServerResponse;
  #signal: AbortSignal | undefined;

  constructor(response: ServerResponse, requested: Omit<HttpRequest, 'signal' | keyof RequestOrigin> & RequestOrigin) {
    this.method = requested.method;
    this.url = requested.url;
    this.headers = requested.headers;
    this.body = requested.body;
    if (requested.address !== undefined) this.address = requested.address;
    if (requested.host !== undefined) this.host = requested.host;
    if (requested.startPage !== undefined) this.startPage = requested.startPage;
    this.#response = response;
  }

  get signal(): AbortSignal {
    this.#signal ??= createDisconnectSignal(this.#response);
    return this.#signal;
  }
}
