// A route of a plugin that is no operation: pages, files, tracked links, reports of providers. It carries no API key:
// its handler decides what the caller may see. Mounted beside the operations by the kernel.
import type { Calls } from './calls.ts';
import type { Effects, ServiceInfo, ServiceSurface } from './context.ts';
import type { WorkspaceHandle } from './handle.ts';
import type { HttpRequest, HttpResponse } from './http.ts';
import type { Api } from './open.ts';
import type { HttpMethod } from './operation.ts';
import type { Workspace } from './workspace.ts';

/** The request to a public route. The body is read once, when one of its methods is called first; all may be called. */
export interface PublicRequest extends Omit<HttpRequest, 'host'> {
  /** The host that the client asked for: lower-case, ASCII (IDNA), without port. Undefined where the request names none. */
  readonly host: string | undefined;
  /** Decoded parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /**
   * The body exactly as it arrived, for signatures of providers; empty where there is none.
   * @throws payload_too_large, or body_already_parsed where a parser of the program kept nothing but its result
   */
  bytes(): Promise<Uint8Array>;
  /** The body as UTF-8 text, of any media type. @throws payload_too_large, body_invalid, body_already_parsed */
  text(): Promise<string>;
  /**
   * The fields of an HTML form that was sent as application/x-www-form-urlencoded, the default of forms. Forms with files
   * (multipart/form-data) are refused: they would take a parser with dependencies of its own.
   * @throws media_type_unsupported, payload_too_large, body_invalid, validation_failed for more than 1,000 fields
   */
  form(): Promise<URLSearchParams>;
  /** The body as JSON; undefined where there is none. @throws json_invalid, media_type_unsupported, payload_too_large */
  json(): Promise<unknown>;
}

/** How often one client address may call: a token bucket. Addresses of IPv6 count together by their /64 network. */
export interface AddressLimit {
  /** What is counted: limits of one name share their counters. Begin it with the plugin's id. 1 to 100 characters. */
  readonly name: string;
  /** Calls a minute in the long run; at least 1. */
  readonly perMinute: number;
  /** Calls that a client who was silent may make at once; a whole number from 1. */
  readonly burst: number;
}

/** What its handler works with. Nothing is bound to a workspace until the handler names one. */
export interface PublicRouteContext extends ServiceSurface {
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /**
   * Counts one more call of this client's address, for what the route's own `limit` does not tell apart: tries of one
   * password, submissions of one form. @throws address_rate_limit
   */
  limitAddress(limit: AddressLimit): Promise<void>;
  /** A page of all workspaces, oldest first. For pages of the program's own operators. */
  workspaces(page: { readonly limit: number; readonly after?: string | undefined }): Promise<readonly Workspace[]>;
  /** One workspace, or undefined. */
  workspace(id: string): Promise<Workspace | undefined>;
  /** Reads committed rows of one workspace, of both sides; `handle.onSide` narrows it. */
  read<T>(workspaceId: string, work: (handle: WorkspaceHandle) => Promise<T>): Promise<T>;
  /** One transaction in one workspace, as the service itself. @throws workspace_not_found */
  transact<T>(workspaceId: string, work: (effects: Effects) => Promise<T>): Promise<T>;
  /**
   * Typed calls in one workspace, as somebody at a page makes them: every scope is held, and the audit shows `dashboard`
   * with the page's name. Who may make them the handler has to know before.
   * @param options.sandbox the side of the workspace that the calls see and change (Default: false, the live side)
   */
  calls(workspaceId: string, page: string, options?: { readonly sandbox?: boolean }): Calls<keyof Api & string>;
  /** The OpenAPI document of the composed operations. Shared: never change it in place. */
  openapi(): Readonly<Record<string, unknown>>;
}

/**
 * The hosts that a route serves: their names, or a function of the request's host. The function is called for each request
 * to a path of the route, with the host as `PublicRequest.host` has it: it must be quick and must not fail.
 */
export type RouteHosts = readonly string[] | ((host: string, service: ServiceInfo) => boolean);

/** What a route may say beside its method, its path and its handler. */
interface RouteOptions {
  readonly description: string;
  /** Whether a service of this kind does not have the route at all: then no method of its path is known. */
  readonly hidden?: ((service: ServiceInfo) => boolean) | undefined;
  /**
   * Serves these hosts only, and is asked before all that serves every host: `/{slug}` of a short host takes nothing away
   * on the host of the API. (Default: every host)
   */
  readonly hosts?: RouteHosts | undefined;
  /**
   * Limits the calls of one client address, counted before the handler runs: 429 above it, as a page for browsers and in
   * the usual envelope for others. `name` is the route's method and path unless it says another. (Default: none)
   */
  readonly limit?: (Omit<AddressLimit, 'name'> & Partial<Pick<AddressLimit, 'name'>>) | undefined;
  /** Bytes of a request's body; never more than the service's `settings.maxBodyBytes`. (Default: the service's) */
  readonly maxBodyBytes?: number | undefined;
  /**
   * What it throws is answered like an operation's error. Undefined means that the route does not serve this request after
   * all, a host that is in no row for example: the next route that matches is asked, and 404 route_not_found is the end.
   * A handler that declines must not have read the body.
   */
  handler(context: PublicRouteContext, request: PublicRequest): Promise<HttpResponse | undefined>;
}

/** A declared route. */
export interface PublicRoute extends RouteOptions {
  readonly method: HttpMethod;
  /** With `{name}` for one step of the path; outside /v1. */
  readonly path: string;
}

/** Declares a public route: `definePublicRoute({ http: 'GET /notes', … })`. */
export function definePublicRoute(route: RouteOptions & { readonly http: `${HttpMethod} /${string}` }): PublicRoute {
  const { http, ...rest } = route;
  const space = http.indexOf(' ');
  return { method: http.slice(0, space) as HttpMethod, path: http.slice(space + 1), ...rest };
}
