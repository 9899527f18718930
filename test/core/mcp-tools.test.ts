// The tools that the endpoint lists and the results of their calls, with raw requests.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSimulatedClock } from '../../hosts/testing/simulated-clock.ts';
import {
  callOf,
  type McpWireResponse,
  message,
  type PostOptions,
  postTo,
  structuredContent,
  toolsOf,
} from './mcp-wire.ts';
import { type NotesService, startNotes } from './notes-service.ts';

const test = suite('MCP endpoint: tools');
let notes: NotesService;
let workspaceId: string;

test.before(async () => {
  notes = await startNotes({ clock: createSimulatedClock() });
  workspaceId = await notes.workspace('Ada and sons');
});
test.after(() => notes.stop());

const post = (body: unknown, posting: PostOptions = {}): Promise<McpWireResponse> =>
  postTo(notes, workspaceId, body, posting);
const namesOf = (answer: McpWireResponse) =>
  toolsOf(answer)
    .map(({ name }) => name)
    .sort();

test('options in the URL change the list: toolsets, readonly, and compact schemas', async () => {
  assert.equal(namesOf(await post(message('tools/list'), { query: '?readonly=1' })), ['list_notes', 'read_note']);
  assert.is(toolsOf(await post(message('tools/list'), { query: '?toolsets=notes' })).length, 5);
  assert.is(toolsOf(await post(message('tools/list'), { query: '?toolsets=%20notes,,notes' })).length, 5);
  assert.equal(namesOf(await post(message('tools/list'), { query: '?toolsets=notes&readonly=true' })), [
    'list_notes',
    'read_note',
  ]);
  for (const query of ['?readonly=0', '?toolsets=', '?templates=full', '?'])
    assert.is(toolsOf(await post(message('tools/list'), { query })).length, 5, query);
  const toolsWithOutput = async (query: string) =>
    toolsOf(await post(message('tools/list'), { query })).filter((tool) => 'outputSchema' in tool).length;
  assert.equal(
    [await toolsWithOutput(''), await toolsWithOutput('?schemas=input'), await toolsWithOutput('?schemas=full')],
    [0, 0, 5],
  );
  const refusal = await post(callOf('create_note', { title: 'No' }), { query: '?readonly=1' });
  assert.is(refusal.json.error?.code, -32602);
});

test('every method refuses an unknown option and names the valid options', async () => {
  const faults: [string, RegExp][] = [
    ['?toolsets=notes&toolsets=notes', /names "toolsets" more than once/],
    ['?toolsets=notse', /no toolset "notse".*Available toolsets: core, notes\./],
    ['?toolsets=notes,archive', /no toolset "archive"/],
    ['?toolset=notes', /takes toolsets, readonly, schemas and templates, not "toolset"/],
    ['?readonly=yes', /readonly.*1 or 0, not "yes"/],
    ['?templates=short', /templates.*compact or full, not "short"/],
    ['?schemas=short', /schemas.*input or full, not "short"/],
  ];
  for (const [query, words] of faults) {
    for (const body of [message('tools/list'), message('ping'), callOf('read_note', { key: 'n1' })]) {
      const { status, json } = await post(body, { query });
      assert.equal([status, json.id, json.error?.code], [200, 1, -32602], query);
      assert.match(json.error?.message ?? '', words);
    }
  }
});

test("a workspace's own tool schema does not depend on earlier requests of other workspaces", async () => {
  const otherWorkspace = await notes.workspace('Bob');
  const enumOf = (answer: McpWireResponse) =>
    toolsOf(answer).find(({ name }) => name === 'share_note')?.inputSchema.properties.note?.enum;
  assert.equal(enumOf(await post(message('tools/list'))), ['of Ada and sons']);
  assert.equal(enumOf(await post(message('tools/list'), { key: await notes.key(otherWorkspace) })), ['of Bob']);
  assert.equal(enumOf(await post(message('tools/list'))), ['of Ada and sons']);
  assert.is(enumOf(await post(message('tools/list'), { query: '?templates=compact' })), undefined);
});

test("the endpoint's own arguments are listed with the tools that accept them", async () => {
  const tools = toolsOf(await post(message('tools/list')));
  const extras = Object.fromEntries(
    tools.map(({ name, inputSchema }) => [
      name,
      ['idempotency_key', 'dry_run'].filter((argument) => argument in inputSchema.properties),
    ]),
  );
  assert.equal(extras, {
    list_notes: [],
    read_note: [],
    create_note: ['idempotency_key', 'dry_run'],
    share_note: ['idempotency_key', 'dry_run'],
    archive_note: ['dry_run'],
  });
  const refusal = structuredContent(await post(callOf('read_note', { key: 'n1', dry_run: true })));
  assert.equal(
    refusal.error?.details?.map(({ path }) => path),
    ['dry_run'],
  );
});

