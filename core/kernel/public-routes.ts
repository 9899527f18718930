// Public routes of the composed plugins as raw routes of the REST surface. Called by compose.ts.
import type { Calls } from '../contract/api.ts';
import type { Api } from '../contract/open.ts';
import type { PublicRequest, PublicRouteContext } from '../contract/public-route.ts';
import type { Core } from '../pipeline/core.ts';
import { findWorkspace, listWorkspaces } from '../pipeline/workspaces.ts';
import { readJsonBody } from '../projections/body.ts';
import type { RawRoute } from '../projections/rest.ts';
import { unscoped } from '../storage/scope.ts';
import { createCalls } from './in-process.ts';
import { inWorkspace, readWorkspace } from './workspace-transaction.ts';

function createContext(core: Core, requestId: string, openapi: () => Record<string, unknown>): PublicRouteContext {
  return {
    services: core.services,
    ports: core.ports,
    log: core.log,
    requestId,
    now: core.ports.now(),
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
    async transact(workspaceId, work) {
      const workspace = await readWorkspace(core, workspaceId);
      return inWorkspace(core, workspace, work);
    },
    calls: (workspaceId, page) =>
      createCalls(core, workspaceId, { kind: 'dashboard', actor: page }) as Calls<keyof Api & string>,
    openapi,
  };
}

/** One raw route for each declared public route that this service does not hide. */
export function createPublicRoutes(core: Core, openapi: () => Record<string, unknown>): RawRoute[] {
  let document: Record<string, unknown> | undefined;
  const remembered = () => {
    document ??= openapi();
    return document;
  };
  const present = core.registry.publicRoutes.filter(({ hidden }) => hidden?.(core.ports.service) !== true);
  return present.map(({ method, path, handler }) => ({
    method,
    path,
    async handle(request, requestId, params) {
      const mark = request.url.indexOf('?');
      const asked: PublicRequest = {
        ...request,
        params,
        query: new URLSearchParams(mark === -1 ? '' : request.url.slice(mark + 1)),
        json: () => readJsonBody(request, core.settings.maxBodyBytes),
      };
      const response = await handler(createContext(core, requestId, remembered), asked);
      return { ...response, headers: { 'X-Request-Id': requestId, ...response.headers } };
    },
  }));
}
