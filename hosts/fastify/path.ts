// The path below the mount. Segments are counted, not compared as text: the path may differ from the prefix, for example because the router
// ignores case, or because of double slashes, escapes, or parameters in the prefix. Called by index.ts only.

/** The number of segments of a prefix. */
export const depthOf = (prefix: string): number => prefix.split('/').filter((segment) => segment !== '').length;

/** Path and query of a target without its first `depth` segments. */
export function pathBelow(target: string, depth: number): string {
  if (depth === 0) return target;
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const search = mark === -1 ? '' : target.slice(mark);
  let end = 0;
  for (let count = 0; count < depth; count += 1) {
    while (path[end] === '/') end += 1;
    while (end < path.length && path[end] !== '/') end += 1;
  }
  const below = path.slice(end);
  return `${below === '' ? '/' : below}${search}`;
}
