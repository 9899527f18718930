import { decodeCursor, defineOperation, listOf, pageQuery, timeInput, toPage, z } from '../../../core/index.ts';
import { auditEntry } from '../schema.ts';
import { listEntries as listRows, presentEntry } from '../store.ts';

export const listEntries = defineOperation({
  id: 'audit.list',
  summary: 'List audit entries',
  description:
    'Every successful change of the last 90 days, newest first. A sandbox key sees the changes of the sandbox, a live key sees all changes. With actor or action, a result can be empty and have a next_cursor: older entries may match.',
  http: 'GET /v1/audit',
  tool: 'recent_audit_entries',
  scopes: ['audit:read'],
  idempotency: 'read',
  input: {
    query: z.object({
      ...pageQuery,
      since: timeInput.optional().describe('Entries at or after this time.'),
      until: timeInput.optional().describe('Entries before this time.'),
      actor: z.string().min(1).max(100).optional().describe('A key id, or a kind of actor.'),
      action: z.string().min(1).max(100).optional().describe('An action, or a prefix ending in .* such as template.*'),
    }),
  },
  output: listOf(auditEntry),
  errors: ['cursor_invalid'],
  liveListsBoth: true,
  fixture: async () => ({}),
  exampleRow: async (kit, workspaceId) => {
    await kit.write(async ({ audit, newId }) => audit('key.create', { kind: 'key', id: newId('key') }), workspaceId);
    const { data } = await kit.call('audit.list', { limit: 1 }, workspaceId);
    return String((data as { id: string }[])[0]?.id);
  },

  async handler(ctx, { query }) {
    const { since, until, actor, action } = query;
    const { rows, scannedTo } = await listRows(
      ctx.trx,
      { since, until, actor, action },
      query.limit,
      decodeCursor('audit', query.cursor),
    );
    const position = (row: (typeof rows)[number]) => ({ createdAt: row.ts, id: row.id });
    return toPage('audit', rows, query.limit, position, presentEntry, scannedTo);
  },
});
