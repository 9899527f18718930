// Texts for models: a dry run says that it is one, ids are placeholders, and errors name tools. REST keeps its own texts.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTestService, type TestService } from '../../hosts/testing/test-service.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { connectedStandardPlugins } from '../support/plugins.ts';

const test = suite('MCP endpoint: words for models');
let testService: TestService<(typeof standardPlugins)[number]['id']>;

test.before(async () => {
  testService = await createTestService({ plugins: standardPlugins });
  const { templates } = testService.service.as(testService.workspaceId);
  await templates.create({ key: 'draft', mode: 'html', subject: 'Draft', body: '<p>Hello</p>' });
  await templates.create({ key: 'plain', mode: 'html', subject: 'Hello', body: '<p>Hello</p>' });
  await templates.publish({ key: 'plain' });
});
test.after(() => testService.close());

interface ToolAnswer {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent: Readonly<Record<string, unknown>> & {
    readonly error?: { readonly code: string; readonly message: string; readonly details?: readonly object[] };
  };
}

async function call(
  name: string,
  args: object,
  at: Pick<typeof testService, 'request'> = testService,
): Promise<ToolAnswer> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  return (await at.request('/v1/mcp', { body })).body.result;
}

const errorOf = async (name: string, args: object, at?: Pick<typeof testService, 'request'>) =>
  (await call(name, args, at)).structuredContent.error;

test('the answer to a dry run begins with a sentence that says it is a dry run, and its ids match no row', async () => {
  const send = { template: 'plain', to: 'ada@example.com', variables: {}, idempotency_key: 'plain-1' };
  const { content, structuredContent } = await call('send_transactional', { ...send, dry_run: true });
  assert.match(content[0]?.text ?? '', /^Dry run: nothing was stored, changed, deleted or sent\./);
  assert.match(content[0]?.text ?? '', /would succeed and cost nothing and cause the event send\.queued\./);
  assert.equal(JSON.parse(content[1]?.text ?? ''), structuredContent);
  assert.match(String(structuredContent.id), /^snd_DRY[0-9A-HJKMNP-TV-Z]{23}$/);
  assert.is((await errorOf('read_send', { id: structuredContent.id }))?.code, 'send_not_found');

  const real = await call('send_transactional', send);
  assert.is(real.content.length, 1);
  assert.not.match(JSON.stringify(real), /Dry run|DRY/);
});

test('a send to a suppressed address says that nothing reaches it, with or without a dry run', async () => {
  const email = 'stopped@example.com';
  await call('create_suppression', { email, idempotency_key: 'stopped-1' });
  const send = { template: 'plain', to: email, variables: {}, idempotency_key: 'stopped-2' };
  const expected = /Nothing reaches stopped@example\.com\. .*suppress/i;
  const dry = (await call('send_transactional', { ...send, dry_run: true })).content[0]?.text ?? '';
  assert.match(dry, /^Dry run: .*cause the event transactional\.suppressed\. Nothing reaches/);
  assert.match(dry, expected);
  assert.match((await call('send_transactional', send)).content[0]?.text ?? '', expected);
});

test('a dry run of a batch counts the refused recipients', async () => {
  const batch = async (...to: string[]) => {
    const recipients = to.map((address) => ({ to: address, variables: { unknown: 1 } }));
    const args = { template: 'plain', recipients, dry_run: true };
    return (await call('send_transactional_batch', args)).content[0]?.text ?? '';
  };
  assert.match(await batch('ada@example.com', 'bob@example.com'), /would accept 0 and refuse 2 of its items/);
});

test('a dry run of a change returns the real id of an existing row, and a dry run of a deletion deletes nothing', async () => {
  const result = await call('upsert_contact', { external_id: 'ada', email: 'ada@example.org' });
  const { id } = result.structuredContent;
  const dryRun = await call('upsert_contact', { external_id: 'ada', attributes: { plan: 'pro' }, dry_run: true });
  assert.is(dryRun.structuredContent.id, id);
  const { content } = await call('delete_contact', { contactId: id, dry_run: true });
  assert.match(content[0]?.text ?? '', /^Dry run: nothing was/);
  assert.is((await call('read_contact', { contactId: id })).structuredContent.id, id);
});

