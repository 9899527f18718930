import { decodeCursor, defineOperation, listOf, pageQuery, toPage, z } from '../../../core/index.ts';
import { presentSuppression } from '../present.ts';
import { suppressionResource } from '../schema.ts';
import { listSuppressions as listRows } from '../store.ts';
import { suppressedAddress } from './fixture-rows.ts';

export const listSuppressions = defineOperation({
  id: 'suppressions.list',
  summary: 'List suppressions',
  description: 'Addresses that get no mail, the newest first.',
  http: 'GET /v1/suppressions',
  tool: 'list_suppressions',
  scopes: ['suppressions:read'],
  idempotency: 'read',
  input: {
    query: z.object({ ...pageQuery, reason: z.enum(['hard_bounce', 'complaint', 'unsubscribe', 'manual']).optional() }),
  },
  output: listOf(suppressionResource),
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  item: suppressedAddress,

  async handler(ctx, { query }) {
    const after = decodeCursor('suppressions', query.cursor);
    const rows = await listRows(ctx.trx, { reason: query.reason, now: ctx.now }, query.limit, after);
    return toPage(
      'suppressions',
      rows,
      query.limit,
      (row) => ({ createdAt: row.created_at, id: row.email }),
      presentSuppression,
    );
  },
});
