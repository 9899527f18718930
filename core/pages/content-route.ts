// Public routes on the content hosts of workspaces. On any other host the same routes are below `/p/{workspace}/`. The
// security policy of those pages puts each page into a sandbox, so that they do not share an origin with the program. Called
// by plugins with public pages.
import type { ServiceInfo } from '../contract/context/context.ts';
import type { Workspace } from '../contract/context/workspace.ts';
import type { HttpMethod } from '../contract/declaration/operation-spec.ts';
import {
  definePublicRoute,
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
} from '../contract/declaration/public-route.ts';
import type { HttpResponse } from '../contract/http/http.ts';
import { plainResponse } from './page-responses.ts';

/** The address of a page of a workspace; undefined if the service has no public address. */
export function contentUrl(
  { publicUrl }: Pick<ServiceInfo, 'publicUrl'>,
  { id, contentHost }: Pick<Workspace, 'id' | 'contentHost'>,
  path: string,
): string | undefined {
  if (contentHost !== undefined) return `https://${contentHost}${path}`;
  return publicUrl === undefined ? undefined : `${publicUrl}/p/${id}${path}`;
}

/** The workspace and the object that a content route serves. */
export interface ContentRouteContext<T> {
  readonly workspace: Workspace;
  readonly object: T;
  /** Whether the page is on the workspace's own host. */
  readonly ownHost: boolean;
}

interface ContentRouteSpec<T> {
  /** Method and path on the content host: `GET /lists/{listId}`. */
  readonly http: `${HttpMethod} /${string}`;
  readonly description: string;
  readonly limit?: PublicRoute['limit'];
  readonly maxBodyBytes?: number;
  /**
   * Whether the route accepts forms even while the workspace is suspended, for requests that people may always make.
   * (Default: false)
   */
  readonly servesSuspended?: boolean;
  /**
   * Finds the object that the request names, and its workspace. `workspace`: the workspace of the host or the path;
   * undefined if the host is not a content host, and the path names an object that is unique in the service.
   */
  find(
    context: PublicRouteContext,
    request: PublicRequest,
    workspace: Workspace | undefined,
  ): Promise<{ readonly workspaceId: string; readonly found: T } | undefined>;
  handler(context: PublicRouteContext, request: PublicRequest, target: ContentRouteContext<T>): Promise<HttpResponse>;
  /** The answer if the object does not exist, or does not belong to this workspace. */
  missing(context: PublicRouteContext, request: PublicRequest, workspace: Workspace | undefined): Promise<HttpResponse>;
}

/** Outside of the content host, no page is indexed, and each page gets its own origin. Links of a page may download files. */
function inSandbox(response: HttpResponse): HttpResponse {
  const policy = response.headers['Content-Security-Policy'];
  const sandboxed =
    policy === undefined || policy.includes('sandbox') ? policy : `${policy}; sandbox allow-forms allow-downloads`;
  return {
    ...response,
    headers: {
      ...response.headers,
      'X-Robots-Tag': 'noindex',
      ...(sandboxed === undefined ? {} : { 'Content-Security-Policy': sandboxed }),
    },
  };
}

const queryOf = ({ url }: PublicRequest): string => {
  const queryStart = url.indexOf('?');
  return queryStart === -1 ? '' : url.slice(queryStart);
};

/** 301 for pages. 308 for forms, so that a form that was already open posts its fields to the new address. */
const movedTo = ({ method }: PublicRequest, location: string): HttpResponse => ({
  ...plainResponse('text/plain; charset=utf-8', '', { Location: location }),
  status: method === 'GET' || method === 'HEAD' ? 301 : 308,
});

/** The path of the route with the values of this request. */
const pathOf = (path: string, { params }: PublicRequest): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

/** Declares the route on content hosts and below `/p/{workspace}`. */
export function contentRoutes<T>(spec: ContentRouteSpec<T>): readonly PublicRoute[] {
  const { http, description, limit, maxBodyBytes, servesSuspended = false, find, handler, missing } = spec;
  const space = http.indexOf(' ');
  const path = http.slice(space + 1);
  const routeOptions = {
    description,
    ...(limit === undefined ? {} : { limit: { name: http, ...limit } }),
    ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }),
  };

  /** Serves the object that the request names. `namedWorkspace`: the workspace of the host or of the path. */
  const serve = async (
    context: PublicRouteContext,
    request: PublicRequest,
    namedWorkspace: Workspace | undefined,
    ownHost: boolean,
  ): Promise<HttpResponse> => {
    const withPolicy = (response: HttpResponse) => (ownHost ? response : inSandbox(response));
    const target = await find(context, request, namedWorkspace);
    const isForeign = target !== undefined && namedWorkspace !== undefined && target.workspaceId !== namedWorkspace.id;
    if (target === undefined || isForeign) return withPolicy(await missing(context, request, namedWorkspace));
    const workspace = namedWorkspace ?? (await context.workspace(target.workspaceId));
    // Nothing changes in a suspended workspace, unless the route allows it; its pages are still shown.
    const isRefused = workspace?.suspended === true && request.method === 'POST' && !servesSuspended;
    if (workspace === undefined || isRefused) return withPolicy(await missing(context, request, namedWorkspace));
    const { contentHost } = workspace;
    if (!ownHost && contentHost !== undefined)
      return movedTo(request, `https://${contentHost}${pathOf(path, request)}${queryOf(request)}`);
    return withPolicy(await handler(context, request, { workspace, object: target.found, ownHost }));
  };

  return [
    definePublicRoute({
      ...routeOptions,
      http,
      async handler(context, request) {
        const owner = await context.workspaceOfHost(request.host);
        return serve(context, request, owner, owner !== undefined);
      },
    }),
    definePublicRoute({
      ...routeOptions,
      http: `${http.slice(0, space) as HttpMethod} /p/{workspace}${path}`,
      description: `${description} On hosts other than content hosts.`,
      async handler(context, request) {
        if ((await context.workspaceOfHost(request.host)) !== undefined) return undefined;
        const workspace = await context.workspace(request.params['workspace'] ?? '');
        return workspace === undefined
          ? inSandbox(await missing(context, request, undefined))
          : serve(context, request, workspace, false);
      },
    }),
  ];
}
