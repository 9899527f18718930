// Resources: data that a client can read, through the official clients of both generations and with raw requests.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService } from '../../core/kernel/compose.ts';
import type { CompositionError } from '../../core/kernel/registry.ts';
import { createSimulatedClock } from '../../hosts/testing/simulated-clock.ts';
import { type AnyClient, generations } from './mcp-generations.ts';
import { type McpWireResponse, message, modernHeaders, modernMeta, type PostOptions, postTo } from './mcp-wire.ts';
import { type NotesService, startNotes } from './notes-service.ts';
import { shelfPlugins, shelfScopes } from './shelf-plugin.ts';

const test = suite('MCP endpoint: resources');
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
const urisOf = ({ json }: McpWireResponse) =>
  (json.result?.resources as { uri: string }[] | undefined)?.map(({ uri }) => uri);

const documentUri = 'postrider://openapi.json';
const oddUri = 'postrider://books/%C3%A4%20b%2Fc%3F';

async function everyUri(client: AnyClient): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listResources(cursor === undefined ? {} : { cursor });
    pages.push(page.resources.map(({ uri }) => uri));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

for (const [name, connect] of Object.entries(generations)) {
  // The client of the second generation maps both codes to the newer code.
  const notFoundCode = name === 'the 1.x client' ? -32002 : -32602;
  const withClient = (work: (client: AnyClient) => Promise<void>, scopes?: readonly string[]) => async () => {
    const client = await connect(await keyWith(scopes), shelf.url);
    try {
      await work(client);
    } finally {
      await client.close();
    }
  };

  test(
    `${name} sees that the server has resources`,
    withClient(async (client) => {
      assert.ok('resources' in (client.getServerCapabilities() ?? {}));
    }),
  );

  test(
    `${name} lists every page of every list, and single resources`,
    withClient(async (client) => {
      const pages = await everyUri(client);
      const uris = pages.flat();
      // Clients of the second generation may fetch all pages themselves.
      if (pages.length > 1)
        assert.equal(
          pages.map((page) => page.length),
          [50, 50, 24],
        );
      assert.is(uris.length, 124);
      assert.is(new Set(uris).size, 124);
      assert.equal(uris.slice(0, 3), [documentUri, 'postrider://opening', oddUri]);
      assert.equal(uris.slice(-3), [
        'postrider://books/book-118',
        'postrider://rooms/attic',
        'postrider://rooms/cellar',
      ]);
    }),
  );

  test(
    `${name} reads the result of the operation with the requested URI`,
    withClient(async (client) => {
      for (const [uri, expected] of [
        [oddUri, { key: 'ä b/c?', title: 'On odd keys', author: 'Ada' }],
        ['postrider://opening', { from: '09:00', to: '17:00' }],
      ] as const) {
        const { contents } = await client.readResource({ uri });
        assert.is(contents.length, 1);
        assert.is(contents[0]?.uri, uri);
        assert.is(contents[0]?.mimeType, 'application/json');
        assert.equal(JSON.parse(contents[0]?.text ?? ''), expected);
      }
    }),
  );

  test(
    `${name} reads the OpenAPI document with a key of any scope`,
    withClient(
      async (client) => {
        const { contents } = await client.readResource({ uri: documentUri });
        assert.equal(JSON.parse(contents[0]?.text ?? ''), shelf.service.openapi());
        const { resources } = await client.listResources();
        const documentEntry = resources.find(({ uri }) => uri === documentUri);
        assert.match(JSON.stringify(documentEntry), /It is large: about 1 MB .* the tools are enough; \?toolsets=/);
      },
      ['rooms:read'],
    ),
  );

  test(
    `${name} sees the templates that its scopes allow`,
    withClient(
      async (client) => {
        const { resourceTemplates } = await client.listResourceTemplates();
        assert.equal(
          resourceTemplates.map(({ uriTemplate }) => uriTemplate),
          ['postrider://rooms/{id}'],
        );
        assert.equal((await everyUri(client)).flat(), [
          documentUri,
          'postrider://opening',
          'postrider://rooms/attic',
          'postrider://rooms/cellar',
        ]);
      },
      ['rooms:read'],
    ),
  );

  test(
    `${name} gets its own revision's code for a missing resource`,
    withClient(async (client) => {
      for (const uri of ['postrider://books/none', 'postrider://rooms/hall', 'postrider://other', 'https://x', 'x']) {
        await client.readResource({ uri }).then(
          () => assert.unreachable(`read ${uri}`),
          (error: Error & { code?: number; data?: { uri?: string } }) => {
            assert.is(error.code, notFoundCode, uri);
            assert.is(error.data?.uri, uri);
          },
        );
      }
    }),
  );

  test(
    `${name} completes a variable of a URI template`,
    withClient(async (client) => {
      const ref = { type: 'ref/resource', uri: 'postrider://books/{key}' } as const;
      const { completion } = await client.complete({ ref, argument: { name: 'key', value: 'BOOK-7' } });
      assert.equal(completion.values, ['book-7', ...Array.from({ length: 10 }, (_, at) => `book-7${at}`)]);
      assert.is(completion.hasMore, false);
      const secondCompletion = await client.complete({ ref, argument: { name: 'key', value: 'book-11' } });
      assert.equal(secondCompletion.completion.values, [
        'book-11',
        ...Array.from({ length: 9 }, (_, at) => `book-11${at}`),
      ]);
      const all = await client.complete({ ref, argument: { name: 'key', value: '' } });
      assert.equal([all.completion.values.length, all.completion.hasMore], [100, true]);
    }),
  );
}

