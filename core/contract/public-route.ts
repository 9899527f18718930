// A route of a plugin that is not an operation: pages, files, redirects, callbacks of providers. It needs no API
// key: its handler decides what the caller may see. Mounted beside the operations by the kernel.
import type { Calls } from './calls.ts';
import type { ReadContext, ServiceContext, ServiceInfo, TransactionContext } from './context.ts';
import type { Handle } from './handle.ts';
import type { HttpRequest, HttpResponse } from './http.ts';
import type { Api } from './open.ts';
import type { HttpMethod } from './operation-spec.ts';
import type { Workspace } from './workspace.ts';

/**
 * The request to a public route. The body is read once, at the first call of one of its methods; several of them may be
 * called.
 */
export interface PublicRequest extends Omit<HttpRequest, 'host'> {
  /** The requested host: lower-case, ASCII (IDNA), without port. Undefined where the request names none. */
  readonly host: string | undefined;
  /** Decoded parameters of the path. A `token` comes without what a mail program took along behind it: `)`, `.`, `>`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /**
   * The exact bytes of the body, for signatures of providers; empty where there is none.
   * @throws payload_too_large, or body_already_parsed where a parser of the program kept only its result
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
  /** The body as JSON; undefined where there is none. @throws json_invalid, media_type_unsupported, payload_too_large */
  json(): Promise<unknown>;
}

/** The rate limit of one client address: a token bucket. IPv6 addresses count together by their /64 network. */
export interface AddressLimit {
  /**
   * The name of the counter: limits with the same name share it. Start it with the plugin's id. 1 to 100 characters.
   */
  readonly name: string;
  /** Calls a minute in the long run, the refill rate; at least 1. */
  readonly perMinute: number;
  /** Calls that a client may make at once after a pause, the size of the bucket; a whole number from 1. */
  readonly burst: number;
}

/** The context of its handler. It is bound to no workspace until the handler names one. */
export interface PublicRouteContext extends ServiceContext {
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /**
   * Counts one more call of this client's address, for what the route's own `limit` does not distinguish: tries of one
   * password, submissions of one form.
   * @throws address_rate_limit
   */
  limitAddress(limit: AddressLimit): Promise<void>;
  /**
   * The same for a try, such as one of a password: it counts only where `attempt` answers false. After too many, `attempt` is not
   * called, so that a right one is not told from them.
   * @throws address_rate_limit
   */
  limitTries(limit: AddressLimit, attempt: () => Promise<boolean>): Promise<boolean>;
  /**
   * Counts one more call of any client, for what all of them share, such as a form.
   * @throws address_rate_limit
   */
  limitAll(limit: AddressLimit): Promise<void>;
  /** A page of all workspaces, oldest first. For pages of the program's own operators. */
  workspaces(page: { readonly limit: number; readonly after?: string | undefined }): Promise<readonly Workspace[]>;
  /** One workspace, or undefined. */
  workspace(id: string): Promise<Workspace | undefined>;
  /** The workspace whose public pages this host serves: its `contentHost`. Takes `PublicRequest.host`. */
  workspaceOfHost(host: string | undefined): Promise<Workspace | undefined>;
  /**
   * Reads committed rows of the live side of one workspace. `ctx.trx.onSide(true)` reads the sandbox side,
   * `ctx.trx.bothSides('why')` both.
   */
  read<T>(workspaceId: string, work: (ctx: ReadContext) => Promise<T>): Promise<T>;
  /**
   * Reads committed rows of every workspace: for finding the workspace of what a request names. `reason` documents why.
   */
  readUnscoped<T>(reason: string, work: (handle: Handle) => Promise<T>): Promise<T>;
  /**
   * One transaction in one workspace, as the service itself. @throws workspace_not_found
   * @param options.sandbox the side of the workspace (Default: false, the live side)
   */
  transact<T>(
    workspaceId: string,
    work: (ctx: TransactionContext) => Promise<T>,
    options?: { readonly sandbox?: boolean },
  ): Promise<T>;
  /**
   * Typed calls in one workspace for the user of a page: they hold every scope, and the audit shows `dashboard` with the
   * page's name. The handler must have checked before that this user may make them.
   * @param options.sandbox the side of the workspace that the calls see and change (Default: false, the live side)
   * @param options.member the uid of the member who uses the page (Default: none)
   */
  calls(
    workspaceId: string,
    page: string,
    options?: { readonly sandbox?: boolean; readonly member?: string },
  ): Calls<keyof Api & string>;
  /** The OpenAPI document of the composed operations. Shared: never change it in place. */
  openapi(): Readonly<Record<string, unknown>>;
}

/**
 * The hosts that a route serves: their names, or a function of the request's host. The function is called for each
 * request to a path of the route, with `PublicRequest.host`: it must be fast and must not throw. A host that a route serves
 * cannot become a content host. Where the function admits more hosts than are used, the plugin contributes to `core.hosts`, which says
 * then what is used.
 */
export type RouteHosts = readonly string[] | ((host: string, service: ServiceInfo) => boolean);

/** An entry of `core.hosts`, of a plugin that keeps hosts of its own: none of them becomes a content host. */
export interface HostUsers {
  /** Whether some workspace uses this normalised host. The handle is bound to no workspace. */
  uses(handle: Handle, host: string): Promise<boolean>;
}

declare module './open.ts' {
  interface ExtensionPoints {
    'core.hosts': HostUsers;
  }
}

/** The options of a route beside its method, its path and its handler. */
interface RouteOptions {
  readonly description: string;
  /** Whether the route does not exist in a service with these settings: its path is then answered as unknown. */
  readonly hidden?: ((service: ServiceInfo) => boolean) | undefined;
  /**
   * Serves these hosts only, and is matched before routes of every host: `/{slug}` of a short host hides nothing on the
   * API's host. What begins with /v1/ stays the API's on every host. (Default: every host)
   */
  readonly hosts?: RouteHosts | undefined;
  /**
   * Limits the calls of one client address, counted before the handler runs. Above it browsers get 429 as a page, other
   * clients 429 in the usual envelope. `name` defaults to the route's method and path. (Default: no limit)
   */
  readonly limit?: (Omit<AddressLimit, 'name'> & Partial<Pick<AddressLimit, 'name'>>) | undefined;
  /**
   * The limit of a request's body in bytes; never more than the service's `settings.maxBodyBytes`. (Default: the
   * service's)
   */
  readonly maxBodyBytes?: number | undefined;
  /**
   * HTML gets a `Content-Security-Policy` that lets no script run and no page frame it, and every type `X-Content-Type-Options`,
   * where the answer has none of its own.
   *
   * A thrown error is answered like an operation's error. Undefined means that the route does not serve this request
   * after all, for example an unknown host: the next matching route is tried, then 404 route_not_found. A handler that
   * answers undefined must not have read the body.
   */
  handler(ctx: PublicRouteContext, request: PublicRequest): Promise<HttpResponse | undefined>;
}

/** The methods of public routes. A route for OPTIONS answers what browsers ask before a request to another origin. */
export type PublicMethod = HttpMethod | 'OPTIONS';

/** A declared route. */
export interface PublicRoute extends RouteOptions {
  readonly method: PublicMethod;
  /** `{name}` stands for one segment of the path; outside /v1. */
  readonly path: string;
}

/** Declares a public route: `definePublicRoute({ http: 'GET /notes', … })`. */
export function definePublicRoute(route: RouteOptions & { readonly http: `${PublicMethod} /${string}` }): PublicRoute {
  const { http, ...rest } = route;
  const space = http.indexOf(' ');
  return { method: http.slice(0, space) as PublicMethod, path: http.slice(space + 1), ...rest };
}
