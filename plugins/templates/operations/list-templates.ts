import { decodeCursor, defineOperation, listOf, pageQuery, toPage, z } from '../../../core/index.ts';
import { presentTemplate } from '../present.ts';
import { templateResource } from '../schema.ts';
import { listTemplates as listRows } from '../store.ts';

export const listTemplates = defineOperation({
  id: 'templates.list',
  summary: 'List templates',
  description: 'Drafts and published templates, newest first. Archived ones only when asked for by status.',
  http: 'GET /v1/templates',
  tool: 'list_templates',
  scopes: ['templates:read'],
  idempotency: 'read',
  input: {
    query: z.object({
      ...pageQuery,
      status: z.enum(['draft', 'published', 'archived']).optional(),
      category: z.enum(['marketing', 'transactional', 'system']).optional(),
    }),
  },
  output: listOf(templateResource),
  errors: ['cursor_invalid'],
  fixture: async () => ({}),

  async handler(ctx, { query }) {
    const { status, category, limit } = query;
    const rows = await listRows(ctx.trx, { status, category }, limit, decodeCursor('templates', query.cursor));
    return toPage('templates', rows, limit, (row) => ({ createdAt: row.created_at, id: row.id }), presentTemplate);
  },
});