test('an error names the tool to call and its arguments; over REST it names the route', async () => {
  const missing = await errorOf('read_template', { key: 'nowhere' });
  assert.is(missing?.message, 'There is no template nowhere. list_templates lists the existing ones.');
  const publishError = await errorOf('send_transactional', {
    template: 'draft',
    to: 'a@example.com',
    variables: {},
    idempotency_key: 'draft-1',
  });
  assert.is(
    publishError?.message,
    'The template draft is not published. Publish it first: publish_template (key: draft).',
  );
  const templateFields = { key: 'framed', layout: 'frame', mode: 'html', subject: 'x', body: '<p>x</p>' };
  assert.is(
    (await errorOf('create_template', templateFields))?.message,
    'There is no layout frame. list_templates (kind: layout) lists the existing ones.',
  );

  assert.is(
    (await errorOf('read_sequence', { keyOrId: 'nowhere' }))?.message,
    'There is no sequence nowhere. list_sequences lists the published ones, list_sequences (status: draft) the drafts.',
  );
  const decision = { requestId: 'apr_1', decision: 'reject' };
  assert.not.match((await errorOf('decide_approval', decision))?.message ?? '', /service\.as|\/v1\//);

  const proposalError = await errorOf('propose_template_change', { key: 'nowhere', subject: 'x' });
  assert.is(
    proposalError?.message,
    'There is no template nowhere. A proposal changes a template that exists; create_template makes a new one. list_templates lists the existing ones.',
  );
  await call('create_template', { key: 'over' });
  await call('archive_template', { key: 'over' });
  assert.is(
    (await errorOf('update_template', { key: 'over', name: 'Other' }))?.message,
    'The template over is archived for good: it is neither changed nor sent. Use another template, or create one under another key: create_template.',
  );

  const restAnswer = await testService.request('/v1/templates/nowhere');
  assert.is(restAnswer.body.error.message, 'There is no template nowhere. GET /v1/templates lists the existing ones.');
});

test('an in-process error names the typed call, and a misspelt key gets a suggestion', async () => {
  const calls = testService.service.as(testService.workspaceId);
  const messageOf = (call: Promise<unknown>): Promise<string> => call.then(String, (error: Error) => error.message);
  assert.is(
    await messageOf(calls.templates.read({ key: 'nowhere' })),
    'There is no template nowhere. templates.list() lists the existing ones.',
  );
  assert.is(
    await messageOf(calls.email.send({ template: 'plian', to: 'a@example.com', variables: {} })),
    'There is no template plian. Did you mean plain? templates.list() lists the existing ones.',
  );
  assert.is(
    await messageOf(calls.email.send({ template: 'draft', to: 'a@example.com', variables: {} })),
    "The template draft is not published. Publish it first: templates.publish({ key: 'draft' }).",
  );
});

test('an argument with the name that another tool uses for it gets a suggestion', async () => {
  const unknown = await errorOf('test_webhook', { id: 'whk_1' });
  const messages = unknown?.details?.map((detail) => (detail as { message: string }).message) ?? [];
  assert.ok(messages.includes('There is no field id here. Did you mean webhook_id?'), messages.join(' '));
});

test('a field in the wrong place gets an error that names the right place', async () => {
  const messages = async (name: string, args: object) =>
    ((await errorOf(name, args))?.details ?? []).map((detail) => (detail as { message: string }).message).join(' ');
  assert.match(
    await messages('upsert_contact', { email: 'a@example.com', first_name: 'Ada' }),
    /attributes\.first_name/,
  );
  const link = { destinationUrl: 'https://example.com', utm_source: 'mail' };
  assert.match(await messages('create_short_link', link), /Did you mean utm\.source\?/);
  await call('create_template', { key: 'html_body', subject: 'x', body: '<p>Hello</p>' });
  assert.match((await errorOf('publish_template', { key: 'html_body' }))?.message ?? '', /set mode: html/);
});

test('the instructions name toolsets and the order of work that the key allows', async () => {
  const ask = async (query = '', key?: string) => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'words', version: '1' } };
    const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const request = key === undefined ? { body } : { body, key };
    return String((await testService.request(`/v1/mcp${query}`, request)).body.result.instructions);
  };
  const all = await ask();
  assert.match(all, /\?toolsets=[a-z,-]*templates/);
  assert.match(all, /- A sequence of mails: publish_template, create_sequence, .*enroll_in_sequence\./);
  assert.not.match(await ask('?readonly=1'), /create_sequence/);
  assert.not.match(all, /propose_template_change/);
  const { workspaceId } = testService;
  const { secret } = await testService.service.keys.create({
    workspaceId,
    name: 'Author',
    mode: 'mcp',
    preset: 'author',
  });
  assert.match(
    await ask('', secret),
    /by a key that may not publish: read_template, propose_template_change\. Its requestId/,
  );
});

test('if a post cannot be published, the error names the tool that helps', async () => {
  const networks = await createTestService({ plugins: connectedStandardPlugins });
  const input = { channels: ['bluesky'], caption: 'Hello', publish: true };
  const { message } = (await errorOf('create_social_post', input, networks)) ?? {};
  await networks.close();
  assert.match(message ?? '', 'refresh the networks: refresh_social_networks finds its accounts.');
});

