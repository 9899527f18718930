// Completion of arguments from a long list.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { defineOperation } from '../../core/contract/declaration/operation.ts';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';
import { listOf, pageQuery } from '../../core/contract/schemas/fields.ts';
import { decodeCursor, toPage } from '../../core/storage/cursor.ts';
import { createSimulatedClock } from '../../hosts/testing/simulated-clock.ts';
import { message, postTo } from './mcp-wire.ts';
import { type NotesService, startNotes } from './notes-service.ts';

const grain = z.object({ key: z.string() });
let pages = 0;

/** Lists an endless number of grains. Every tenth key begins with `odd-`, the others with `grain-`. */
const listGrains = defineOperation({
  id: 'grains.list',
  summary: 'List grains',
  http: 'GET /v1/grains',
  tool: 'list_grains',
  scopes: ['grains:read'],
  idempotency: 'read',
  input: { query: z.object(pageQuery) },
  output: listOf(grain),
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  async handler(_ctx, { query }) {
    pages += 1;
    const after = decodeCursor('grains', query.cursor);
    const from = after === undefined ? 0 : after.createdAt + 1;
    const rows = Array.from({ length: query.limit + 1 }, (_, at) => from + at);
    return toPage(
      'grains',
      rows,
      query.limit,
      (at) => ({ createdAt: at, id: `${at}` }),
      (at) => ({ key: at % 10 === 9 ? `odd-${at}` : `grain-${at}` }),
    );
  },
});

const readGrain = defineOperation({
  id: 'grains.read',
  summary: 'Read a grain',
  http: 'GET /v1/grains/{key}',
  tool: 'read_grain',
  scopes: ['grains:read'],
  idempotency: 'read',
  input: { params: grain },
  output: grain,
  fixture: async () => ({ params: { key: 'grain-1' } }),
  handler: async (_ctx, { params }) => params,
});

const grains = definePlugin({
  id: 'grains',
  scopes: [{ scope: 'grains:read', description: 'Read grains.' }],
  operations: [listGrains, readGrain],
  resources: [
    {
      uri: 'postrider://grains/{key}',
      name: 'grain',
      title: 'Grain',
      description: 'A grain of sand.',
      operation: 'grains.read',
      list: 'grains.list',
    },
  ],
});

const test = suite('MCP endpoint: completion');
let sand: NotesService;
let workspaceId: string;
test.before(async () => {
  sand = await startNotes({ plugins: [grains], clock: createSimulatedClock() });
  workspaceId = await sand.workspace('Beach');
});
test.after(() => sand.stop());

async function complete(value: string) {
  pages = 0;
  const ref = { type: 'ref/resource', uri: 'postrider://grains/{key}' };
  const key = await sand.key(workspaceId, ['grains:read']);
  const request = message('completion/complete', { ref, argument: { name: 'key', value } });
  const { json } = await postTo(sand, workspaceId, request, { key });
  const { completion } = json.result as { completion: { values: string[]; hasMore: boolean } };
  const { values, hasMore } = completion;
  return { first: values[0], last: values.at(-1), count: values.length, hasMore, pages };
}

test('completion reads pages until it has enough values, and at most a thousand entries', async () => {
  assert.equal(await complete(''), { first: 'grain-0', last: 'odd-99', count: 100, hasMore: true, pages: 1 });
  const two = { first: 'grain-0', last: 'grain-110', count: 100, hasMore: true, pages: 2 };
  assert.equal(await complete('grain'), two);
  assert.equal(await complete('odd-91'), { first: 'odd-919', last: 'odd-919', count: 1, hasMore: true, pages: 10 });
  assert.equal(await complete('none'), { first: undefined, last: undefined, count: 0, hasMore: true, pages: 10 });
});

test.run();
