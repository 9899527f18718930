// The official clients of both protocol generations, over real HTTP.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AnyClient, generations } from './mcp-generations.ts';
import { type NotesService, startNotes } from './notes-service.ts';

const test = suite('MCP endpoint: official clients');
let notes: NotesService;
let workspaceId: string;

test.before(async () => {
  notes = await startNotes();
  workspaceId = await notes.workspace('Ada and sons');
});
test.after(() => notes.stop());

for (const [name, connect] of Object.entries(generations)) {
  const withClient = (work: (client: AnyClient) => Promise<void>, key?: () => Promise<string>) => async () => {
    // Each test has its own key, so that no test waits for the rate limit of another.
    const client = await connect(await (key?.() ?? notes.key(workspaceId)), notes.url);
    try {
      await work(client);
    } finally {
      await client.close();
    }
  };

  test(
    `${name} lists the tools that the key may use`,
    withClient(async (client) => {
      const { tools } = await client.listTools();
      assert.equal(tools.map((tool) => tool.name).sort(), [
        'archive_note',
        'create_note',
        'list_notes',
        'read_note',
        'share_note',
      ]);
      assert.is(client.getServerVersion()?.name ?? 'Acme', 'Acme');
    }),
  );

  test(
    `${name} calls a tool and gets the REST body, both structured and as text`,
    withClient(async (client) => {
      await client.listTools();
      const result = await client.callTool({ name: 'read_note', arguments: { key: 'n7' } });
      const expected = { key: 'n7', title: 'A note', stars: 1, tags: [] };
      assert.equal(result.structuredContent, expected);
      assert.is(result.content.length, 1);
      assert.equal(JSON.parse(result.content[0]?.text ?? ''), expected);
      assert.not.ok(result.isError);
    }),
  );

  test(
    `${name} gets an error as the envelope, even if the tool has an output schema`,
    withClient(async (client) => {
      await client.listTools();
      const result = await client.callTool({ name: 'read_note', arguments: { key: 'missing' } });
      assert.is(result.isError, true);
      const { error } = result.structuredContent as { error: Record<string, string> };
      assert.is(error.code, 'note_not_found');
      assert.match(String(error.request_id), /^req_/);
      assert.equal(JSON.parse(result.content[0]?.text ?? ''), { error });
    }),
  );

  test(
    `${name} passes lists, booleans and numbers to query parameters`,
    withClient(async (client) => {
      const result = await client.callTool({
        name: 'list_notes',
        arguments: { limit: 3, archived: true, tags: ['a', 'b'] },
      });
      const [first] = (result.structuredContent as { data: { title: string; stars: number }[] }).data;
      assert.is(first?.stars, 3);
      assert.equal(JSON.parse(first?.title ?? ''), { limit: 3, archived: true, tags: ['a', 'b'] });
    }),
  );

  test(
    `the audit names ${name} and the person who installed the key`,
    withClient(async (client) => {
      const before = (await notes.audit(workspaceId)).length;
      await client.callTool({ name: 'archive_note', arguments: { key: 'n1' } });
      const [entry, ...more] = (await notes.audit(workspaceId)).slice(before);
      assert.is(more.length, 0);
      assert.is(entry?.action, 'note.archive');
      assert.is(entry?.actor.kind, 'mcp');
      assert.is(entry?.actor.client, 'test-client/9.1');
      assert.is(entry?.actor.user, 'ada');
    }),
  );

  test(
    `${name} repeats a call with the same idempotency key, and the call has one effect`,
    withClient(async (client) => {
      const call = { name: 'create_note', arguments: { title: 'Once', idempotency_key: `once ${name}` } };
      const first = await client.callTool(call);
      const repeat = await client.callTool(call);
      assert.equal(repeat.structuredContent, first.structuredContent);
      assert.is(first._meta?.['idempotent-replay'], undefined);
      assert.is(repeat._meta?.['idempotent-replay'], true);
      const mismatch = await client.callTool({ ...call, arguments: { ...call.arguments, title: 'Twice' } });
      assert.is((mismatch.structuredContent as { error: { code: string } }).error.code, 'idempotency_key_mismatch');
    }),
  );

  test(
    `${name} sees no tools or results beyond its scopes`,
    withClient(
      async (client) => {
        const { tools } = await client.listTools();
        assert.equal(tools.map((tool) => tool.name).sort(), ['list_notes', 'read_note']);
        const result = await client.callTool({ name: 'create_note', arguments: { title: 'No' } });
        assert.is(result.isError, true);
        assert.is((result.structuredContent as { error: { code: string } }).error.code, 'insufficient_scope');
      },
      () => notes.key(workspaceId, ['notes:read']),
    ),
  );

  test(`${name} is refused without a valid key`, async () => {
    await connect('acme_mcp_nonsense', notes.url).then(
      () => assert.unreachable('connected'),
      (error: Error) => assert.match(`${error.name} ${error.message}`, /401|Unauthorized|invalid_api_key/i),
    );
  });

  test(
    `${name} gets a protocol error for an unknown tool`,
    withClient(async (client) => {
      await client.callTool({ name: 'no_such_tool' }).then(
        () => assert.unreachable('answered'),
        (error: Error & { code?: number }) => assert.is(error.code, -32602),
      );
    }),
  );
}

test('every schema is valid JSON Schema 2020-12 with an object as its root', async () => {
  const client = await (generations['the 1.x client'] as (typeof generations)[string])(
    await notes.key(workspaceId),
    `${notes.url}?schemas=full`,
  );
  const { tools } = await client.listTools();
  await client.close();
  assert.ok(tools.every(({ outputSchema }) => outputSchema !== undefined));
  const ajv = new Ajv2020({ strict: false });
  for (const tool of tools) {
    for (const schema of [tool.inputSchema, tool.outputSchema ?? { type: 'object' }]) {
      const { format: _, ...rest } = schema;
      assert.is(schema.type, 'object', tool.name);
      for (const word of ['oneOf', 'anyOf', 'allOf', '$ref']) assert.not.ok(word in schema, tool.name);
      assert.ok(ajv.validateSchema(rest), JSON.stringify(ajv.errors));
    }
    assert.ok(tool.title, tool.name);
    assert.ok(tool.description, tool.name);
  }
});

test('tool hints match the declaration, and the list omits hints that equal their default', async () => {
  const hintsOf = async (query: string) => {
    const client = await (generations['the 1.x client'] as (typeof generations)[string])(
      await notes.key(workspaceId),
      `${notes.url}${query}`,
    );
    const { tools } = await client.listTools();
    await client.close();
    return Object.fromEntries(
      tools.map(({ name, annotations = {} }) => [
        name,
        ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']
          .map((hint) => (annotations[hint] === undefined ? '-' : Number(annotations[hint])))
          .join(''),
      ]),
    );
  };
  assert.equal(await hintsOf('?schemas=full'), {
    list_notes: '1010',
    read_note: '1010',
    create_note: '0000',
    share_note: '0001',
    archive_note: '0110',
  });
  assert.equal(await hintsOf(''), {
    list_notes: '1--0',
    read_note: '1--0',
    create_note: '-0-0',
    share_note: '-0--',
    archive_note: '--10',
  });
});

test.run();
