// The fetch form of dispatch, for anything that speaks Request and Response. Called through service.fetch.
import type { HttpRequest, HttpResponse } from '../contract/http.ts';

/** Wraps a dispatch. The body is read as a stream, up to the limit. */
export function createFetch(dispatch: (request: HttpRequest) => Promise<HttpResponse>) {
  return async (request: Request, options: { readonly basePath?: string } = {}): Promise<Response> => {
    const url = new URL(request.url);
    const base = (options.basePath ?? '').replace(/\/+$/, '');
    const path = base !== '' && url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length) : url.pathname;
    const response = await dispatch({
      method: request.method,
      url: `${path}${url.search}`,
      headers: Object.fromEntries(request.headers),
      body: request.body === null ? undefined : (request.body as unknown as AsyncIterable<Uint8Array>),
      signal: request.signal,
    });
    const body = typeof response.body === 'string' ? response.body : new Uint8Array(response.body);
    return new Response(request.method === 'HEAD' ? null : body, {
      status: response.status,
      headers: response.headers,
    });
  };
}