test('the idempotency key is the argument, else the key in _meta, else the header', async () => {
  const keyUsedBy = async (args: object, meta: unknown, headers: Record<string, string>) => {
    const before = (await notes.audit(workspaceId)).length;
    await post(callOf('create_note', { title: 'Key', ...args }, meta), { headers });
    return (await notes.audit(workspaceId)).slice(before)[0]?.idempotency_key;
  };
  const header = { 'Idempotency-Key': 'header-1' };
  assert.is(await keyUsedBy({ idempotency_key: 'argument-1' }, { 'idempotency-key': 'meta-1' }, header), 'argument-1');
  assert.is(await keyUsedBy({}, { 'idempotency-key': 'meta-1' }, header), 'meta-1');
  assert.is(await keyUsedBy({}, undefined, header), 'header-1');
  assert.is(await keyUsedBy({}, undefined, {}), null);
});

test('an idempotency key or a dry run of the wrong type is refused, and the error says if the plan requires a key', async () => {
  const wrong = structuredContent(
    await post(callOf('create_note', { title: 'a', idempotency_key: 5, dry_run: 'yes' })),
  );
  assert.equal(
    wrong.error?.details?.map(({ path }) => path),
    ['idempotency_key', 'dry_run'],
  );
  const scale = await notes.key(await notes.workspace('Large', 'scale'));
  const missing = structuredContent(await post(callOf('create_note', { title: 'a' }), { key: scale }));
  assert.is(missing.error?.code, 'idempotency_key_invalid');
});

test('REST and the tool share idempotency keys', async () => {
  const key = await notes.key(workspaceId);
  const restAnswer = await fetch(notes.url.replace('/mcp', '/notes/n1/share'), {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'both-1' },
    body: JSON.stringify({ to: 'ada@example.com' }),
  });
  assert.is(restAnswer.status, 202);
  const tool = await post(callOf('share_note', { note: 'n1', to: 'ada@example.com', idempotency_key: 'both-1' }), {
    key,
  });
  assert.equal(structuredContent(tool), await restAnswer.json());
  assert.equal(tool.json.result?._meta, { 'idempotent-replay': true });
});

test('a dry run reports its cost and stores nothing', async () => {
  const before = (await notes.audit(workspaceId)).length;
  const call = { note: 'n1', to: 'ada@example.com' };
  const byArgument = await post(callOf('share_note', { ...call, dry_run: true }));
  assert.equal(byArgument.json.result?._meta, { 'dry-run': { credits: 2, events: [], jobs: [] } });
  assert.is(structuredContent(byArgument).shared, 'n1');
  assert.equal(byArgument.json.result?.content, [
    {
      type: 'text',
      text: 'Dry run: nothing was stored, changed, deleted or sent. The real call would succeed and cost 2 credits. Its response would look like the following JSON, but the ids and secrets of new resources there are placeholders.',
    },
    { type: 'text', text: JSON.stringify(structuredContent(byArgument)) },
  ]);
  const byHeader = await post(callOf('share_note', call), { headers: { 'Dry-Run': 'true' } });
  assert.ok((byHeader.json.result?._meta as object | undefined) !== undefined);
  assert.is((await notes.audit(workspaceId)).length, before);
});

test('an error in the schema uses the argument names of the tool', async () => {
  const refusal = structuredContent(await post(callOf('share_note', { to: 'nobody', colour: 'red' })));
  assert.equal(refusal.error?.details?.map(({ path }) => path).sort(), ['colour', 'note', 'to']);
  assert.match(JSON.stringify(refusal.error), /"note is required\."/);
});

test('a missing scope causes the same envelope as over REST', async () => {
  const key = await notes.key(workspaceId, ['notes:read']);
  const tool = structuredContent(await post(callOf('create_note', { title: 'No' }), { key }));
  const restAnswer = await fetch(notes.url.replace('/mcp', '/notes'), {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: 'No' }),
  });
  const { error } = (await restAnswer.json()) as { error: Record<string, unknown> };
  assert.is(restAnswer.status, 403);
  assert.equal({ ...tool.error, request_id: '' }, { ...error, request_id: '' });
});

test('an internal failure becomes internal_error without its cause, which is logged with the request id', async () => {
  const answer = await post(callOf('share_note', { note: 'broken', to: 'ada@example.com' }));
  assert.is(structuredContent(answer).error?.code, 'internal_error');
  assert.not.ok(answer.text.includes('secret cause'));
  const id = answer.headers.get('x-request-id') ?? '-';
  assert.ok(notes.logged.some((line) => line.includes('a secret cause') && line.includes(id)));
});

test('simultaneous calls with equal ids each get their own response', async () => {
  const keys = [await notes.key(workspaceId), await notes.key(workspaceId)];
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => post(callOf('read_note', { key: `n${at}` }), { key: keys[at % 2] ?? '' })),
  );
  assert.equal(
    answers.map((answer) => structuredContent(answer).key),
    answers.map((_, at) => `n${at}`),
  );
});

test('a suspended workspace can still read', async () => {
  const suspendedId = await notes.workspace('Asleep');
  const key = await notes.key(suspendedId);
  await notes.service.workspaces.suspend(suspendedId);
  assert.is(structuredContent(await post(callOf('read_note', { key: 'n1' }), { key })).key, 'n1');
  assert.is(
    structuredContent(await post(callOf('create_note', { title: 'a' }), { key })).error?.code,
    'workspace_suspended',
  );
});

test.run();
