import { z } from '../../../core/index.ts';
import { checkInput, type Gate, jsonAnswer, pageRoute, queryOf, visibleWorkspaces } from '../../../core/unstable.ts';
import { maxTogether } from '../scope.ts';

const maxWorkspaces = 200;
const noQuery = z.strictObject({});

/** The workspaces that the caller may see, and details of the service. */
export const listWorkspaces = (gate: Gate) =>
  pageRoute(
    gate,
    { http: 'GET /inbox/workspaces', description: 'The workspaces that the caller may see.' },
    async (context, request, access) => {
      checkInput(noQuery, queryOf(request));
      const visible = await visibleWorkspaces(context, access, maxWorkspaces + 1);
      const { name, slug, environment } = context.ports.service;
      return jsonAnswer(request, {
        service: { name, slug, environment },
        data: visible.slice(0, maxWorkspaces).map((workspace) => ({ id: workspace.id, name: workspace.name })),
        has_more: visible.length > maxWorkspaces,
        /** Whether all workspaces are shown together if a request names none. */
        together: visible.length <= maxTogether,
      });
    },
  );
