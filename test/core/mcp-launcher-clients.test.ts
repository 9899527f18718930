// The official clients of both generations start `postrider mcp`: a real process on stdio, connected to the real endpoint.
// full-run: slow
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSimulatedClock } from '../../hosts/testing/simulated-clock.ts';
import { type AnyClient, clientInfo, connectClient, legacyClient, modernClient } from './mcp-generations.ts';
import { launcher } from './mcp-launcher-process.ts';
import { notesPlugin } from './notes-plugin.ts';
import { type NotesService, startNotes } from './notes-service.ts';
import { shelfPlugins, shelfScopes } from './shelf-plugin.ts';

const test = suite('launcher: official clients');
let notes: NotesService;
let workspaceId: string;

test.before(async () => {
  notes = await startNotes({ plugins: [notesPlugin(), ...shelfPlugins()], clock: createSimulatedClock() });
  workspaceId = await notes.workspace('Ada and sons');
});
test.after(() => notes.stop());

const scopes = ['notes:read', 'notes:write', 'notes:share', ...shelfScopes];

const parametersOf = (key: string, args: readonly string[]) => ({
  command: launcher.command,
  args: [...launcher.args, '--url', notes.url, ...args],
  env: { ...(process.env as Record<string, string>), POSTRIDER_API_KEY: key },
  stderr: 'pipe' as const,
});

type Connect = (key: string, args?: readonly string[]) => Promise<AnyClient>;
const modern =
  (mode?: 'auto' | { pin: string }): Connect =>
  (key, args = []) =>
    connectClient(modernClient(mode), new ModernTransport(parametersOf(key, args)));

const generations: Readonly<Record<string, Connect>> = {
  'the 1.x client': (key, args = []) =>
    connectClient(legacyClient(), new StdioClientTransport(parametersOf(key, args))),
  'the 2.x client with initialize': modern(),
  'the 2.x client that negotiates': modern('auto'),
  'the 2.x client on 2026-07-28': modern({ pin: '2026-07-28' }),
};

for (const [name, connect] of Object.entries(generations)) {
  test(`${name} works through the launcher in the same way as over HTTP`, async () => {
    const client = await connect(await notes.key(workspaceId, scopes));
    try {
      assert.is(client.getServerVersion()?.name, 'Acme');
      assert.is((await client.listTools()).tools.length, 11);
      const result = await client.callTool({ name: 'read_note', arguments: { key: 'ü7' } });
      assert.is((result.structuredContent as { key: string } | undefined)?.key, 'ü7');
      const missing = await client.callTool({ name: 'read_note', arguments: { key: 'missing' } });
      assert.is(missing.isError, true);
      const { contents } = await client.readResource({ uri: 'postrider://books/%C3%A4%20b%2Fc%3F' });
      assert.is(JSON.parse(contents[0]?.text ?? '').title, 'On odd keys');
      const prompt = await client.getPrompt({ name: 'recommend_book', arguments: { mood: 'grey' } });
      assert.is(prompt.messages[0]?.content.text, 'Find me a book for a grey day.');
      const before = (await notes.audit(workspaceId)).length;
      await client.callTool({ name: 'archive_note', arguments: { key: 'n1' } });
      const [entry] = (await notes.audit(workspaceId)).slice(before);
      assert.is(entry?.actor.client, `${clientInfo.name}/${clientInfo.version}`);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, at) => client.callTool({ name: 'read_note', arguments: { key: `n${at}` } })),
      );
      assert.equal(
        answers.map(({ structuredContent }) => structuredContent?.key),
        answers.map((_, at) => `n${at}`),
      );
    } finally {
      await client.close();
    }
  });
}

const [legacy, negotiating] = [generations['the 1.x client'], generations['the 2.x client that negotiates']] as const;

test("clients see only the tools that the launcher's options allow", async () => {
  for (const connect of [legacy, negotiating]) {
    const client = await connect!(await notes.key(workspaceId, scopes), ['--toolsets', 'notes,rooms', '--readonly']);
    try {
      const { tools } = await client.listTools();
      assert.equal(tools.map((tool) => tool.name).sort(), [
        'list_notes',
        'list_rooms',
        'read_note',
        'read_opening_hours',
        'read_room',
      ]);
      assert.equal((await client.listPrompts()).prompts, []);
    } finally {
      await client.close();
    }
  }
});

test('clients get an error for an invalid key and for an unknown toolset', async () => {
  const good = await notes.key(workspaceId);
  for (const connect of [legacy, negotiating]) {
    for (const [key, args, words] of [
      ['acme_mcp_nonsense', [], /not a complete API key/],
      [good, ['--toolsets', 'notse'], /no toolset "notse"/],
    ] as const) {
      await connect!(key, args).then(
        () => assert.unreachable('connected'),
        (error: Error) => assert.match(error.message, words),
      );
    }
  }
});

test.run();
