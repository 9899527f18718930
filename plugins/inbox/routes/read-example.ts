import { z } from '../../../core/index.ts';
import { checkInput, type Gate, jsonAnswer, pageRoute, queryOf } from '../../../core/unstable.ts';
import { scopeOf } from '../scope.ts';
import { placeQuery } from './place.ts';

const exampleQuery = z.strictObject(placeQuery);

/** A complete request for a send, except for the API key. Shown while the inbox is empty. */
export const readExample = (gate: Gate) =>
  pageRoute(
    gate,
    { http: 'GET /inbox/example', description: 'A template of the workspace and variables that fit it, or null.' },
    async (context, request, access) => {
      const [workspaceId] = await scopeOf(context, access, checkInput(exampleQuery, queryOf(request)).workspace);
      if (workspaceId === undefined) return jsonAnswer(request, { example: null });
      const { templates } = context.services;
      const sendable = await context.read(workspaceId, ({ trx }) => templates.sendable(trx));
      // Prefers a template whose author gave an example.
      const chosen = sendable.find(({ variables }) => Array.isArray(variables.examples)) ?? sendable[0];
      if (chosen === undefined) return jsonAnswer(request, { example: null });
      return jsonAnswer(request, { example: { template: chosen.key, variables: templates.filling(chosen.variables) } });
    },
  );
