import { decodeCursor, defineOperation, listOf, pageQuery, timeInput, toPage, z } from '../../../core/index.ts';
import { loggedRequest } from '../schema.ts';
import { listLoggedRequests, presentRequest } from '../store.ts';

export const listRequests = defineOperation({
  id: 'requests.list',
  summary: 'List requests',
  description: 'The last 24 hours, including refused requests, without contents.',
  http: 'GET /v1/requests',
  tool: 'list_requests',
  scopes: ['audit:read'],
  idempotency: 'read',
  input: {
    query: z.object({
      ...pageQuery,
      since: timeInput.optional(),
      until: timeInput.optional(),
    }),
  },
  output: listOf(loggedRequest),
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  exampleRow: (kit, workspaceId) =>
    kit.write(async ({ trx, newId, now }) => {
      const id = newId('rql');
      const request = { method: 'GET', route: '/v1/contacts/{contactId}', status: 404, ms: 12 };
      await trx.db
        .insertInto('request_log')
        .values({ id, request_id: newId('req'), key_id: newId('key'), ts: now, ...request })
        .execute();
      return id;
    }, workspaceId),

  async handler(ctx, { query: { limit, cursor, since, until } }) {
    const rows = await listLoggedRequests(ctx.trx, { since, until }, limit, decodeCursor('requests', cursor));
    return toPage('requests', rows, limit, (row) => ({ createdAt: row.ts, id: row.id }), presentRequest);
  },
});
