// The fetch form of dispatch, for hosts that use Request and Response. Called through service.fetch.
import { type HttpRequest, type HttpResponse, isStream } from '../contract/http/http.ts';

/** Properties that a Request does not have. */
export interface FetchOptions {
  /** The path where the service is mounted; it is removed from the URL's path. (Default: the root) */
  readonly basePath?: string;
  /** The client's address, according to the program's proxy settings. (Default: unknown) */
  readonly address?: string | undefined;
  /** The requested host, if a proxy of the program reports it. (Default: the Host header, else the host of the URL) */
  readonly host?: string | undefined;
}

/** A web stream with backpressure; canceling it ends the source. */
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

/** Makes the fetch form of a dispatch. The body is read as a stream, up to the limit. */
export function createFetch(dispatch: (request: HttpRequest) => Promise<HttpResponse>) {
  return async (request: Request, options: FetchOptions = {}): Promise<Response> => {
    const url = new URL(request.url);
    const base = (options.basePath ?? '').replace(/\/+$/, '');
    const path = base !== '' && url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length) : url.pathname;
    const { address, host } = options;
    const response = await dispatch({
      method: request.method,
      url: `${path}${url.search}`,
      // A Request made in the same process has no Host header.
      headers: { host: url.host, ...Object.fromEntries(request.headers) },
      body: request.body === null ? undefined : (request.body as unknown as AsyncIterable<Uint8Array>),
      signal: request.signal,
      ...(address === undefined ? {} : { address }),
      ...(host === undefined ? {} : { host }),
    });
    const { status, headers, body } = response;
    // The Response constructor refuses these statuses even with an empty body.
    if (status === 204 || status === 304) return new Response(null, { status, headers });
    const isHead = request.method === 'HEAD';
    if (isStream(body)) return new Response(isHead ? null : webStream(body), { status, headers });
    const bytes = typeof body === 'string' ? body : new Uint8Array(body);
    // The Content-Length of the GET (RFC 9110, section 9.3.2): no platform can count a body that is not sent.
    const withLength = { ...headers, 'Content-Length': String(Buffer.byteLength(bytes)) };
    // For an empty text, Response would add Content-Type text/plain.
    if (isHead || bytes.length === 0) return new Response(null, { status, headers: withLength });
    return new Response(bytes, { status, headers });
  };
}
