// The path below the mount. Counted in segments and not compared as text: a router that ignores case, doubled slashes or
// escapes, and a prefix with parameters, lead here by other letters than the prefix has. Called by index.ts only.

/** How many segments a prefix has. */
export const depthOf = (prefix: string): number => prefix.split('/').filter((segment) => segment !== '').length;

/** Path and query of a target without its first segments. */
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
