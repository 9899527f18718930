import { decodeCursor, defineOperation, listOf, pageQuery, toPage, z } from '../../../core/index.ts';
import { keyResource } from '../schema.ts';
import { listKeys as listRows, presentKey } from '../store.ts';

export const listKeys = defineOperation({
  id: 'keys.list',
  summary: 'List API keys',
  description: 'Newest first, revoked ones included. Secrets are never returned.',
  http: 'GET /v1/keys',
  tool: 'list_api_keys',
  scopes: ['keys:read'],
  idempotency: 'read',
  input: { query: z.object(pageQuery) },
  output: listOf(keyResource),
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  exampleRow: (kit, workspaceId) => kit.apiKey(workspaceId),

  async handler(ctx, { query }) {
    const rows = await listRows(ctx.trx, query.limit, decodeCursor('keys', query.cursor));
    return toPage('keys', rows, query.limit, (row) => ({ createdAt: row.created_at, id: row.id }), presentKey);
  },
});
