// A page that has moved into the console. Its old path leads there. Called by the plugins whose pages moved.
import { definePublicRoute, type PublicRoute } from '../contract/declaration/public-route.ts';
import { relativePathToPage } from './document.ts';
import { seeOther } from './public-page.ts';

/** The query of a request, for a repeated name the last value. */
type PageQuery = Readonly<Record<string, string>>;

/**
 * A route that leads from a path to a page of the console, in the workspace and on the side that the query names. `pageOf` returns
 * the path of that page, with a query if it needs one: `({ note }) => note === undefined ? 'notes' : `notes/${note}``. Everyone gets
 * the redirect: the console then asks who visits.
 */
export function movedToConsole(path: `/${string}`, pageOf: (query: PageQuery) => string): PublicRoute {
  return definePublicRoute({
    http: `GET ${path}`,
    description: 'Leads to its page in the console.',
    async handler(_context, { url, query }) {
      const values: PageQuery = Object.fromEntries(query);
      const { workspace, side } = values;
      const named = Object.entries({ page: pageOf(values), workspace, side }).filter(
        ([, value]) => value !== undefined,
      );
      return seeOther(
        `${relativePathToPage(path.slice(1), url)}../console?${new URLSearchParams(named as [string, string][])}`,
      );
    },
  });
}
