import { defineOperationWithPrepare, z } from '../../../core/index.ts';
import { foundOperations } from '../schema.ts';
import { searchResultOf } from '../search/search-result.ts';

export const searchOperations = defineOperationWithPrepare({
  id: 'operations.search',
  summary: 'Find tools by words',
  description:
    'Finds the operations that do a job, with their full descriptions and arguments: describe the job as a user would, or give the name of a tool. Operations that the caller may not call are left out. If the caller can ask for more scopes, they are shown with missing_scopes.',
  http: 'GET /v1/operations',
  tool: { name: 'search_tools', inCoreToolset: true },
  scopes: [],
  anyKey: true,
  idempotency: 'read',
  input: {
    query: z.object({
      query: z.string().min(1).max(500).describe('The job in words, such as: tell Ada that her parcel is late.'),
      limit: z.coerce.number().int().min(1).max(20).default(5),
      schemas: z
        .enum(['input', 'full'])
        .default('input')
        .describe('full adds the schemas of the answers, and leaves out no arguments.'),
    }),
  },
  output: foundOperations,
  fixture: async () => ({ query: { query: 'find tools' } }),
  exampleRow: 'skipped: the operations are those of the program, shown in test/plugins/operations.test.ts',

  prepare: async (ctx, { query }) => searchResultOf(ctx, await ctx.services.operationSearch.find(query.query), query),
  handler: async (_ctx, _input, found) => found,
});
