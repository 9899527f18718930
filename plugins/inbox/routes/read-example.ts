import { z } from '../../../core/index.ts';
import { checkInput, jsonResponse, pageRoute, queryOf } from '../../../core/unstable.ts';
import { gate } from '../access.ts';
import { requestedWorkspaces } from '../visible-workspaces.ts';
import { workspaceQuery } from './find-message.ts';

const exampleQuery = z.strictObject(workspaceQuery);

/** A complete request for a send, except for the API key. Shown while the inbox is empty. */
export const readExample = pageRoute(
  gate,
  { http: 'GET /inbox/example', description: 'A template of the workspace and variables that fit it, or null.' },
  async (ctx, request, visitor) => {
    const [first] = await requestedWorkspaces(ctx, visitor, checkInput(exampleQuery, queryOf(request)).workspace);
    if (first === undefined) return jsonResponse(request, { example: null });
    const { templates } = ctx.services;
    const sendable = await ctx.read(first.workspace.id, ({ trx }) => templates.sendable(trx));
    // Prefers a template whose author gave an example.
    const chosen = sendable.find(({ variables }) => Array.isArray(variables.examples)) ?? sendable[0];
    if (chosen === undefined) return jsonResponse(request, { example: null });
    return jsonResponse(request, {
      example: { template: chosen.key, variables: templates.previewVariables(chosen.variables) },
    });
  },
);
