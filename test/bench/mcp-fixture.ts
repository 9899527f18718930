/**
 * 250 tools: the tools of the standard plugins, and small reads to reach this number. The floors list the same tools from their plain
 * definitions, short or in full. The call workload calls the tool `called`. No contestant may make the tools smaller.
 */
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService, defineOperation, definePlugin, type Operation, z } from '../../core/index.ts';
import { listedTool, plainInput } from '../../core/projections/listed-tool.ts';
import { isTool } from '../../core/projections/mcp.ts';
import { standardPlugins } from '../../plugins/index.ts';

/** The number of tools. */
export const toolCount = 250;

/** The tool of the call workload with its arguments. */
export const called = { name: 'read_record_1', arguments: { id: 'rec_1', detail: 'full', limit: 10 } } as const;

/** The result of reading a record. */
export const recordOf = ({ id, detail, limit }: { id: string; detail: string; limit: number }) => ({
  id,
  title: `Record ${id} of the bench`,
  detail,
  limit,
  tags: ['one', 'two', 'three'],
  created_at: '2026-11-20T15:04:05.000Z',
});

const record = z.object({
  id: z.string().describe('Its id.'),
  title: z.string().describe('What people call it.'),
  detail: z.string(),
  limit: z.number().int(),
  tags: z.array(z.string()).describe('Words by which it is found.'),
  created_at: z.string(),
});

const readOperation = (index: number): Operation =>
  defineOperation({
    id: `records.read_${index}`,
    summary: `Read a record of kind ${index}`,
    description: 'With its tags, and as much of the rest as detail asks for.',
    http: `GET /v1/records/${index}/{id}`,
    tool: `read_record_${index}`,
    scopes: ['records:read'],
    idempotency: 'read',
    input: {
      params: z.object({ id: z.string().min(1).max(40).describe('The id of the record.') }),
      query: z.object({
        detail: z.enum(['summary', 'full']).default('summary').describe('How much of it.'),
        limit: z.coerce.number().int().min(1).max(100).default(25).describe('How many lines.'),
      }),
    },
    output: record,
    fixture: async () => ({ params: { id: 'rec_1' } }),
    handler: async (_ctx, { params, query }) => recordOf({ id: params.id, ...query }),
  });

const standardTools = standardPlugins.flatMap(({ operations }) => operations).filter(({ tool }) => tool).length;

/** The standard plugins and the plugin with the additional tools. */
export const benchPlugins = [
  ...standardPlugins,
  definePlugin({
    id: 'records',
    scopes: [{ scope: 'records:read', description: 'Read records.' }],
    operations: Array.from({ length: toolCount - standardTools }, (_, index) => readOperation(index + 1)),
  }),
];

const composeService = () => createService({ storage: sqliteStorage({ filename: ':memory:' }), plugins: benchPlugins });

/** The tools as in tools/list with ?schemas=full. */
export const toolDefinitions = () => composeService().tools().tools;

/** The tools as in tools/list. */
export const shortDefinitions = () =>
  [...composeService().core.registry.tools.values()]
    .filter(isTool)
    .map((operation) => listedTool(operation, plainInput(operation), true));
