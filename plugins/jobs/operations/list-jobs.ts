import { decodeCursor, defineOperation, listOf, pageQuery, toPage, z } from '../../../core/index.ts';
import { failedJob, presentJob } from '../schema.ts';
import { someFailedJob } from './example-rows.ts';

export const listJobs = defineOperation({
  id: 'jobs.list',
  summary: 'List failed jobs',
  description:
    'And those that wait for another attempt. With a filter, a result can be empty and have a next_cursor: older jobs may match.',
  http: 'GET /v1/jobs',
  tool: 'list_jobs',
  scopes: ['jobs:read'],
  idempotency: 'read',
  input: {
    query: z.object({
      ...pageQuery,
      state: z.enum(['failed', 'waiting']).optional(),
      kind: z.string().min(1).max(100).optional(),
    }),
  },
  output: listOf(failedJob),
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  exampleRow: someFailedJob,

  async handler(ctx, { query: { limit, cursor, state, kind } }) {
    const after = decodeCursor('jobs', cursor);
    const { jobs, scannedTo } = await ctx.ports.jobs.listFailed(ctx.trx, { state, kind, limit: limit + 1, after });
    return toPage('jobs', jobs, limit, ({ failedAt, id }) => ({ createdAt: failedAt, id }), presentJob, scannedTo);
  },
});
