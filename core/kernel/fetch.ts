// The fetch form of dispatch, for anything that speaks Request and Response. Called through service.fetch.
import type { HttpRequest, HttpResponse } from '../contract/http.ts';

/** What a Request does not say of itself. */
export interface FetchOptions {
  /** The path that the service is mounted at; it is taken off the URL's path. (Default: the root) */
  readonly basePath?: string;
  /** The client's address, as the program trusts it. (Default: unknown) */
  readonly address?: string | undefined;
}

/** Wraps a dispatch. The body is read as a stream, up to the limit. */
export function createFetch(dispatch: (request: HttpRequest) => Promise<HttpResponse>) {
  return async (request: Request, options: FetchOptions = {}): Promise<Response> => {
    const url = new URL(request.url);
    const base = (options.basePath ?? '').replace(/\/+$/, '');
    const path = base !== '' && url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length) : url.pathname;
    const { address } = options;
    const response = await dispatch({
      method: request.method,
      url: `${path}${url.search}`,
      // A Request made in the process has no Host of its own.
      headers: { host: url.host, ...Object.fromEntries(request.headers) },
      body: request.body === null ? undefined : (request.body as unknown as AsyncIterable<Uint8Array>),
      signal: request.signal,
      ...(address === undefined ? {} : { address }),
    });
    const body = typeof response.body === 'string' ? response.body : new Uint8Array(response.body);
    // A Response of these refuses even an empty body.
    const isEmpty = request.method === 'HEAD' || response.status === 204 || response.status === 304;
    // What a GET would have carried (RFC 9110, section 9.3.2): no platform can count what is left out.
    const length = request.method === 'HEAD' ? { 'Content-Length': String(Buffer.byteLength(body)) } : {};
    return new Response(isEmpty ? null : body, {
      status: response.status,
      headers: { ...response.headers, ...length },
    });
  };
}
