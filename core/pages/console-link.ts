// The way from a page outside of the console back to it. Called by the pages that have an entry in its navigation.
import type { PublicRequest, PublicRouteContext } from '../contract/declaration/public-route.ts';

/**
 * The relative address of the console, in the workspace and on the side that the page's address names; undefined if no composed
 * plugin is the console. `root`: the relative address of the page's folder, `/notes/`.
 */
export function consoleAddress(
  { ports }: Pick<PublicRouteContext, 'ports'>,
  { query }: Pick<PublicRequest, 'query'>,
  root: string,
): string | undefined {
  const [place] = ports.contributions('core.console').values();
  if (place === undefined) return undefined;
  const kept = ['workspace', 'side'].flatMap((name): [string, string][] => {
    const value = query.get(name) ?? '';
    return value === '' ? [] : [[name, value]];
  });
  return `${root}..${place.path}${kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`}`;
}
