// A public route: a route of a plugin that is not an operation, for pages, files, redirects and callbacks of providers. It
// needs no API key: its handler decides what the caller may see. Mounted by the kernel, next to the operations.
import type { Calls } from '../context/calls.ts';
import type { CorePorts, ReadContext, ServiceContext, ServiceInfo, TransactionContext } from '../context/context.ts';
import type { Handle } from '../context/handle.ts';
import type { Workspace } from '../context/workspace.ts';
import type { HttpRequest, HttpResponse } from '../http/http.ts';
import type { Api } from '../open.ts';
import type { HttpMethod } from './operation-spec.ts';

/**
 * The request to a public route. The body is read once, at the first call of `bytes`, `text`, `form` or `json`. Several of
 * these methods may be called.
 */
export interface PublicRequest extends Omit<HttpRequest, 'host'> {
  /** The requested host: lower-case, ASCII (IDNA), without port. Undefined if the request has no host. */
  readonly host: string | undefined;
  /** Decoded parameters of the path. Characters that mail programs append to URLs (`)`, `.`, `>`) are removed from a `token`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /**
   * The exact bytes of the body, for signatures of providers. Empty if there is no body.
   * @throws payload_too_large, or body_already_parsed if a parser of the program kept only its result
   */
  bytes(): Promise<Uint8Array>;
  /** The body as UTF-8 text, of any media type. @throws payload_too_large, body_invalid, body_already_parsed */
  text(): Promise<string>;
  /**
   * The fields of an HTML form that was sent as application/x-www-form-urlencoded, the default of forms. Forms with
   * files (multipart/form-data) are refused: they would need a parser with dependencies of its own.
   * @throws media_type_unsupported, payload_too_large, body_invalid, validation_failed for more than 1,000 fields
   */
  form(): Promise<URLSearchParams>;
  /** The parsed JSON body; undefined if there is no body. @throws json_invalid, media_type_unsupported, payload_too_large */
  json(): Promise<unknown>;
}

/** The rate limit of one client address: a token bucket. IPv6 addresses count together by their /64 network. */
export interface AddressLimit {
  /**
   * The name of the counter. Limits with the same name share one counter. Start it with the plugin's id. 1 to 100 characters.
   */
  readonly name: string;
  /** The refill rate: calls per minute in the long run, at least 1. */
  readonly perMinute: number;
  /** The size of the bucket: how many calls a client may make at once after a pause. A whole number, at least 1. */
  readonly burst: number;
}

/** The context of a route's handler. It is not bound to a workspace: each method that needs one takes its id. */
export interface PublicRouteContext extends ServiceContext {
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /**
   * Counts one more call of this client's address. For things that the route's own `limit` does not distinguish, such as
   * attempts at one password or submissions of one form.
   * @throws address_rate_limit
   */
  limitAddress(limit: AddressLimit): Promise<void>;
  /**
   * Runs `attempt`, such as the check of a password, and counts it only if it returns false. After too many failed attempts
   * `attempt` is not called, so that a right password gets the same error as a wrong one.
   * @param workspaceId the workspace whose design the page about too many attempts uses (Default: the workspace of the host or path)
   * @throws address_rate_limit
   */
  limitTries(limit: AddressLimit, attempt: () => Promise<boolean>, workspaceId?: string): Promise<boolean>;
  /**
   * Counts one more call in a counter that all clients share, for example for a form.
   * @throws address_rate_limit
   */
  limitAll(limit: AddressLimit): Promise<void>;
  /** One page of the list of all workspaces, oldest first. For web pages of the program's own operators. */
  workspaces(page: { readonly limit: number; readonly after?: string | undefined }): Promise<readonly Workspace[]>;
  /** One workspace, or undefined. */
  workspace(id: string): Promise<Workspace | undefined>;
  /** The workspace whose public pages this host serves: its `contentHost`. Takes `PublicRequest.host`. */
  workspaceOfHost(host: string | undefined): Promise<Workspace | undefined>;
  /**
   * Reads committed rows of the live side of one workspace. `ctx.trx.onSide(true)` reads the sandbox side, and
   * `ctx.trx.bothSides('why')` reads both sides.
   */
  read<T>(workspaceId: string, work: (ctx: ReadContext) => Promise<T>): Promise<T>;
  /**
   * Reads committed rows of every workspace. Use it to find the workspace of an id that the request contains. `reason`
   * documents why.
   */
  readUnscoped<T>(reason: string, work: (handle: Handle) => Promise<T>): Promise<T>;
  /** Writes rows that belong to no workspace, in one transaction. `reason` documents why. */
  transactUnscoped<T>(reason: string, work: (handle: Handle) => Promise<T>): Promise<T>;
  /**
   * Runs one transaction in one workspace, as the service itself. @throws workspace_not_found
   * @param options.sandbox the side of the workspace (Default: false, the live side)
   */
  transact<T>(
    workspaceId: string,
    work: (ctx: TransactionContext) => Promise<T>,
    options?: { readonly sandbox?: boolean },
  ): Promise<T>;
  /**
   * Typed calls in one workspace for the user of a page. The audit shows `dashboard` with the page's name. Without `scopes`
   * they have every scope, and the handler must check first that this user may make the calls.
   * @param options.sandbox the side of the workspace that the calls see and change (Default: false, the live side)
   * @param options.member the uid of the member who uses the page (Default: no member)
   * @param options.scopes the scopes of the calls, including all implied scopes; other calls are refused (Default: every scope)
   */
  calls(
    workspaceId: string,
    page: string,
    options?: { readonly sandbox?: boolean; readonly member?: string; readonly scopes?: ReadonlySet<string> },
  ): Calls<keyof Api & string>;
  /** The OpenAPI document of the composed operations. Shared: never change it in place. */
  openapi(): Readonly<Record<string, unknown>>;
}

