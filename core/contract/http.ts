// The plain request and response that hosts translate to and from. No framework's type appears here.

/** A request as hosts hand it over. Header names are lower-case. */
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
  /** The path of a page of the program, such as /admin, that the pages of the service lead back to. (Default: none) */
  readonly startPage?: string;
  readonly signal?: AbortSignal;
}

/**
 * The body: absent, whole bytes, a stream that is read up to the limit, or a value that the program's parser has read.
 */
export type HttpRequestBody =
  | undefined
  | Uint8Array
  | string
  | AsyncIterable<Uint8Array>
  | { readonly parsed: unknown };

/**
 * The body of an answer: text, bytes, or a stream of bytes. A stream is any async iterable: an async generator, node's
 * Readable or a web ReadableStream. It is read at the client's pace. Its `return` is called when the client
 * disconnects. For HEAD the stream is never started: open the source only when the first bytes are read.
 */
export type HttpResponseBody = string | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * An answer. Where the body is a stream of known length, `Content-Length` gives it, and the stream must have exactly
 * that length.
 */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: HttpResponseBody;
  /** The service has no route at this path: a host that passes such requests on to the program does not send it. */
  readonly unknownRoute?: true;
}

/** Whether the body of an answer is a stream. */
export const isStream = (body: HttpResponseBody): body is AsyncIterable<Uint8Array> =>
  typeof body === 'object' && Symbol.asyncIterator in body;
