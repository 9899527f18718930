// Finds the operation or raw route for a request, by method, path and host. Called by rest.ts. Uses no handler.
import { addRoute, createRouter, findAllRoutes, findRoute } from 'rou3';
import type { Operation } from '../contract/declaration/operation.ts';
import type { HttpRequest, HttpResponse } from '../contract/http/http.ts';
import { hostName } from '../contract/values/host-name.ts';

/** A route that is not an operation: the tool endpoint, the OpenAPI document, a plugin's public route. */
export interface RawRoute {
  readonly method: string;
  readonly path: string;
  /**
   * Whether the route serves this host. Routes with `serves` are tried before routes of every host. (Default: it serves every
   * host)
   */
  readonly serves?: ((host: string) => boolean) | undefined;
  /** Answers, or returns undefined to pass the request to the next matching route. */
  handle(
    request: HttpRequest,
    requestId: string,
    params: Readonly<Record<string, string>>,
  ): Promise<HttpResponse | undefined>;
}

/** The target of a route. */
export type RouteTarget = { readonly operation: Operation } | { readonly raw: RawRoute };

/** One candidate for a request. */
export interface Match {
  readonly target: RouteTarget;
  readonly params: Record<string, string>;
}

interface RawMatch extends Match {
  readonly target: { readonly raw: RawRoute };
}

/** The routes at a method and a path, before the host is checked. */
interface MatchedRoutes {
  /** Routes of hosts, the most exact path first. */
  readonly onHosts: readonly RawMatch[];
  readonly everywhere: Match | undefined;
}

/** Limits of the cache of public paths, in entries and in characters per path: clients may make up any path. */
const maxKnown = 5_000;
const maxKnownLength = 100;

/** The routes of a service. */
export interface Routing {
  /**
   * The candidates for a request in order: routes of its host, the most exact path first, then routes of every host.
   */
  find(request: HttpRequest, path: string): Match[];
  /** The methods that exist at this path on this host. */
  methods(request: HttpRequest, path: string): string[];
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** `{name}` in rou3's syntax. */
const pattern = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

function decodeParams(params: Record<string, string> | undefined): Record<string, string> {
  const decoded: Record<string, string> = {};
  for (const [name, value] of Object.entries(params ?? {})) {
    try {
      decoded[name] = value.includes('%') ? decodeURIComponent(value) : value;
    } catch {
      decoded[name] = value;
    }
  }
  return decoded;
}

/** The routes of these operations and raw routes. If two match equally, the first in the list is tried first. */
export function createRouting(operations: Iterable<Operation>, raw: readonly RawRoute[]): Routing {
  const everywhere = createRouter<RouteTarget>();
  const onHosts = createRouter<RawRoute>();
  const hasHosts = raw.some(({ serves }) => serves !== undefined);
  for (const operation of operations) addRoute(everywhere, operation.method, pattern(operation.path), { operation });
  // rou3 finds routes in the order in which they were added, the most exact path last; the result is reversed below, so
  // this order is reversed too.
  for (const route of [...raw].reverse()) {
    if (route.serves !== undefined) addRoute(onHosts, route.method, pattern(route.path), route);
  }
  for (const route of raw) {
    if (route.serves === undefined) addRoute(everywhere, route.method, pattern(route.path), { raw: route });
  }

  const lookUp = (method: string, path: string): MatchedRoutes => {
    // Below /v1, every host serves the API: a host's route `/{a}/{b}` must not take its place.
    const onHost = hasHosts && !path.startsWith('/v1/') ? findAllRoutes(onHosts, method, path).reverse() : [];
    const found = findRoute(everywhere, method, path);
    return {
      onHosts: onHost.map(({ data, params }) => ({ target: { raw: data }, params: decodeParams(params) })),
      everywhere: found === undefined ? undefined : { target: found.data, params: decodeParams(found.params) },
    };
  };

  const cache = new Map<string, MatchedRoutes>();
  /** Cached, because public routes are requested often, and splitting their paths is a large part of the work of a redirect. */
  const foundAt = (method: string, path: string): MatchedRoutes => {
    if (path.length > maxKnownLength) return lookUp(method, path);
    const key = `${method} ${path}`;
    const before = cache.get(key);
    if (before !== undefined) return before;
    const found = lookUp(method, path);
    // Not cached: paths of operations contain ids that occur once, and unknown paths must not push the others out.
    if (found.everywhere === undefined || 'operation' in found.everywhere.target) return found;
    for (const { params } of [...found.onHosts, found.everywhere]) Object.freeze(params);
    // Clears the whole cache: keeping an order of entries would slow down every request.
    if (cache.size >= maxKnown) cache.clear();
    cache.set(key, found);
    return found;
  };

  const ofHost = ({ host, headers }: HttpRequest, found: readonly RawMatch[]): Match[] => {
    if (found.length === 0) return [];
    const requested = hostName(host ?? headers.host);
    if (requested === undefined) return [];
    const answers = new Map<RawRoute['serves'], boolean>();
    const isServed = ({ serves }: RawRoute): boolean => {
      const answer = answers.get(serves) ?? serves?.(requested) ?? true;
      answers.set(serves, answer);
      return answer;
    };
    return found.filter(({ target }) => isServed(target.raw));
  };

  const find = (request: HttpRequest, method: string, path: string): Match[] => {
    const found = foundAt(method, path);
    const matches = ofHost(request, found.onHosts);
    if (found.everywhere !== undefined) matches.push(found.everywhere);
    return matches;
  };

  return {
    // RFC 9110, section 9.3.2: HEAD is a GET; the host omits its body.
    find: (request, path) => find(request, request.method === 'HEAD' ? 'GET' : request.method, path),
    methods: (request, path) => methods.filter((method) => find(request, method, path).length > 0),
  };
}