/**
 * The hosts that a route serves: their names, or a function of the request's host. The function is called with
 * `PublicRequest.host` for each request to a path of the route, so it must be fast and must not throw. A host that a route
 * serves cannot become a content host. If the function accepts more hosts than are in use, the plugin contributes an entry
 * to `core.hosts`, which then decides whether a host is in use.
 */
export type RouteHosts = readonly string[] | ((host: string, service: ServiceInfo) => boolean);

/** An entry of `core.hosts`, from a plugin that manages its own hosts. A host of the plugin cannot become a content host. */
export interface HostUsers {
  /** Whether any workspace uses this normalised host. The handle is not bound to a workspace. */
  uses(handle: Handle, host: string): Promise<boolean>;
  /**
   * The workspace to which the host belongs; error pages on this host have its design. (Default: the host belongs to no
   * workspace)
   */
  ownerOf?(handle: Handle, host: string): Promise<string | undefined>;
}

declare module '../open.ts' {
  interface ExtensionPoints {
    'core.hosts': HostUsers;
  }
}

/** The options of a route, without its method and its path. */
interface RouteOptions {
  readonly description: string;
  /** Returns true if the route does not exist in a service with these ports. Its path is then treated as unknown. */
  readonly hidden?: ((ports: CorePorts) => boolean) | undefined;
  /**
   * Serves only these hosts. The route is matched before routes without `hosts`. So `/{slug}` on a short host hides no route
   * of the API's host. Paths that begin with /v1/ belong to the API on every host. (Default: every host)
   */
  readonly hosts?: RouteHosts | undefined;
  /**
   * Limits the calls of one client address, counted before the handler runs. Above the limit, browsers get 429 as a page and
   * other clients get 429 in the usual envelope. `name` defaults to the route's method and path. (Default: no limit)
   */
  readonly limit?: (Omit<AddressLimit, 'name'> & Partial<Pick<AddressLimit, 'name'>>) | undefined;
  /**
   * The limit of a request's body in bytes; never more than the service's `settings.maxBodyBytes`. (Default:
   * `settings.maxBodyBytes`)
   */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Answers the request. If the response does not set these headers itself, HTML gets a `Content-Security-Policy` that forbids
   * scripts and framing, and every media type gets `X-Content-Type-Options`.
   *
   * A thrown error gives the same response as an operation's error. If the handler returns undefined, the route does not serve
   * this request, for example because of an unknown host: the next matching route is tried, then 404 route_not_found. A
   * handler that returns undefined must not have read the body.
   */
  handler(ctx: PublicRouteContext, request: PublicRequest): Promise<HttpResponse | undefined>;
}

/** The methods of public routes. A route for OPTIONS answers the preflight requests of browsers (CORS). */
export type PublicMethod = HttpMethod | 'OPTIONS';

/** A declared route. */
export interface PublicRoute extends RouteOptions {
  readonly method: PublicMethod;
  /** The path, outside of /v1. `{name}` matches one segment. */
  readonly path: string;
}

/** Declares a public route: `definePublicRoute({ http: 'GET /notes', … })`. */
export function definePublicRoute(route: RouteOptions & { readonly http: `${PublicMethod} /${string}` }): PublicRoute {
  const { http, ...rest } = route;
  const space = http.indexOf(' ');
  return { method: http.slice(0, space) as PublicMethod, path: http.slice(space + 1), ...rest };
}
