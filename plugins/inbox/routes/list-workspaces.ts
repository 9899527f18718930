import { z } from '../../../core/index.ts';
import {
  checkInput,
  consoleAddress,
  jsonResponse,
  pageRoute,
  queryOf,
  visibleWorkspaces,
} from '../../../core/unstable.ts';
import { gate } from '../access.ts';
import { maxTogether, mayChange } from '../visible-workspaces.ts';
import type { InboxWorkspaceList } from '../wire.ts';

const maxWorkspaces = 200;
const noQuery = z.strictObject({});

/** The workspaces that the visitor may see, and details of the service. */
export const listWorkspaces = pageRoute(
  gate,
  { http: 'GET /inbox/workspaces', description: 'The workspaces that the visitor may see.' },
  async (ctx, request, visitor) => {
    checkInput(noQuery, queryOf(request));
    const visible = await visibleWorkspaces(ctx, visitor, maxWorkspaces + 1);
    const { name, slug, environment } = ctx.ports.service;
    const response: InboxWorkspaceList = {
      service: { name, slug, environment },
      console: consoleAddress(ctx, request, './') ?? null,
      data: visible.slice(0, maxWorkspaces).map((visibleWorkspace) => ({
        id: visibleWorkspace.workspace.id,
        name: visibleWorkspace.workspace.name,
        may_change: mayChange(visibleWorkspace),
      })),
      has_more: visible.length > maxWorkspaces,
      together: visible.length <= maxTogether,
    };
    return jsonResponse(request, response);
  },
);
