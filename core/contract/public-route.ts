// A route of a plugin that is no operation: pages, files, tracked links, reports of providers. It carries no key of
// ours; whoever declares one says in its handler who may see what. Mounted beside the operations by the kernel.
import type { Calls } from './api.ts';
import type { Effects, ServiceInfo, ServiceSurface } from './context.ts';
import type { WorkspaceHandle } from './handle.ts';
import type { HttpRequest, HttpResponse } from './http.ts';
import type { Api } from './open.ts';
import type { HttpMethod } from './operation.ts';
import type { Workspace } from './workspace.ts';

/** What a public route is asked. */
export interface PublicRequest extends HttpRequest {
  /** Decoded parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The body as JSON. @throws json_invalid, media_type_unsupported, body_too_large */
  json(): Promise<unknown>;
}

/** What its handler works with. Nothing is bound to a workspace until the handler names one. */
export interface PublicRouteContext extends ServiceSurface {
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** A page of all workspaces, oldest first. For pages of the program's own operators. */
  workspaces(page: { readonly limit: number; readonly after?: string | undefined }): Promise<readonly Workspace[]>;
  /** One workspace, or undefined. */
  workspace(id: string): Promise<Workspace | undefined>;
  /** Reads committed rows of one workspace. */
  read<T>(workspaceId: string, work: (handle: WorkspaceHandle) => Promise<T>): Promise<T>;
  /** One transaction in one workspace, as the service itself. @throws workspace_not_found */
  transact<T>(workspaceId: string, work: (effects: Effects) => Promise<T>): Promise<T>;
  /**
   * Typed calls in one workspace, as somebody at a page makes them: every scope is held, and the audit shows `dashboard`
   * with the page's name. Who may make them the handler has to know before.
   */
  calls(workspaceId: string, page: string): Calls<keyof Api & string>;
  /** The OpenAPI document of the composed operations. Shared: never change it in place. */
  openapi(): Readonly<Record<string, unknown>>;
}

/** A declared route. What its handler throws is answered like an operation's error. */
export interface PublicRoute {
  readonly method: HttpMethod;
  /** With `{name}` for one step of the path; outside /v1. */
  readonly path: string;
  readonly description: string;
  /** Whether a service of this kind does not have the route at all: then no method of its path is known. */
  readonly hidden?: ((service: ServiceInfo) => boolean) | undefined;
  handler(context: PublicRouteContext, request: PublicRequest): Promise<HttpResponse>;
}

/** Declares a public route: `definePublicRoute({ http: 'GET /notes', … })`. */
export function definePublicRoute(route: {
  readonly http: `${HttpMethod} /${string}`;
  readonly description: string;
  readonly hidden?: PublicRoute['hidden'];
  handler(context: PublicRouteContext, request: PublicRequest): Promise<HttpResponse>;
}): PublicRoute {
  const { http, ...rest } = route;
  const space = http.indexOf(' ');
  return { method: http.slice(0, space) as HttpMethod, path: http.slice(space + 1), ...rest };
}