test('a list entry has the title that people know', async () => {
  const { json } = await post(message('resources/list'));
  const entries = json.result?.resources as Record<string, unknown>[] | undefined;
  assert.equal(entries?.[2], {
    uri: oddUri,
    name: 'ä b/c?',
    title: 'On odd keys',
    description: 'A book on the shelf.',
    mimeType: 'application/json',
  });
  const { json: ofRooms } = await post(message('resources/list'), { key: await keyWith(['rooms:read']) });
  assert.equal(
    (ofRooms.result?.resources as { title: string }[] | undefined)?.map(({ title }) => title),
    ['Acme API', 'Opening hours', 'Room attic', 'The cellar'],
  );
});

test('a cursor that does not belong to this list is an invalid parameter', async () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const invalidUris = [
    'x',
    '!',
    encode(5),
    encode([1]),
    encode(['postrider://none']),
    encode(['postrider://books/{key}', 'x']),
  ];
  for (const cursor of [...invalidUris, encode(['postrider://books/{key}', 5]), 'x'.repeat(100_000)]) {
    const { status, json } = await post(message('resources/list', { cursor }));
    assert.equal([status, json.error?.code], [200, -32602], cursor.slice(0, 50));
    assert.match(json.error?.message ?? '', /first page/);
  }
  // A page that the key could read before it lost the scope
  const foreign = { key: await keyWith(['rooms:read']) };
  const cursor = encode(['postrider://books/{key}']);
  assert.is((await post(message('resources/list', { cursor }), foreign)).json.error?.code, -32602);
});

test('a key without the scope gets an error that names the scope, with the HTTP status 200, not 403', async () => {
  const { status, json } = await post(message('resources/read', { uri: 'postrider://books/book-1' }), {
    key: await keyWith(['rooms:read']),
  });
  assert.equal([status, json.error?.code], [200, -32000]);
  assert.is((json.error?.data as { error: { code: string } } | undefined)?.error.code, 'insufficient_scope');
  assert.match(json.error?.message ?? '', /books:read/);
});

test('an internal failure becomes an internal error without its cause', async () => {
  const answer = await post(message('resources/read', { uri: 'postrider://books/burnt' }));
  assert.equal([answer.status, answer.json.error?.code], [200, -32603]);
  assert.not.ok(answer.text.includes('secret cause'));
  assert.ok(shelf.logged.some((line) => line.includes('a secret cause')));
});

test('manipulated URIs match no resource', async () => {
  const manipulatedUris = [
    'postrider://books/../rooms/attic',
    'postrider://books/%2e%2e',
    'postrider://books/%ZZ',
    'postrider://books/',
    'postrider://books/a/b',
    'postrider://books/book-1?x=1',
    'postrider://books/{key}',
    'POSTRIDER://books/book-1',
    `postrider://books/${'x'.repeat(50_000)}`,
    'postrider://books/%00',
    'postrider://books/%F0%9F',
  ];
  for (const uri of manipulatedUris) {
    const { status, json, text } = await post(message('resources/read', { uri }));
    assert.equal([status, json.error?.code], [200, -32002], uri.slice(0, 60));
    assert.ok(text.length < 5_000, 'the answer does not repeat a long URI');
  }
});

