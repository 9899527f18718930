// Every tool of the standard plugins follows the rules of known clients, in each form of the list.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTestService, type TestService } from '../../hosts/testing/test-service.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { type ClientRule, cyclesIn, type RuledTool, rulesAlways, rulesOfList } from './client-rules.ts';

const test = suite('MCP endpoint: rules of clients');
let testService: TestService<(typeof standardPlugins)[number]['id']>;

test.before(async () => {
  testService = await createTestService({ plugins: standardPlugins });
});
test.after(() => testService.close());

async function listTools(query: string): Promise<readonly RuledTool[]> {
  const { body } = await testService.request(`/v1/mcp${query}`, {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  });
  return body.result.tools;
}

const faultsOf = (tools: readonly RuledTool[], rules: readonly ClientRule[]) =>
  rules.flatMap(({ clients, rule: says, faults }) =>
    tools.flatMap((tool) => faults(tool).map((fault) => `${tool.name}: ${fault} (${clients}: ${says})`)),
  );

for (const query of ['', '?toolsets=core', '?toolsets=core,sequences&readonly=1', '?templates=compact'])
  test(`tools/list${query} follows the rules of all known clients`, async () => {
    const tools = await listTools(query);
    assert.ok(tools.length > 10, String(tools.length));
    assert.equal(faultsOf(tools, [...rulesAlways, ...rulesOfList]), []);
  });

test('every reference in tools/list?schemas=full has a target, and no definition refers to itself', async () => {
  const tools = await listTools('?schemas=full');
  assert.equal(faultsOf(tools, rulesAlways), []);
  const sequence = tools.find(({ name }) => name === 'create_sequence');
  assert.ok(Object.keys(sequence?.inputSchema.$defs ?? {}).includes('SequenceFilterLevel3'));
});

test('the check finds a definition that refers to itself, directly or through another definition', () => {
  const leaf = { type: 'object', properties: { all: { type: 'array', items: { $ref: '#/$defs/A' } } } };
  assert.equal(cyclesIn({ $defs: { A: leaf } }), ['A']);
  const through = { type: 'object', properties: { b: { $ref: '#/$defs/B' } } };
  assert.equal(cyclesIn({ $defs: { A: through, B: leaf } }), ['A', 'B']);
  assert.equal(cyclesIn({ properties: { a: { $ref: '#/$defs/Gone' } } }), ['Gone']);
});

test('a filter with deeper nesting than the expanded schema is accepted', async () => {
  const condition = { path: 'contact.attributes.plan', op: 'eq', value: 'pro' };
  const deep = { all: [{ any: [{ not: { all: [condition] } }] }] };
  const { body } = await testService.request('/v1/mcp', {
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'create_sequence',
        arguments: { name: 'Deep', trigger: { kind: 'event', type: 'plan.changed', filter: deep } },
      },
    },
  });
  assert.is(body.result.isError, undefined, JSON.stringify(body.result));
  assert.equal(body.result.structuredContent.trigger.filter, deep);
});

test.run();
