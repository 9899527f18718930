// Public routes of the composed plugins as raw routes of the REST interface. Called by compose.ts.
import type { Calls } from '../contract/context/calls.ts';
import type { ServiceInfo } from '../contract/context/context.ts';
import type { PublicRouteContext, RouteHosts } from '../contract/declaration/public-route.ts';
import { isPostriderError } from '../contract/errors/errors.ts';
import type { Api } from '../contract/open.ts';
import { hostName } from '../contract/values/host-name.ts';
import { linkToken } from '../pages/link-token.ts';
import { limitAddress, limitAll, limitTries } from '../pipeline/address-limit.ts';
import { ownerOfHost } from '../pipeline/content-hosts.ts';
import type { Core } from '../pipeline/core.ts';
import { readContextOf } from '../pipeline/read-context.ts';
import { findWorkspace, listWorkspaces } from '../pipeline/workspaces.ts';
import { safetyOf } from '../projections/page-safety.ts';
import { PublicRouteRequest } from '../projections/public-route-request.ts';
import { refusalAppearance } from '../projections/refusal-appearance.ts';
import { tooManyPage } from '../projections/refusal-page.ts';
import type { RawRoute } from '../projections/routing.ts';
import { wantsPage } from '../projections/wants-page.ts';
import { oneSide, unscoped } from '../storage/scope.ts';
import { createCalls } from './in-process.ts';
import { inWorkspace, readWorkspace } from './workspace-transaction.ts';

/** The part of a handler's context that is the same for all requests. */
type SharedContext = Omit<PublicRouteContext, 'requestId' | 'now' | 'limitAddress' | 'limitTries'>;

/** Makes the part of the context that all requests share. It is made only once, so that a request creates few objects. */
function createShared(core: Core, openapi: () => Record<string, unknown>): SharedContext {
  return {
    services: core.services,
    ports: core.ports,
    log: core.log,
    limitAll: (limit) => limitAll(core, limit),
    async workspaceOfHost(host) {
      if (host === undefined) return undefined;
      const database = await core.database();
      const id = await database.read(unscoped('a host names its workspace'), (handle) => ownerOfHost(handle, host));
      return id === undefined ? undefined : database.read(id, (handle) => findWorkspace(handle, core.plans));
    },
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
      return database.read(oneSide(workspaceId, false), (trx) => work(readContextOf(core, trx, core.ports.now())));
    },
    async readUnscoped(reason, work) {
      const database = await core.database();
      return database.read(unscoped(reason), work);
    },
    async transactUnscoped(reason, work) {
      const database = await core.database();
      return database.transact(async (scope) => {
        const result = await work(scope.handle(unscoped(reason)));
        await scope.flush();
        return result;
      });
    },
    async transact(workspaceId, work, { sandbox = false } = {}) {
      const workspace = await readWorkspace(core, workspaceId);
      return inWorkspace(core, workspace, work, { sandbox });
    },
    calls: (workspaceId, page, { sandbox = false, ...caller } = {}) =>
      createCalls(core, workspaceId, { kind: 'dashboard', actor: page, sandbox, ...caller }) as Calls<
        keyof Api & string
      >,
    openapi,
  };
}

/** The context of one request. A class, because an object assembled from others costs the busiest routes a tenth of their time. */
class RequestContext implements PublicRouteContext {
  readonly services: PublicRouteContext['services'];
  readonly ports: PublicRouteContext['ports'];
  readonly log: PublicRouteContext['log'];
  readonly limitAll: PublicRouteContext['limitAll'];
  readonly workspaceOfHost: PublicRouteContext['workspaceOfHost'];
  readonly workspaces: PublicRouteContext['workspaces'];
  readonly workspace: PublicRouteContext['workspace'];
  readonly read: PublicRouteContext['read'];
  readonly readUnscoped: PublicRouteContext['readUnscoped'];
  readonly transactUnscoped: PublicRouteContext['transactUnscoped'];
  readonly transact: PublicRouteContext['transact'];
  readonly calls: PublicRouteContext['calls'];
  readonly openapi: PublicRouteContext['openapi'];
  readonly limitAddress: PublicRouteContext['limitAddress'];
  readonly limitTries: PublicRouteContext['limitTries'];
  readonly requestId: string;
  readonly now: number;
  /** The workspace of the last attempt that was limited. */
  limitedWorkspaceId: string | undefined;

