// Prompts: texts for common tasks, through the official clients of both generations and as raw requests.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSimulatedClock } from '../../hosts/testing/simulated-clock.ts';
import { type AnyClient, generations } from './mcp-generations.ts';
import { type McpWireResponse, message, modernHeaders, modernMeta, type PostOptions, postTo } from './mcp-wire.ts';
import { type NotesService, startNotes } from './notes-service.ts';
import { shelfPlugins, shelfScopes } from './shelf-plugin.ts';

const test = suite('MCP endpoint: prompts');
let shelf: NotesService;
let workspaceId: string;

test.before(async () => {
  shelf = await startNotes({ plugins: shelfPlugins(), clock: createSimulatedClock() });
  workspaceId = await shelf.workspace('Library');
});
test.after(() => shelf.stop());

const keyWith = (scopes: readonly string[] = shelfScopes) => shelf.key(workspaceId, scopes);
const post = async (body: unknown, posting: PostOptions = {}): Promise<McpWireResponse> =>
  postTo(shelf, workspaceId, body, { key: await keyWith(), ...posting });
const namesOf = ({ json }: McpWireResponse) =>
  (json.result?.prompts as { name: string }[] | undefined)?.map(({ name }) => name);

for (const [name, connect] of Object.entries(generations)) {
  const withClient = (work: (client: AnyClient) => Promise<void>, scopes?: readonly string[]) => async () => {
    const client = await connect(await keyWith(scopes), shelf.url);
    try {
      await work(client);
    } finally {
      await client.close();
    }
  };

  test(
    `${name} lists the prompts with their arguments`,
    withClient(async (client) => {
      assert.ok('prompts' in (client.getServerCapabilities() ?? {}));
      const { prompts } = await client.listPrompts();
      assert.equal(prompts, [
        {
          name: 'recommend_book',
          title: 'Recommend a book',
          description: 'Finds a book for a mood.',
          arguments: [
            { name: 'mood', description: 'How you feel.', required: true },
            { name: 'like', description: 'A book that you liked.', required: false },
          ],
        },
        { name: 'lend_book', title: 'Lend a book', description: 'Finds a book and lends it.', arguments: [] },
      ]);
    }),
  );

  test(
    `${name} gets a prompt as a message from its user`,
    withClient(async (client) => {
      const { description, messages } = await client.getPrompt({
        name: 'recommend_book',
        arguments: { mood: 'grey', like: 'book-7' },
      });
      assert.is(description, 'Finds a book for a mood.');
      assert.equal(messages, [
        { role: 'user', content: { type: 'text', text: 'Find me a book for a grey day, like book-7.' } },
      ]);
      const plain = await client.getPrompt({ name: 'lend_book' });
      assert.is(plain.messages[0]?.content.text, 'Lend me a book.');
    }),
  );

  test(
    `${name} sees only prompts whose tools it may use`,
    withClient(
      async (client) => {
        assert.equal(
          (await client.listPrompts()).prompts.map((prompt) => prompt.name),
          ['recommend_book'],
        );
        await client.getPrompt({ name: 'lend_book' }).then(
          () => assert.unreachable('answered'),
          (error: Error & { code?: number }) => assert.is(error.code, -32602),
        );
      },
      ['books:read'],
    ),
  );

  test(
    `${name} gets completions for an argument that names a resource`,
    withClient(async (client) => {
      const suggest = async (argument: string, value: string) =>
        (
          await client.complete({
            ref: { type: 'ref/prompt', name: 'recommend_book' },
            argument: { name: argument, value },
          })
        ).completion.values;
      assert.equal(await suggest('like', 'ä'), ['ä b/c?']);
      assert.equal(await suggest('like', 'zzz'), []);
      assert.is((await suggest('like', '')).length, 100);
      assert.equal(await suggest('mood', 'g'), []);
    }),
  );
}

test('arguments are validated, and one answer reports all errors', async () => {
  const get = async (args: unknown) =>
    (await post(message('prompts/get', { name: 'recommend_book', arguments: args }))).json;
  const missing = (await get({})).error;
  assert.is(missing?.code, -32602);
  assert.match(missing?.message ?? '', /mood is missing: How you feel\./);
  const both = (await get({ like: 'x', colour: 'red' })).error?.message ?? '';
  assert.match(both, /no argument "colour".*mood is missing/);
  assert.is((await get({ mood: '' })).error?.code, -32602, 'an empty text does not count as an answer');
  assert.is((await get({ mood: 5 })).error?.code, -32602);
  assert.is((await get('mood')).error?.code, -32602);
  const text = (json: McpWireResponse['json']) =>
    (json.result?.messages as { content: { text: string } }[] | undefined)?.[0]?.content.text;
  assert.is(text(await get({ mood: 'grey', like: '' })), 'Find me a book for a grey day.');
});

test('a prompt that does not exist is an invalid parameter, and so is a prompt that the URL excludes', async () => {
  for (const name of ['none', '__proto__', 'x'.repeat(10_000)]) {
    const { json, text } = await post(message('prompts/get', { name }));
    assert.is(json.error?.code, -32602);
    assert.ok(text.length < 500);
  }
  assert.equal(namesOf(await post(message('prompts/list'), { query: '?readonly=1' })), ['recommend_book']);
  assert.equal(namesOf(await post(message('prompts/list'), { query: '?toolsets=rooms' })), []);
  const lend = await post(message('prompts/get', { name: 'lend_book' }), { query: '?readonly=1' });
  assert.is(lend.json.error?.code, -32602);
});

test('a service without prompts and resources lists only the OpenAPI document', async () => {
  const notes = await startNotes();
  try {
    const id = await notes.workspace('Plain');
    const ask = async (method: string) => (await postTo(notes, id, message(method))).json.result;
    assert.equal((await ask('prompts/list'))?.prompts, []);
    assert.equal((await ask('resources/templates/list'))?.resourceTemplates, []);
    assert.is(((await ask('resources/list'))?.resources as unknown[] | undefined)?.length, 1);
  } finally {
    await notes.stop();
  }
});

test('2026-07-28: Mcp-Name must be the name of the prompt, and the list can be cached, but the prompt cannot', async () => {
  const get = message('prompts/get', { name: 'lend_book', _meta: modernMeta });
  const right = await post(get, { headers: modernHeaders('prompts/get', 'lend_book') });
  assert.equal([right.status, right.json.result?.resultType, right.json.result?.ttlMs], [200, 'complete', undefined]);
  for (const name of [undefined, 'recommend_book']) {
    const answer = await post(get, { headers: modernHeaders('prompts/get', name) });
    assert.equal([answer.status, answer.json.error?.code], [400, -32020]);
  }
  const list = await post(message('prompts/list', { _meta: modernMeta }), { headers: modernHeaders('prompts/list') });
  assert.equal([list.json.result?.ttlMs, list.json.result?.cacheScope], [0, 'private']);
});

test.run();