test('toolsets in the URL also filter resources, but readonly keeps all of them', async () => {
  const query = '?toolsets=rooms&readonly=1';
  const uris = urisOf(await post(message('resources/list'), { query }));
  assert.equal(uris, [documentUri, 'postrider://opening', 'postrider://rooms/attic', 'postrider://rooms/cellar']);
  const result = await post(message('resources/read', { uri: 'postrider://books/book-1' }), { query });
  assert.is(result.json.error?.code, -32002);
});

test('a list counts once for the rate limit, even if it reads many pages', async () => {
  const key = await keyWith();
  const remainingRequests = async () =>
    Number((await post(message('ping'), { key })).headers.get('x-ratelimit-remaining'));
  const before = await remainingRequests();
  await post(message('resources/list'), { key });
  assert.is(before - (await remainingRequests()), 2);
});

test('2026-07-28: lists and contents have a cache lifetime, but completions do not', async () => {
  const ask = async (method: string, params: object, name?: string) =>
    (await post(message(method, { ...params, _meta: modernMeta }), { headers: modernHeaders(method, name) })).json
      .result;
  for (const result of [
    await ask('resources/list', {}),
    await ask('resources/templates/list', {}),
    await ask('resources/read', { uri: 'postrider://opening' }, 'postrider://opening'),
  ]) {
    assert.equal([result?.resultType, result?.ttlMs, result?.cacheScope], ['complete', 0, 'private']);
  }
  const ref = { type: 'ref/resource', uri: 'postrider://rooms/{id}' };
  const completion = await ask('completion/complete', { ref, argument: { name: 'id', value: '' } });
  assert.equal(completion?.completion, { values: ['attic', 'cellar'], hasMore: false });
  assert.equal([completion?.resultType, completion?.ttlMs], ['complete', undefined]);
});

test('2026-07-28: Mcp-Name is the URI, plain or encoded', async () => {
  const uri = 'postrider://opening';
  const request = message('resources/read', { uri, _meta: modernMeta });
  const encodedUri = `=?base64?${Buffer.from(uri).toString('base64')}?=`;
  for (const name of [uri, encodedUri])
    assert.is((await post(request, { headers: modernHeaders('resources/read', name) })).status, 200, name);
  for (const name of [undefined, 'postrider://rooms/attic', 'opening']) {
    const answer = await post(request, { headers: modernHeaders('resources/read', name) });
    assert.equal([answer.status, answer.json.error?.code], [400, -32020], name);
  }
});

test('an invalid resource or prompt is refused when the service is composed', () => {
  const [books] = shelfPlugins();
  const [resource] = books?.resources ?? [];
  const [prompt] = books?.prompts ?? [];
  assert.ok(books && resource && prompt);
  const faultsOf = (change: object): readonly string[] => {
    try {
      createService({ storage: sqliteStorage({ filename: ':memory:' }), plugins: [{ ...books, ...change }] });
    } catch (error) {
      return (error as CompositionError).faults;
    }
    return [];
  };
  assert.equal(faultsOf({}), []);
  assert.equal(faultsOf({ resources: [{ ...resource, uri: 'postrider://books/{id}' }], prompts: [] }), [
    'The resource postrider://books/{id} of books has {id}, which books.read does not take.',
    'The resource postrider://books/{id} of books lacks {key}, which books.read needs.',
  ]);
  assert.match(
    faultsOf({ resources: [{ ...resource, operation: 'books.lend' }] })[0] ?? '',
    /not a composed read operation/,
  );
  const [like] = prompt.arguments.slice(1);
  const unknown = { ...like, resource: 'postrider://pens/{id}' };
  assert.equal(faultsOf({ prompts: [{ ...prompt, arguments: [unknown] }] }), [
    'The prompt recommend_book of books names the unknown resource postrider://pens/{id}.',
  ]);
  assert.match(faultsOf({ prompts: [{ ...prompt, tools: ['none'] }] })[0] ?? '', /unknown tool none/);
});

test('a completion for an unknown resource or argument is an invalid parameter', async () => {
  const complete = async (ref: object, name: string) =>
    (await post(message('completion/complete', { ref, argument: { name, value: '' } }))).json.error?.code;
  assert.is(await complete({ type: 'ref/resource', uri: 'postrider://none/{id}' }, 'id'), -32602);
  assert.is(await complete({ type: 'ref/resource', uri: 'postrider://rooms/{id}' }, 'key'), -32602);
});

test.run();
