// Default security headers for answers of public routes: browsers must not guess types, and HTML gets no scripts and no frames.
// Called by public-routes.ts.
import type { HttpResponse } from '../contract/http/http.ts';

/** Allows the parts of a plain page: pictures from anywhere, styles in the page, forms to the service itself. */
const pagePolicy =
  "default-src 'none'; img-src 'self' https: data:; style-src 'self' 'unsafe-inline'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const noSniff = { 'X-Content-Type-Options': 'nosniff' };
const pageHeaders = { ...noSniff, 'Content-Security-Policy': pagePolicy };
const noHeaders = {};

/** The headers to add. Headers that the answer has, in upper or lower case, stay as they are. */
export function safetyOf({ headers }: HttpResponse): Readonly<Record<string, string>> {
  let type: string | undefined;
  let hasPolicy = false;
  let hasTypeOptions = false;
  for (const name in headers) {
    const lowerCaseName = name.toLowerCase();
    if (lowerCaseName === 'content-type') type = headers[name];
    else if (lowerCaseName === 'content-security-policy') hasPolicy = true;
    else if (lowerCaseName === 'x-content-type-options') hasTypeOptions = true;
  }
  if (type === undefined) return noHeaders;
  const isPage = /^(?:text\/html|application\/xhtml\+xml)\b/i.test(type);
  if (!isPage || hasPolicy) return hasTypeOptions ? noHeaders : noSniff;
  return hasTypeOptions ? { 'Content-Security-Policy': pagePolicy } : pageHeaders;
}
