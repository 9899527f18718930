// Redirects the old path of a page that has moved into the console. Called by the plugins whose pages moved.

import { definePublicRoute, type PublicRequest, type PublicRoute } from '../contract/declaration/public-route.ts';
import type { HttpResponse } from '../contract/http/http.ts';
import { relativePathToPage } from './document.ts';
import { seeOther } from './public-page.ts';

/** The query of a request, for a repeated name the last value. */
type PageQuery = Readonly<Record<string, string>>;

/**
 * Redirects a request for `path` to `page`, the path of a page of the console, in the workspace and on the side that
 * the query names.
 */
export function leadToConsole(
  { url, query }: Pick<PublicRequest, 'url' | 'query'>,
  path: `/${string}`,
  page: string,
): HttpResponse {
  const parameters = new URLSearchParams({ page });
  for (const name of ['workspace', 'side']) {
    const value = query.get(name);
    if (value !== null) parameters.set(name, value);
  }
  return seeOther(`${relativePathToPage(path.slice(1), url)}../console?${parameters}`);
}

/**
 * A route that redirects a path to a page of the console, in the workspace and on the side that the query names.
 * `pageOf` returns the path of that page, with a query if it needs one: `({ note }) => note === undefined ? 'notes' :
 * `notes/${note}``. Everyone gets the redirect, because the console itself checks the visitor.
 */
export function movedToConsole(path: `/${string}`, pageOf: (query: PageQuery) => string): PublicRoute {
  return definePublicRoute({
    http: `GET ${path}`,
    description: 'Leads to its page in the console.',
    handler: async (_context, request) => leadToConsole(request, path, pageOf(Object.fromEntries(request.query))),
  });
}
