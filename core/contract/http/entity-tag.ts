// Entity tags (RFC 9110, sections 8.8.3 and 13.1.2): if a client already has the bytes, it gets 304 without a body. Called by
// the routes that serve documents and pages.
import { hash } from 'node:crypto';
import type { HttpRequest, HttpResponse } from './http.ts';

/** The tag of these bytes. Equal bytes have equal tags in every process. */
export const entityTag = (body: string | Uint8Array): string => `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;

const withoutWeakPrefix = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether the request names the tag in If-None-Match, where weak and strong tags are equal. */
export function matchesIfNoneMatch({ headers }: Pick<HttpRequest, 'headers'>, tag: string): boolean {
  const condition = headers['if-none-match'];
  if (condition === undefined) return false;
  return (
    condition.trim() === '*' ||
    condition.split(',').some((candidate) => withoutWeakPrefix(candidate) === withoutWeakPrefix(tag))
  );
}

/**
 * Returns the response with its tag: the whole body, or 304 if the client already has it. `headers` are sent with both
 * (Cache-Control, Vary).
 */
export function entityResponse(
  request: Pick<HttpRequest, 'headers'>,
  tag: string,
  body: string | Uint8Array,
  type: string,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  if (matchesIfNoneMatch(request, tag)) return { status: 304, headers: { ...headers, ETag: tag }, body: '' };
  return { status: 200, headers: { 'Content-Type': type, ...headers, ETag: tag }, body };
}
