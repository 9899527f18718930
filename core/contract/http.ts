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
  readonly signal?: AbortSignal;
}

/** The body: not there, whole bytes, a stream that is read up to the limit, or parsed by the program already. */
export type HttpRequestBody =
  | undefined
  | Uint8Array
  | string
  | AsyncIterable<Uint8Array>
  | { readonly parsed: unknown };

/** An answer. The body is text or bytes, ready to be written. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array;
}
