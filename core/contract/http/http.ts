// The plain request and response. Hosts translate them from and to the types of their framework, which do not appear here.

/** A request as hosts pass it. Header names are lower-case. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query below the mount point, starting with a slash. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: HttpRequestBody;
  /** The client's address, according to the proxy settings of the host's framework. */
  readonly address?: string;
  /**
   * The requested host, according to the proxy settings of the host's framework (X-Forwarded-Host), in any spelling and
   * with or without a port. (Default: the Host header)
   */
  readonly host?: string;
  /** The path of a page of the program, such as /admin, to which the pages of the service link back. (Default: none) */
  readonly startPage?: string;
  readonly signal?: AbortSignal;
}

/**
 * The body: undefined, bytes or text, a stream that is read up to the limit, or a value that the program's parser has made.
 */
export type HttpRequestBody =
  | undefined
  | Uint8Array
  | string
  | AsyncIterable<Uint8Array>
  | { readonly parsed: unknown };

/**
 * The body of a response: text, bytes, or a stream of bytes. A stream is any async iterable: an async generator, node's
 * Readable or a web ReadableStream. It is read at the client's pace. Its `return` is called if the client disconnects. For
 * HEAD the stream is never started, so open the source only when the first bytes are read.
 */
export type HttpResponseBody = string | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * A response. If the body is a stream of known length, set `Content-Length`; the stream must then have exactly that
 * length.
 */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: HttpResponseBody;
  /**
   * Set if the service has no route at this path. A host that passes such requests on to the program does not send this response.
   */
  readonly unknownRoute?: true;
}

/** Whether the body of a response is a stream. */
export const isStream = (body: HttpResponseBody): body is AsyncIterable<Uint8Array> =>
  typeof body === 'object' && Symbol.asyncIterator in body;
