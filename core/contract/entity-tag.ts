// Entity tags (RFC 9110, sections 8.8.3 and 13.1.2): a client that already has the bytes gets 304 without them. Called
// by the routes that serve documents and pages.
import { hash } from 'node:crypto';
import type { HttpRequest, HttpResponse } from './http.ts';

/** The tag of these bytes: equal bytes have equal tags in every process. */
export const entityTag = (body: string | Uint8Array): string => `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;

const withoutWeakness = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether the request names the tag in If-None-Match. Weak and strong tags count as the same there. */
export function hasEntity({ headers }: Pick<HttpRequest, 'headers'>, tag: string): boolean {
  const given = headers['if-none-match'];
  if (given === undefined) return false;
  return given.trim() === '*' || given.split(',').some((one) => withoutWeakness(one) === withoutWeakness(tag));
}

/**
 * The answer with its tag: whole, or 304 where the client has it. `headers` are sent with both (Cache-Control, Vary).
 */
export function entityResponse(
  request: Pick<HttpRequest, 'headers'>,
  tag: string,
  body: string | Uint8Array,
  type: string,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  if (hasEntity(request, tag)) return { status: 304, headers: { ...headers, ETag: tag }, body: '' };
  return { status: 200, headers: { 'Content-Type': type, ...headers, ETag: tag }, body };
}
