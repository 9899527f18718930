// The toolset `core`, and call_tool, which behaves like the tool that it names
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTestService, type TestService } from '../../hosts/testing/test-service.ts';
import { standardPlugins } from '../../plugins/index.ts';

const test = suite('MCP endpoint: the toolset core');
let testService: TestService<(typeof standardPlugins)[number]['id']>;
const core = '?toolsets=core';

test.before(async () => {
  testService = await createTestService({ plugins: standardPlugins });
});
test.after(() => testService.close());

const ask = async (query: string, method: string, params: object, key = testService.liveKey) =>
  (await testService.request(`/v1/mcp${query}`, { key, body: { jsonrpc: '2.0', id: 1, method, params } })).body;
const call = async (args: unknown, query = core, key = testService.liveKey) =>
  (await ask(query, 'tools/call', { name: 'call_tool', arguments: args }, key)).result;
const namesOf = async (query: string, key?: string): Promise<string[]> =>
  (await ask(query, 'tools/list', {}, key)).result.tools.map(({ name }: { name: string }) => name);
const lastAudit = async () =>
  (await testService.request('/v1/audit?limit=1')).body.data[0] as { action: string; actor: Record<string, unknown> };

test('the toolset core lists search_tools, call_tool and ten tools', async () => {
  assert.equal((await namesOf(core)).sort(), [
    'call_tool',
    'emit_event',
    'list_contacts',
    'list_sends',
    'list_templates',
    'read_contact',
    'read_send',
    'read_template_schema',
    'read_workspace',
    'search_tools',
    'send_transactional',
    'upsert_contact',
  ]);
  assert.not.ok((await namesOf('')).includes('call_tool'));
});

test('scopes and readonly remove tools from the toolset, and other toolsets add tools to it', async () => {
  const reader = await testService.keyWith(['contacts:read']);
  assert.equal((await namesOf(core, reader)).sort(), ['call_tool', 'list_contacts', 'read_contact', 'search_tools']);
  assert.not.ok((await namesOf(`${core}&readonly=1`)).includes('upsert_contact'));
  const both = await namesOf('?toolsets=core,links');
  assert.ok(both.includes('create_short_link') && both.includes('list_sends'));
});

test('call_tool and the named tool have the same result, audit entry and idempotency', async () => {
  const args = { email: 'ada@example.com', idempotency_key: 'core-1' };
  const result = await call({ name: 'create_suppression', arguments: args });
  assert.is(result.isError, undefined, JSON.stringify(result));
  assert.is((await lastAudit()).action, 'suppression.create');
  const repeat = await ask('', 'tools/call', { name: 'create_suppression', arguments: args });
  assert.equal(repeat.result.structuredContent, result.structuredContent);
  assert.equal(repeat.result._meta, { 'idempotent-replay': true });
});

test('call_tool checks the scopes of the tool that it names', async () => {
  const reader = await testService.keyWith(['contacts:read']);
  const { isError, structuredContent } = await call({ name: 'create_suppression', arguments: {} }, core, reader);
  assert.equal([isError, structuredContent.error.code], [true, 'insufficient_scope']);
});

test('call_tool can be a dry run, and returns pictures like any call', async () => {
  const dry = await call({ name: 'create_list', arguments: { name: 'News', dry_run: true } });
  assert.match(dry.content[0].text, /^Dry run: nothing was stored/);
  const { structuredContent: design } = await call({
    name: 'create_qr_design',
    arguments: { encodes: { kind: 'static', payload: 'https://example.com' } },
  });
  const picture = await call({ name: 'render_qr_design', arguments: { qrId: design.qrId, format: 'png' } });
  assert.is(picture.content.at(-1).type, 'image', JSON.stringify(picture).slice(0, 500));
});

test('arguments may be missing or null, both in call_tool and in any other call', async () => {
  for (const args of [undefined, null]) {
    const result = await call({ name: 'read_workspace', arguments: args });
    assert.is(result.structuredContent?.id, testService.workspaceId, JSON.stringify(result));
    const plain = await ask('', 'tools/call', { name: 'read_workspace', arguments: args });
    assert.is(plain.result?.structuredContent.id, testService.workspaceId, JSON.stringify(plain));
  }
});

test('the error for wrong arguments of call_tool says what to do', async () => {
  const messageOf = async (args: unknown) => {
    const { isError, structuredContent } = await call(args);
    assert.is(isError, true);
    return structuredContent.error.message as string;
  };
  assert.match(await messageOf({}), /give the name of a tool. search_tools finds/);
  assert.match(await messageOf({ name: 'make_contact' }), /There is no tool make_contact/);
  assert.match(await messageOf({ name: 'call_tool', arguments: { name: 'read_workspace' } }), /no tool call_tool/);
  assert.match(
    await messageOf({ name: 'read_contact', id: 'con_1' }),
    /put the arguments of read_contact into arguments/,
  );
  assert.match(await messageOf({ name: 'read_contact', arguments: 'con_1' }), /give an object/);
});

test('with readonly, call_tool calls only tools that change nothing', async () => {
  const query = `${core}&readonly=1`;
  assert.is((await call({ name: 'list_lists' }, query)).isError, undefined);
  const refusal = await call({ name: 'create_list', arguments: { name: 'No' } }, query);
  assert.match(
    refusal.structuredContent.error.message,
    /The tool create_list is excluded by the parameters toolsets or readonly/,
  );
});

test('a tool that core does not list can be called by its name', async () => {
  const { result } = await ask(core, 'tools/call', { name: 'list_lists', arguments: {} });
  assert.ok(Array.isArray(result.structuredContent.data));
  const outsideToolset = await ask('?toolsets=links', 'tools/call', { name: 'list_lists', arguments: {} });
  assert.is(outsideToolset.error.code, -32602);
});

test('the first 2,000 characters of the instructions contain the rules of all tools', async () => {
  const { result } = await ask(core, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'reader', version: '1' },
  });
  // Claude Code shows 2,048: https://github.com/anthropics/claude-code/issues/41593
  const beginning = result.instructions.slice(0, 2_000);
  for (const word of ['dry_run', 'idempotency_key', 'next_cursor', 'search_tools', 'call_tool'])
    assert.match(beginning, word);
});

test.run();
