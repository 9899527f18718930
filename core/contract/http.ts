// The plain request and response that hosts translate to and from. No framework's type appears here.

/** A request as hosts hand it over. Header names are lower-case. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query below the mount point, starting with a slash. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: HttpRequestBody;
  /** The client's address as the host's framework is told to trust it. */
  readonly address?: string;
  /**
   * The host that the client asked for, as the host's framework is told to trust it (X-Forwarded-Host), in any spelling and
   * with or without a port. (Default: the Host header)
   */
  readonly host?: string;
  readonly signal?: AbortSignal;
}

/** The body: not there, whole bytes, a stream that is read up to the limit, or parsed by the program already. */
export type HttpRequestBody =
  | undefined
  | Uint8Array
  | string
  | AsyncIterable<Uint8Array>
  | { readonly parsed: unknown };

/**
 * The body of an answer: text, bytes, or a stream of bytes. A stream is any async iterable: an async generator, node's
 * Readable, a web ReadableStream. That is what all of them have in common, a generator is the shortest way to write one, and
 * its `return` says when nobody reads on. It is read at the client's pace. `return` is called where the client goes away;
 * for HEAD it is never started, so make it open what it reads when it is asked for the first bytes.
 */
export type HttpResponseBody = string | Uint8Array | AsyncIterable<Uint8Array>;

/** An answer. Where the body is a stream of known length, `Content-Length` says it, and the stream is held to that. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: HttpResponseBody;
}

/** Whether the body of an answer is a stream. */
export const isStream = (body: HttpResponseBody): body is AsyncIterable<Uint8Array> =>
  typeof body === 'object' && Symbol.asyncIterator in body;
