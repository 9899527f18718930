import { decodeCursor, defineOperation, listOf, pageQuery, toPage, z } from '../../../core/index.ts';
import { presentTemplate } from '../present.ts';
import { templateResource } from '../schema.ts';
import { listTemplates as listRows } from '../store.ts';
import { createdTemplate } from './fixture-rows.ts';

export const listTemplates = defineOperation({
  id: 'templates.list',
  summary: 'List templates',
  description: 'Drafts and published ones, layouts too, newest first. Archived ones only when asked for by status.',
  http: 'GET /v1/templates',
  tool: 'list_templates',
  scopes: ['templates:read'],
  idempotency: 'read',
  input: {
    query: z.object({
      ...pageQuery,
      status: z.enum(['draft', 'published', 'archived']).optional(),
      category: z.enum(['marketing', 'transactional', 'system']).optional(),
      kind: z.enum(['email', 'layout']).optional(),
      layout: z.string().min(1).max(200).optional().describe('The key of a layout: who uses it.'),
    }),
  },
  output: listOf(templateResource),
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  item: createdTemplate,

  async handler(ctx, { query }) {
    const { status, category, kind, layout, limit } = query;
    const filter = { status, category, kind, layout };
    const rows = await listRows(ctx.trx, filter, limit, decodeCursor('templates', query.cursor));
    return toPage('templates', rows, limit, (row) => ({ createdAt: row.created_at, id: row.id }), presentTemplate);
  },
});
