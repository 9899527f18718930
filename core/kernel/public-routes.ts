// Public routes of the composed plugins as raw routes of the REST surface. Called by compose.ts.
import type { Calls } from '../contract/calls.ts';
import type { ServiceInfo } from '../contract/context.ts';
import { isPostriderError } from '../contract/errors.ts';
import { hostName } from '../contract/host-name.ts';
import type { HttpRequest } from '../contract/http.ts';
import type { Api } from '../contract/open.ts';
import type { PublicRequest, PublicRouteContext, RouteHosts } from '../contract/public-route.ts';
import { limitAddress } from '../pipeline/address-limit.ts';
import type { Core } from '../pipeline/core.ts';
import { findWorkspace, listWorkspaces } from '../pipeline/workspaces.ts';
import { refusalPage, wantsPage } from '../projections/refusal-page.ts';
import { createBodyReader } from '../projections/request-body.ts';
import type { RawRoute } from '../projections/routing.ts';
import { unscoped } from '../storage/scope.ts';
import { createCalls } from './in-process.ts';
import { inWorkspace, readWorkspace } from './workspace-transaction.ts';

function createContext(
  core: Core,
  { address }: HttpRequest,
  requestId: string,
  openapi: () => Record<string, unknown>,
): PublicRouteContext {
  return {
    services: core.services,
    ports: core.ports,
    log: core.log,
    requestId,
    now: core.ports.now(),
    limitAddress: (limit) => limitAddress(core, address, limit),
    async workspaces(page) {
      const database = await core.database();
      return database.read(unscoped('operators see every workspace'), (handle) =>
        listWorkspaces(handle, core.plans, page),
      );
    },
    async workspace(id) {
      const database = await core.database();
      return database.read(id, (handle) => findWorkspace(handle, core.plans));
    },
    async read(workspaceId, work) {
      const database = await core.database();
      return database.read(workspaceId, work);
    },
    async readUnscoped(reason, work) {
      const database = await core.database();
      return database.read(unscoped(reason), work);
    },
    async transact(workspaceId, work) {
      const workspace = await readWorkspace(core, workspaceId);
      return inWorkspace(core, workspace, work);
    },
    calls: (workspaceId, page, { sandbox = false } = {}) =>
      createCalls(core, workspaceId, { kind: 'dashboard', actor: page, sandbox }) as Calls<keyof Api & string>,
    openapi,
  };
}

/**
 * Makes the check whether a route serves a host: routes that share `hosts` share it, so their function runs once a
 * request.
 */
function createHostChecks(service: ServiceInfo): (hosts: RouteHosts | undefined) => RawRoute['serves'] {
  const known = new Map<RouteHosts, NonNullable<RawRoute['serves']>>();
  const make = (hosts: RouteHosts): NonNullable<RawRoute['serves']> => {
    if (typeof hosts === 'function') return (host) => hosts(host, service);
    const names = new Set(hosts.map(hostName));
    return (host) => names.has(host);
  };
  return (hosts) => {
    if (hosts === undefined) return undefined;
    const check = known.get(hosts) ?? make(hosts);
    known.set(hosts, check);
    return check;
  };
}

/** One raw route for each declared public route that this service does not hide. */
export function createPublicRoutes(core: Core, openapi: () => Record<string, unknown>): RawRoute[] {
  let document: Record<string, unknown> | undefined;
  const remembered = () => {
    document ??= openapi();
    return document;
  };
  const { service } = core.ports;
  const servedHosts = createHostChecks(service);
  const present = core.registry.publicRoutes.filter(({ hidden }) => hidden?.(service) !== true);
  return present.map((route) => {
    const { method, path, limit, handler } = route;
    const counted = limit === undefined ? undefined : { name: `${method} ${path}`, ...limit };
    const maxBytes = Math.min(route.maxBodyBytes ?? core.settings.maxBodyBytes, core.settings.maxBodyBytes);
    return {
      method,
      path,
      serves: servedHosts(route.hosts),
      async handle(request, requestId, params) {
        try {
          if (counted !== undefined) await limitAddress(core, request.address, counted);
          const mark = request.url.indexOf('?');
          const asked: PublicRequest = {
            ...request,
            host: hostName(request.host ?? request.headers.host),
            params,
            query: new URLSearchParams(mark === -1 ? '' : request.url.slice(mark + 1)),
            ...createBodyReader(request, maxBytes),
          };
          const response = await handler(createContext(core, request, requestId, remembered), asked);
          if (response === undefined) return undefined;
          return { ...response, headers: { 'X-Request-Id': requestId, ...response.headers } };
        } catch (error) {
          if (!isPostriderError(error, 'address_rate_limit') || !wantsPage(request)) throw error;
          return refusalPage(error, 'Too many requests', requestId);
        }
      },
    };
  });
}
