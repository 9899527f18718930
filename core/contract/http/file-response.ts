// Responses with files (RFC 9110, sections 13 and 14): conditional requests, one range, HEAD, and a safe file name. Called by
// the public routes of plugins. The file is opened only when the host reads the first byte.
import { type ByteRange, byteRange, httpSeconds, rangeApplies } from './byte-range.ts';
import { contentDisposition } from './content-disposition.ts';
import { matchesIfNoneMatch } from './entity-tag.ts';
import type { HttpRequest, HttpResponse } from './http.ts';

/** The properties of a file that its response needs. */
export interface ServedFile {
  /** The size of the whole file in bytes. */
  readonly size: number;
  /** Its ETag, in quotes: equal bytes have equal tags. Use `entityTag(bytes)` or `"<version>"`. */
  readonly etag: string;
  /** The media type. */
  readonly type: string;
  /** Milliseconds since the epoch. (Default: no Last-Modified header) */
  readonly lastModified?: number;
  /** The file name for saving. Any text is allowed: unsafe characters are replaced. (Default: none) */
  readonly name?: string;
  /** Whether a browser shows the file or saves it. (Default: inline) */
  readonly disposition?: 'inline' | 'attachment';
  /** Headers of every response, such as Cache-Control. (Default: none) */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Returns the bytes from `start` to `end`, both included. Node's `createReadStream(path, range)` accepts the same object.
   * Called when the first byte is sent. Not called for HEAD, 304, 412, 416 and empty files.
   */
  open(range: ByteRange): AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>;
}

async function* openStream(file: ServedFile, range: ByteRange): AsyncGenerator<Uint8Array> {
  yield* await file.open(range);
}

/** Whether the client's preconditions fail (sections 13.1.1 and 13.1.4). */
function preconditionFails(
  { headers }: Pick<HttpRequest, 'headers'>,
  etag: string,
  modified: number | undefined,
): boolean {
  const match = headers['if-match'];
  if (match !== undefined) {
    const isStrong = !etag.startsWith('W/');
    return match.trim() !== '*' && !(isStrong && match.split(',').some((tag) => tag.trim() === etag));
  }
  const since = httpSeconds(headers['if-unmodified-since']);
  return since !== undefined && modified !== undefined && modified > since;
}

/** Whether the client already has the file (sections 13.1.2 and 13.1.3). */
function clientHasFile(request: Pick<HttpRequest, 'headers'>, etag: string, modified: number | undefined): boolean {
  if (request.headers['if-none-match'] !== undefined) return matchesIfNoneMatch(request, etag);
  const since = httpSeconds(request.headers['if-modified-since']);
  return since !== undefined && modified !== undefined && modified <= since;
}

/**
 * Returns the response to GET and HEAD of a file: 200 with the file as a stream, 206 with the requested range, 304, 412, or
 * 416 for a range outside of the file. If-Range is supported. A request for several ranges gets the whole file with 200, as
 * section 14.2 allows.
 */
export function fileResponse(request: Pick<HttpRequest, 'method' | 'headers'>, file: ServedFile): HttpResponse {
  const { size, etag, type, lastModified, name, disposition = 'inline' } = file;
  const modified = lastModified === undefined ? undefined : Math.floor(lastModified / 1_000);
  const headers: Record<string, string> = {
    'X-Content-Type-Options': 'nosniff',
    ...file.headers,
    ETag: etag,
    'Accept-Ranges': 'bytes',
    ...(modified === undefined ? {} : { 'Last-Modified': new Date(modified * 1_000).toUTCString() }),
  };
  if (preconditionFails(request, etag, modified)) return { status: 412, headers, body: '' };
  if (clientHasFile(request, etag, modified)) return { status: 304, headers, body: '' };
  // Section 14.2 defines Range for GET only.
  const isRanged = request.method === 'GET' && rangeApplies(request, etag, modified);
  const range = isRanged ? byteRange(request.headers.range, size) : undefined;
  if (range === 'unsatisfiable')
    return { status: 416, headers: { ...headers, 'Content-Range': `bytes */${size}` }, body: '' };
  headers['Content-Type'] = type;
  if (name !== undefined) headers['Content-Disposition'] = contentDisposition(disposition, name);
  else if (disposition === 'attachment') headers['Content-Disposition'] = 'attachment';
  const { start, end } = range ?? { start: 0, end: size - 1 };
  headers['Content-Length'] = String(end - start + 1);
  if (range !== undefined) headers['Content-Range'] = `bytes ${start}-${end}/${size}`;
  const body = size === 0 ? '' : openStream(file, { start, end });
  return { status: range === undefined ? 200 : 206, headers, body };
}