  constructor(shared: SharedContext, core: Core, address: string | undefined, requestId: string) {
    this.services = shared.services;
    this.ports = shared.ports;
    this.log = shared.log;
    this.limitAll = shared.limitAll;
    this.workspaceOfHost = shared.workspaceOfHost;
    this.workspaces = shared.workspaces;
    this.workspace = shared.workspace;
    this.read = shared.read;
    this.readUnscoped = shared.readUnscoped;
    this.transactUnscoped = shared.transactUnscoped;
    this.transact = shared.transact;
    this.calls = shared.calls;
    this.openapi = shared.openapi;
    this.limitAddress = (limit) => limitAddress(core, address, limit);
    this.limitTries = (limit, attempt, workspaceId) => {
      this.limitedWorkspaceId = workspaceId;
      return limitTries(core, address, limit, attempt);
    };
    this.requestId = requestId;
    this.now = shared.ports.now();
  }
}

/**
 * Makes the functions that check whether a route serves a host. Routes with the same `hosts` share a check, so their function runs
 * once per request.
 */
function createHostChecks(service: ServiceInfo): (hosts: RouteHosts | undefined) => RawRoute['serves'] {
  const checks = new Map<RouteHosts, NonNullable<RawRoute['serves']>>();
  const make = (hosts: RouteHosts): NonNullable<RawRoute['serves']> => {
    if (typeof hosts === 'function') return (host) => hosts(host, service);
    const names = new Set(hosts.map(hostName));
    return (host) => names.has(host);
  };
  return (hosts) => {
    if (hosts === undefined) return undefined;
    const check = checks.get(hosts) ?? make(hosts);
    checks.set(hosts, check);
    return check;
  };
}

/** Makes one raw route for each declared public route that this service does not hide. */
export function createPublicRoutes(core: Core, openapi: () => Record<string, unknown>): RawRoute[] {
  let document: Record<string, unknown> | undefined;
  const cachedDocument = () => {
    document ??= openapi();
    return document;
  };
  const { service } = core.ports;
  const servedHosts = createHostChecks(service);
  const shared = createShared(core, cachedDocument);
  const visibleRoutes = core.registry.publicRoutes.filter(({ hidden }) => hidden?.(core.ports) !== true);
  return visibleRoutes.map((route) => {
    const { method, path, limit, handler } = route;
    const addressLimit = limit === undefined ? undefined : { name: `${method} ${path}`, ...limit };
    const maxBytes = Math.min(route.maxBodyBytes ?? core.settings.maxBodyBytes, core.settings.maxBodyBytes);
    const hasToken = path.includes('{token}');
    return {
      method,
      path,
      serves: servedHosts(route.hosts),
      async handle(request, requestId, params) {
        const context = new RequestContext(shared, core, request.address, requestId);
        try {
          if (addressLimit !== undefined) await limitAddress(core, request.address, addressLimit);
          const checkedParams = hasToken ? { ...params, token: linkToken(params['token'] ?? '') } : params;
          const response = await handler(context, new PublicRouteRequest(request, checkedParams, maxBytes));
          if (response === undefined) return undefined;
          return { ...response, headers: { 'X-Request-Id': requestId, ...safetyOf(response), ...response.headers } };
        } catch (error) {
          if (!isPostriderError(error, 'address_rate_limit') || !wantsPage(request)) throw error;
          const appearance = await refusalAppearance(core, request, context.limitedWorkspaceId);
          return tooManyPage(request, error, requestId, { appearance });
        }
      },
    };
  });
}
