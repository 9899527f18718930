import { decodeCursor, defineOperation, listOf, pageQuery, toPage, z } from 'postrider';
import { presentSurvey, status, surveyResource } from '../schema.js';
import { listRows } from '../store.js';
import { surveyRow } from './fixture-rows.js';

export const listSurveys = defineOperation({
  id: 'surveys.list',
  summary: 'List surveys',
  description: 'Newest first.',
  http: 'GET /v1/surveys',
  tool: 'list_surveys',
  scopes: ['surveys:read'],
  idempotency: 'read',
  input: { query: z.object({ ...pageQuery, status: status.optional().describe('Only those with this status.') }) },
  output: listOf(surveyResource),
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  item: surveyRow,

  async handler(ctx, { query: { limit, cursor, status } }) {
    const rows = await listRows(ctx.trx, { limit, after: decodeCursor('surveys', cursor), status });
    return toPage('surveys', rows, limit, (row) => ({ createdAt: row.created_at, id: row.id }), presentSurvey);
  },
});
