// The fetch form of dispatch, for anything that speaks Request and Response. Called through service.fetch.
import type { HttpRequest, HttpResponse } from '../contract/http.ts';
import { isStream } from '../contract/http.ts';

/** What a Request does not say of itself. */
export interface FetchOptions {
  /** The path that the service is mounted at; it is taken off the URL's path. (Default: the root) */
  readonly basePath?: string;
  /** The client's address, as the program trusts it. (Default: unknown) */
  readonly address?: string | undefined;
  /** The host that the client asked for, where a proxy of the program says it. (Default: the Host header, else the URL's) */
  readonly host?: string | undefined;
}

/** A stream that reads on when it is read, and ends what it reads when nobody does. */
function webStream(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const step = await iterator.next();
        if (step.done === true) controller.close();
        else controller.enqueue(step.value);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Wraps a dispatch. The body is read as a stream, up to the limit. */
export function createFetch(dispatch: (request: HttpRequest) => Promise<HttpResponse>) {
  return async (request: Request, options: FetchOptions = {}): Promise<Response> => {
    const url = new URL(request.url);
    const base = (options.basePath ?? '').replace(/\/+$/, '');
    const path = base !== '' && url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length) : url.pathname;
    const { address, host } = options;
    const response = await dispatch({
      method: request.method,
      url: `${path}${url.search}`,
      // A Request made in the process has no Host of its own.
      headers: { host: url.host, ...Object.fromEntries(request.headers) },
      body: request.body === null ? undefined : (request.body as unknown as AsyncIterable<Uint8Array>),
      signal: request.signal,
      ...(address === undefined ? {} : { address }),
      ...(host === undefined ? {} : { host }),
    });
    const { status, headers, body } = response;
    // A Response of these refuses even an empty body.
    if (status === 204 || status === 304) return new Response(null, { status, headers });
    const isHead = request.method === 'HEAD';
    if (isStream(body)) return new Response(isHead ? null : webStream(body), { status, headers });
    const bytes = typeof body === 'string' ? body : new Uint8Array(body);
    // What a GET would have carried (RFC 9110, section 9.3.2): no platform can count what is left out.
    const sized = { ...headers, 'Content-Length': String(Buffer.byteLength(bytes)) };
    // Of an empty text a Response would make text/plain.
    if (isHead || bytes.length === 0) return new Response(null, { status, headers: sized });
    return new Response(bytes, { status, headers });
  };
}
