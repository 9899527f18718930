// Finds the operation's route that an unknown route probably meant, for the refusal. Called by rest.ts. Names only operations,
// which the OpenAPI document lists for everybody, and never a plugin's other routes.
import type { Operation } from '../contract/declaration/operation.ts';
import { editDistance, suggestionFor } from '../contract/errors/suggestion.ts';

/** A route, split at its slashes. */
interface Route {
  readonly method: string;
  readonly path: string;
  readonly segments: readonly string[];
}

/** Longer paths are not typing errors, and comparing them would take long: callers need no key to request them. */
const maxPath = 200;
const maxSegments = 8;
const maxSegment = 60;

/** The cost of a missing segment or an extra word. An equal segment costs 0, an unlike segment 1. */
const gapCost = 0.6;
/** The cost of a missing or extra id: a caller gives an id if and only if the meant route takes one. */
const idCost = 0.9;
/** The cost of another method: half of an unlike segment. */
const methodCost = 0.5;
/** Above this cost, the route is no better than any other route. */
const maxCost = 1.3;

const isParameter = (segment: string): boolean => segment.startsWith('{');

/** Ids have digits or capitals; a plain word in place of an id is probably a segment of its own. */
const looksLikeId = (segment: string): boolean => /[\dA-Z_{]/.test(segment);

function segmentCost(input: string, known: string): number {
  if (isParameter(known)) return looksLikeId(input) ? 0 : 0.4;
  if (input === known) return 0;
  if (input.length > maxSegment) return 1;
  return editDistance(input.toLowerCase(), known) / Math.max(input.length, known.length);
}

/** The cost of turning the given segments into the route's segments: each is replaced, left out or added. */
function costOf(requested: readonly string[], ofRoute: readonly string[]): number {
  const added = ofRoute.map((segment) => (isParameter(segment) ? idCost : gapCost));
  let row = [0];
  for (const cost of added) row.push((row.at(-1) ?? 0) + cost);
  for (const segment of requested) {
    const leftOut = looksLikeId(segment) ? idCost : gapCost;
    const next = [(row[0] ?? 0) + leftOut];
    for (const [index, other] of ofRoute.entries()) {
      const replaced = (row[index] ?? 0) + segmentCost(segment, other);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + leftOut, (next[index] ?? 0) + (added[index] ?? 0)));
    }
    row = next;
  }
  return row[ofRoute.length] ?? 0;
}

/** Splits `/v1/area/rest`; undefined for a path that no operation can have meant. */
function split(path: string): { readonly area: string; readonly rest: readonly string[] } | undefined {
  const [empty, version, area, ...rest] = path.length > maxPath ? [] : path.split('/');
  if (empty !== '' || version !== 'v1' || !area || rest.length > maxSegments) return undefined;
  return { area, rest: rest.filter((segment) => segment !== '') };
}

/** Returns a function that finds the nearest route, as `POST /v1/path/{id}`, or undefined if no route is near. */
export function createNearestRoute(
  operations: Iterable<Pick<Operation, 'method' | 'path'>>,
): (method: string, path: string, sameMethod: boolean) => string | undefined {
  const areas = new Map<string, Route[]>();
  for (const { method, path } of operations) {
    const parts = split(path);
    if (parts === undefined) continue;
    const routes = areas.get(parts.area) ?? [];
    areas.set(parts.area, routes);
    routes.push({ method, path, segments: parts.rest });
  }

  return (method, path, sameMethod) => {
    const parts = split(path);
    const area = parts && (areas.has(parts.area) ? parts.area : suggestionFor(parts.area, areas.keys()));
    let [best, min]: [Route | undefined, number] = [undefined, maxCost];
    for (const route of (area === undefined ? undefined : areas.get(area)) ?? []) {
      if (sameMethod && route.method !== method) continue;
      const cost = costOf(parts?.rest ?? [], route.segments) + (route.method === method ? 0 : methodCost);
      if (cost < min) [best, min] = [route, cost];
    }
    return best && `${best.method} ${best.path}`;
  };
}
