// Default security headers for answers of public routes: browsers must not guess types, and HTML gets no scripts and no frames.
// Called by public-routes.ts.
import type { HttpResponse } from '../contract/http/http.ts';

/** Allows the parts of a plain page: pictures from anywhere, styles in the page, forms to the service itself. */
const pagePolicy =
  "default-src 'none'; img-src 'self' https: data:; style-src 'self' 'unsafe-inline'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const noSniff = { 'X-Content-Type-Options': 'nosniff' };
const ofPages = { ...noSniff, 'Content-Security-Policy': pagePolicy };
const none = {};

/** The headers to add. Headers that the answer has, in upper or lower case, stay as they are. */
export function safetyOf({ headers }: HttpResponse): Readonly<Record<string, string>> {
  let type: string | undefined;
  let isPoliced = false;
  let isTyped = false;
  for (const name in headers) {
    const word = name.toLowerCase();
    if (word === 'content-type') type = headers[name];
    else if (word === 'content-security-policy') isPoliced = true;
    else if (word === 'x-content-type-options') isTyped = true;
  }
  if (type === undefined) return none;
  const isPage = /^(?:text\/html|application\/xhtml\+xml)\b/i.test(type);
  if (!isPage || isPoliced) return isTyped ? none : noSniff;
  return isTyped ? { 'Content-Security-Policy': pagePolicy } : ofPages;
}
