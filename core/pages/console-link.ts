// The link from a page outside of the console back to the console. Called by pages that have an entry in its navigation.
import type { PublicRequest, PublicRouteContext } from '../contract/declaration/public-route.ts';

/**
 * The relative address of the console, for the workspace and the side in the page's address; undefined if no composed plugin
 * provides the console. `root`: the relative address of the page's folder, `/notes/`.
 */
export function consoleAddress(
  { ports }: Pick<PublicRouteContext, 'ports'>,
  { query }: Pick<PublicRequest, 'query'>,
  root: string,
): string | undefined {
  const [location] = ports.contributions('core.console').values();
  if (location === undefined) return undefined;
  const parameters = ['workspace', 'side'].flatMap((name): [string, string][] => {
    const value = query.get(name) ?? '';
    return value === '' ? [] : [[name, value]];
  });
  return `${root}..${location.path}${parameters.length === 0 ? '' : `?${new URLSearchParams(parameters)}`}`;
}