test('the result of a first publish says that the key can be sent, even if the list of tools does not contain it', async () => {
  await call('create_template', { key: 'fresh', mode: 'html', subject: 'x', body: '<p>x</p>' });
  const dry = (await call('publish_template', { key: 'fresh', dry_run: true })).content[0]?.text ?? '';
  assert.match(
    dry,
    /^Dry run: .*Nothing was published: the tools that send templates accept fresh only after a call without dry run\./,
  );
  assert.not.match(dry, /Published/);
  const first = await call('publish_template', { key: 'fresh', idempotency_key: 'fresh-1' });
  assert.match(first.content[0]?.text ?? '', /accept fresh from now on/);
  const second = await call('publish_template', { key: 'fresh', idempotency_key: 'fresh-2' });
  assert.is(second.content.length, 1);
});

test('an error names the argument that corresponds to the REST header', async () => {
  const input = { email: 'once@example.com', idempotency_key: 'words-1' };
  await call('create_suppression', input);
  const mismatch = await errorOf('create_suppression', { ...input, email: 'twice@example.com' });
  assert.is(mismatch?.code, 'idempotency_key_mismatch');
  assert.match(mismatch?.message ?? '', /^This idempotency_key was used with a different request/);
});

test('the description of every tool says more than its title', async () => {
  const list = await testService.request('/v1/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
  const tools = list.body.result.tools as { name: string; title: string; description?: string }[];
  const bare = tools.filter(({ title, description = '' }) => description.replace(title, '').length < 20);
  assert.equal(
    bare.map(({ name }) => name),
    [],
  );
});

test('no description of a tool or its arguments names a route', async () => {
  const list = await testService.request('/v1/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
  const toolsWithRoutes = (list.body.result.tools as { name: string }[]).filter((tool) =>
    /\b(GET|POST|PUT|PATCH|DELETE) \/v1\//.test(JSON.stringify(tool)),
  );
  assert.equal(
    toolsWithRoutes.map(({ name }) => name),
    [],
  );
});

test('a misspelt tool gets a suggestion, and a tool that the URL excludes gets a hint how to include it', async () => {
  const refusal = async (name: string, query = '') => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } };
    return (await testService.request(`/v1/mcp${query}`, { body })).body.error.message;
  };
  assert.is(
    await refusal('send_transactionl'),
    'There is no tool send_transactionl. Did you mean send_transactional? See tools/list.',
  );
  assert.is(await refusal('list_links'), 'There is no tool list_links. Did you mean list_short_links? See tools/list.');
  for (const [guess, meant] of [
    ['create_contact', 'upsert_contact'],
    ['search_contacts', 'list_contacts'],
    ['get_template', 'read_template'],
    ['delete_template', 'archive_template'],
  ] as const)
    assert.is(await refusal(guess), `There is no tool ${guess}. Did you mean ${meant}? See tools/list.`);
  assert.is(await refusal('fly_to_the_moon'), 'There is no tool fly_to_the_moon. See tools/list.');
  assert.is(
    await refusal('send_transactional', '?readonly=1'),
    'The tool send_transactional is excluded by the parameters toolsets or readonly of the URL.',
  );
});

test('the error for a missing resource gives the reason in terms of tools', async () => {
  const body = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'postrider://templates/plian' } };
  const { message, data } = (await testService.request('/v1/mcp', { body })).body.error;
  assert.match(
    message,
    /^There is no resource postrider:\/\/templates\/plian\. See resources\/list\. .*Did you mean plain\?/,
  );
  assert.match(message, /list_templates/);
  assert.not.match(message + JSON.stringify(data), /GET \/v1/);
});

test('the error for a taken key names the tool that changes the existing row', async () => {
  const takenKey = { key: 'plain', mode: 'html', subject: 'Hello', body: '<p>Hello</p>' };
  const { message } = (await errorOf('create_template', takenKey)) ?? {};
  assert.is(
    message,
    'The key plain is taken. To change the existing resource: update_template (key: plain). Otherwise choose another, or leave it out, and one is generated.',
  );
});

test('a vector picture is returned as text', async () => {
  const result = await call('create_qr_design', { encodes: { kind: 'static', payload: 'https://acme.example' } });
  const drawn = await call('render_qr_design', {
    qrId: result.structuredContent['qrId'],
    format: 'svg',
  });
  const resource = drawn.content.flatMap((block) => ('resource' in block ? [block.resource] : []))[0] as
    | { readonly mimeType: string; readonly text: string }
    | undefined;
  assert.is(resource?.mimeType, 'image/svg+xml', JSON.stringify(drawn).slice(0, 500));
  assert.match(resource?.text ?? '', /^<svg|^<\?xml/);
});

test.run();
