import { z } from '../../../core/index.ts';
import {
  checkInput,
  jsonResponse,
  type PageGate,
  pageRoute,
  queryOf,
  visibleWorkspaces,
} from '../../../core/unstable.ts';
import { maxTogether } from '../visible-workspaces.ts';

const maxWorkspaces = 200;
const noQuery = z.strictObject({});

/** The workspaces that the caller may see, and details of the service. */
export const listWorkspaces = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'GET /inbox/workspaces', description: 'The workspaces that the caller may see.' },
    async (ctx, request, access) => {
      checkInput(noQuery, queryOf(request));
      const visible = await visibleWorkspaces(ctx, access, maxWorkspaces + 1);
      const { name, slug, environment } = ctx.ports.service;
      return jsonResponse(request, {
        service: { name, slug, environment },
        data: visible.slice(0, maxWorkspaces).map((workspace) => ({ id: workspace.id, name: workspace.name })),
        has_more: visible.length > maxWorkspaces,
        /** Whether all workspaces are shown together if a request does not name a workspace. */
        together: visible.length <= maxTogether,
      });
    },
  );
