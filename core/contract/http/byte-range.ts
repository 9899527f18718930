// The range of a file that a request names (RFC 9110, section 14). Pure. Called by file-response.ts.
import type { HttpRequest } from './http.ts';

/** Some bytes of a file: `start` is the first, `end` the last, both counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** For a value without white space: two adjacent optional runs of white space would make the expression slow. */
const singleRange = /^bytes=(\d*)-(\d*)$/i;
const longestRange = 100;

/**
 * The range of a Range header, or `unsatisfiable` if the file has no such bytes. Undefined if the whole file must be sent:
 * there is no header, another unit than bytes, several ranges, an invalid range, or an empty file.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const range = header !== undefined && header.length <= longestRange ? header.replace(/\s/g, '') : '';
  const [, first = '', last = ''] = singleRange.exec(range) ?? [];
  if (size === 0 || (first === '' && last === '')) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}

/** Seconds since the epoch of an HTTP date (RFC 9110, section 5.6.7); undefined for any other text. */
export function httpSeconds(date: string | undefined): number | undefined {
  if (date === undefined || !/GMT$|^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d /.test(date)) return undefined;
  const time = Date.parse(date.endsWith('GMT') ? date : `${date} GMT`);
  return Number.isNaN(time) ? undefined : Math.floor(time / 1_000);
}

/** Whether the part that the client already has belongs to this version of the file: If-Range (section 13.1.5). */
export function rangeApplies(
  { headers }: Pick<HttpRequest, 'headers'>,
  etag: string,
  modifiedSeconds: number | undefined,
): boolean {
  const condition = headers['if-range']?.trim();
  if (condition === undefined) return true;
  if (condition.startsWith('"') || condition.startsWith('W/')) return condition === etag && !etag.startsWith('W/');
  return modifiedSeconds !== undefined && httpSeconds(condition) === modifiedSeconds;
}
