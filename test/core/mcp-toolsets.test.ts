// Toolsets of the standard plugins contain all tools that their tasks need, and the error for a missing scope says what the key may do
// instead.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTestService, type TestService } from '../../hosts/testing/test-service.ts';
import { standardPlugins } from '../../plugins/index.ts';

const test = suite('MCP endpoint: toolsets');
let testService: TestService<(typeof standardPlugins)[number]['id']>;

test.before(async () => {
  testService = await createTestService({ plugins: standardPlugins });
});
test.after(() => testService.close());

const ask = async (query: string, method: string, params: object, key = testService.liveKey) =>
  (await testService.request(`/v1/mcp${query}`, { key, body: { jsonrpc: '2.0', id: 1, method, params } })).body.result;
const namesOf = async (query: string, key?: string): Promise<string[]> =>
  (await ask(query, 'tools/list', {}, key)).tools.map(({ name }: { name: string }) => name);

test('a toolset includes the tools of other areas that its first calls need', async () => {
  const pages = await namesOf('?toolsets=pages');
  for (const name of ['create_page', 'create_brand', 'list_brands', 'read_approval'])
    assert.ok(pages.includes(name), name);
  assert.not.ok(pages.includes('send_transactional'));
  const email = await namesOf('?toolsets=email');
  for (const name of ['send_transactional', 'read_template_schema', 'list_suppressions'])
    assert.ok(email.includes(name), name);
  const result = await ask('?toolsets=pages', 'tools/call', { name: 'create_brand', arguments: { name: 'Acme' } });
  assert.is(result.isError, undefined, JSON.stringify(result));
});

test('a toolset with readonly, or for a limited key, omits the other tools', async () => {
  assert.not.ok((await namesOf('?toolsets=pages&readonly=1')).includes('create_brand'));
  const writer = await testService.keyWith(['pages:write']);
  assert.not.ok((await namesOf('?toolsets=pages', writer)).includes('create_brand'));
});

test('a key that can only propose gets a hint to propose, in the terms of the caller', async () => {
  const author = await testService.keyWith(['templates:propose', 'templates:read']);
  const tool = await ask('', 'tools/call', { name: 'publish_template', arguments: { key: 'receipt' } }, author);
  assert.is(
    tool.structuredContent.error.message,
    'This needs the scope templates:write, which the key does not have. Use a key that has it, or propose the change: propose_template_change.',
  );
  const restAnswer = await testService.request('/v1/templates/receipt/publish', { key: author, body: {} });
  assert.is(restAnswer.status, 403);
  assert.match(restAnswer.body.error.message, 'propose the change: POST /v1/templates/{key}/proposals.');
  const writer = await testService.keyWith(['pages:write', 'approvals:submit']);
  const page = await ask('', 'tools/call', { name: 'publish_page', arguments: { idOrSlug: 'home' } }, writer);
  assert.match(
    page.structuredContent.error.message,
    'ask for an approval, so that another key may publish it: submit_for_approval.',
  );
  const reader = await testService.keyWith(['templates:read']);
  const readerAnswer = await testService.request('/v1/templates/receipt/publish', { key: reader, body: {} });
  assert.is(
    readerAnswer.body.error.message,
    'This needs the scope templates:write, which the key does not have. Use a key that has it.',
  );
});

test('the send tool accepts one address, and its description states this', async () => {
  const { tools } = await ask('', 'tools/list', {});
  const { to } = tools.find(({ name }: { name: string }) => name === 'send_transactional').inputSchema.properties;
  assert.is(to.format, 'email');
  assert.match(to.description, /without a name/);
});

test.run();
