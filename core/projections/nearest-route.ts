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

/** The cost of a missing segment or an additional word. An equal segment costs 0, a different segment 1. */
const gapCost = 0.6;
/** The cost of a missing or extra id: a caller gives an id if and only if the meant route takes one. */
const idCost = 0.9;
/** The cost of another method: half of the cost of a different segment. */
const methodCost = 0.5;
/** Routes with a higher cost are not suggested, because they are not similar enough. */
const maxCost = 1.3;

const isParameter = (segment: string): boolean => segment.startsWith('{');

/** Ids have digits or capitals; a plain word in place of an id is probably a segment of its own. */
const looksLikeId = (segment: string): boolean => /[\dA-Z_{]/.test(segment);

function segmentCost(requested: string, routeSegment: string): number {
  if (isParameter(routeSegment)) return looksLikeId(requested) ? 0 : 0.4;
  if (requested === routeSegment) return 0;
  if (requested.length > maxSegment) return 1;
  return editDistance(requested.toLowerCase(), routeSegment) / Math.max(requested.length, routeSegment.length);
}

/** The cost of turning the given segments into the route's segments: each is replaced, left out or added. */
function costOf(requested: readonly string[], routeSegments: readonly string[]): number {
  const costWhenAdded = routeSegments.map((segment) => (isParameter(segment) ? idCost : gapCost));
  let row = [0];
  for (const cost of costWhenAdded) row.push((row.at(-1) ?? 0) + cost);
  for (const segment of requested) {
    const costWhenLeftOut = looksLikeId(segment) ? idCost : gapCost;
    const next = [(row[0] ?? 0) + costWhenLeftOut];
    for (const [index, routeSegment] of routeSegments.entries()) {
      const costWhenReplaced = (row[index] ?? 0) + segmentCost(segment, routeSegment);
      next.push(
        Math.min(
          costWhenReplaced,
          (row[index + 1] ?? 0) + costWhenLeftOut,
          (next[index] ?? 0) + (costWhenAdded[index] ?? 0),
        ),
      );
    }
    row = next;
  }
  return row[routeSegments.length] ?? 0;
}

/** Splits `/v1/area/rest`; undefined for a path that is not similar to the path of any operation. */
function split(path: string): { readonly area: string; readonly segments: readonly string[] } | undefined {
  const [empty, version, area, ...segments] = path.length > maxPath ? [] : path.split('/');
  if (empty !== '' || version !== 'v1' || !area || segments.length > maxSegments) return undefined;
  return { area, segments: segments.filter((segment) => segment !== '') };
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
    routes.push({ method, path, segments: parts.segments });
  }

  return (method, path, sameMethod) => {
    const parts = split(path);
    const area = parts && (areas.has(parts.area) ? parts.area : suggestionFor(parts.area, areas.keys()));
    let [best, min]: [Route | undefined, number] = [undefined, maxCost];
    for (const route of (area === undefined ? undefined : areas.get(area)) ?? []) {
      if (sameMethod && route.method !== method) continue;
      const cost = costOf(parts?.segments ?? [], route.segments) + (route.method === method ? 0 : methodCost);
      if (cost < min) [best, min] = [route, cost];
    }
    return best && `${best.method} ${best.path}`;
  };
}
