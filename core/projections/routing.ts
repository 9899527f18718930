// Finds the operation or raw route for a request, by method, path and host. Called by rest.ts. Uses no handler.
import { addRoute, createRouter, findAllRoutes, findRoute } from 'rou3';
import type { Operation } from '../contract/declaration/operation.ts';
import type { HttpRequest, HttpResponse } from '../contract/http/http.ts';
import { hostName } from '../contract/values/host-name.ts';

/** A route that is not an operation: the MCP endpoint, the OpenAPI document, a plugin's public route. */
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
  readonly onEveryHost: Match | undefined;
}

/** Limits of the cache of public paths, in entries and in characters per path, because clients may invent any path. */
const maxCached = 5_000;
const maxCachedLength = 100;

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
  const onEveryHost = createRouter<RouteTarget>();
  const onHosts = createRouter<RawRoute>();
  const hasHosts = raw.some(({ serves }) => serves !== undefined);
  for (const operation of operations) addRoute(onEveryHost, operation.method, pattern(operation.path), { operation });
  // rou3 finds routes in the order in which they were added, the most exact path last; the result is reversed below, so
  // this order is reversed too.
  for (const route of [...raw].reverse()) {
    if (route.serves !== undefined) addRoute(onHosts, route.method, pattern(route.path), route);
  }
  for (const route of raw) {
    if (route.serves === undefined) addRoute(onEveryHost, route.method, pattern(route.path), { raw: route });
  }

  const lookUp = (method: string, path: string): MatchedRoutes => {
    // Below /v1, every host serves the API: a host's route `/{a}/{b}` must not take its place.
    const onHost = hasHosts && !path.startsWith('/v1/') ? findAllRoutes(onHosts, method, path).reverse() : [];
    const matches = findRoute(onEveryHost, method, path);
    return {
      onHosts: onHost.map(({ data, params }) => ({ target: { raw: data }, params: decodeParams(params) })),
      onEveryHost: matches === undefined ? undefined : { target: matches.data, params: decodeParams(matches.params) },
    };
  };

  const cache = new Map<string, MatchedRoutes>();
  /** Looks a path up, with a cache: public routes are requested often, and splitting paths is a large part of a redirect's work. */
  const cachedLookUp = (method: string, path: string): MatchedRoutes => {
    if (path.length > maxCachedLength) return lookUp(method, path);
    const key = `${method} ${path}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const routes = lookUp(method, path);
    // Not cached: paths of operations contain ids that occur once, and unknown paths must not push the others out.
    if (routes.onEveryHost === undefined || 'operation' in routes.onEveryHost.target) return routes;
    for (const { params } of [...routes.onHosts, routes.onEveryHost]) Object.freeze(params);
    // Clears the whole cache: keeping an order of entries would slow down every request.
    if (cache.size >= maxCached) cache.clear();
    cache.set(key, routes);
    return routes;
  };

  const ofHost = ({ host, headers }: HttpRequest, candidates: readonly RawMatch[]): Match[] => {
    if (candidates.length === 0) return [];
    const requestedHost = hostName(host ?? headers.host);
    if (requestedHost === undefined) return [];
    const servesByCheck = new Map<RawRoute['serves'], boolean>();
    const isServed = ({ serves }: RawRoute): boolean => {
      const isMatch = servesByCheck.get(serves) ?? serves?.(requestedHost) ?? true;
      servesByCheck.set(serves, isMatch);
      return isMatch;
    };
    return candidates.filter(({ target }) => isServed(target.raw));
  };

  const find = (request: HttpRequest, method: string, path: string): Match[] => {
    const routes = cachedLookUp(method, path);
    const matches = ofHost(request, routes.onHosts);
    if (routes.onEveryHost !== undefined) matches.push(routes.onEveryHost);
    return matches;
  };

  return {
    // RFC 9110, section 9.3.2: HEAD is a GET; the host omits its body.
    find: (request, path) => find(request, request.method === 'HEAD' ? 'GET' : request.method, path),
    methods: (request, path) => methods.filter((method) => find(request, method, path).length > 0),
  };
}
