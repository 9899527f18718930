import { decodeCursor, defineOperation, listOf, pageQuery, toPage, z } from '../../../core/index.ts';
import { someGrant } from '../fixture-rows.ts';
import { listGrants as listRows, presentGrant } from '../grants/store.ts';
import { grantResource } from '../schema.ts';

export const listGrants = defineOperation({
  id: 'oauth.grants',
  summary: 'List OAuth grants',
  description: 'Which programs may act for which members, newest first. Grants that have ended are left out.',
  http: 'GET /v1/oauth/grants',
  tool: 'list_grants',
  scopes: ['keys:read'],
  idempotency: 'read',
  input: { query: z.object(pageQuery) },
  output: listOf(grantResource),
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  exampleRow: someGrant,

  async handler(ctx, { query }) {
    const after = decodeCursor('oauth_grants', query.cursor);
    const rows = await listRows(ctx.trx, ctx.now, { limit: query.limit + 1, after });
    return toPage(
      'oauth_grants',
      rows,
      query.limit,
      (row) => ({ createdAt: row.created_at, id: row.id }),
      presentGrant,
    );
  },
});
