import { coreErrors, defineOperation, idParameter, z } from '../../../core/index.ts';
import { keyResource } from '../schema.ts';
import { findKey, presentKey } from '../store.ts';

export const readKey = defineOperation({
  id: 'keys.read',
  summary: 'Read an API key',
  description: 'Its scopes and when it was last used. The secret is never returned.',
  http: 'GET /v1/keys/{id}',
  tool: 'read_api_key',
  scopes: ['keys:read'],
  idempotency: 'read',
  input: { params: z.object({ id: idParameter('key') }) },
  output: keyResource,
  errors: ['key_not_found'],
  fixture: async (kit) => ({
    params: { id: await kit.apiKey() },
    foreign: { id: await kit.apiKey(kit.foreignWorkspaceId) },
  }),

  async handler(ctx, { params }) {
    const row = await findKey(ctx.trx, params.id);
    if (row === undefined) throw coreErrors.key_not_found({ id: params.id });
    return presentKey(row);
  },
});
