// `postrider mcp config`: each client accepts its output, a client with this configuration works, and the output contains a secret only
// on request.
// full-run: slow
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService } from '../../core/kernel/compose.ts';
import { createVisibility } from '../../core/mcp/visibility.ts';
import { readArguments } from '../../hosts/cli/arguments.ts';
import type { CliContext } from '../../hosts/cli/command.ts';
import { mcp } from '../../hosts/cli/commands/mcp.ts';
import { mcpConfig } from '../../hosts/cli/commands/mcp-config.ts';
import { clientNames, type Snippet } from '../../hosts/cli/mcp/snippets.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { generations } from './mcp-generations.ts';
import { startNotes } from './notes-service.ts';

const test = suite('postrider mcp config');

interface Printed extends Snippet {
  readonly client: string;
  readonly out: readonly string[];
  readonly err: readonly string[];
}

/** The output and the result of a call. */
async function runMcpConfig(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Printed> {
  const [out, err] = [[] as string[], [] as string[]];
  const context: Pick<CliContext, 'env' | 'print' | 'warn'> = {
    env,
    print: (line) => out.push(line),
    warn: (line) => err.push(line),
  };
  const input = readArguments(['mcp', 'config', ...args], mcpConfig.name, mcpConfig.arguments);
  const answer = (await mcpConfig.run(context as CliContext, input)) as Omit<Printed, 'out' | 'err'>;
  return { ...answer, out, err };
}

const url = 'https://app.example.com/messaging/v1/mcp';
const secret = 'postrider_live_0123456789';

test('a URL that does not end like the endpoint causes a warning', async () => {
  const warningFor = async (input: string) =>
    (await runMcpConfig(['--client', 'cursor', '--url', input])).err.join('\n');
  assert.match(await warningFor('https://app.example.com/messaging'), 'The URL does not end in /v1/mcp.');
  assert.not.match(await warningFor(url), 'does not end');
});

test('each client gets the configuration in its own format', async () => {
  const texts = Object.fromEntries(
    await Promise.all(
      clientNames.map(
        async (client) => [client, (await runMcpConfig(['--client', client, '--url', url])).text] as const,
      ),
    ),
  );
  const reference = (text: string) => ({ Authorization: `Bearer ${text}` });
  const parseText = (client: string) => JSON.parse(texts[client] ?? '');
  assert.equal(parseText('cursor'), {
    mcpServers: { postrider: { url, headers: reference('$' + '{env:POSTRIDER_API_KEY}') } },
  });
  assert.equal(parseText('windsurf'), {
    mcpServers: { postrider: { serverUrl: url, headers: reference('$' + '{env:POSTRIDER_API_KEY}') } },
  });
  assert.equal(parseText('gemini-cli'), {
    mcpServers: { postrider: { httpUrl: url, headers: reference('$POSTRIDER_API_KEY') } },
  });
  assert.equal(parseText('vscode'), {
    inputs: [{ type: 'promptString', id: 'postrider-api-key', description: 'API key', password: true }],
    servers: { postrider: { type: 'http', url, headers: reference('$' + '{input:postrider-api-key}') } },
  });
  assert.equal(parseText('zed'), { context_servers: { postrider: { url, headers: reference('YOUR_API_KEY') } } });
  assert.equal(parseText('claude-desktop'), {
    mcpServers: {
      postrider: {
        command: 'npx',
        args: ['-y', 'postrider', 'mcp', '--url', url],
        env: { POSTRIDER_API_KEY: 'YOUR_API_KEY' },
      },
    },
  });
  assert.is(texts.codex, `[mcp_servers.postrider]\nurl = "${url}"\nbearer_token_env_var = "POSTRIDER_API_KEY"`);
  assert.equal(Object.keys(texts).length, 8);
});

test('a shell parses the command for Claude Code as intended', async () => {
  const runInShell = (text: string) =>
    execFileSync('bash', ['-c', `claude() { printf '%s\\n' "$@"; }; ${text}`], { encoding: 'utf8' }).split('\n');
  const {
    text,
    format,
    location: place,
  } = await runMcpConfig(['--client', 'claude-code', '--url', `${url}?toolsets=a,b&readonly=1`]);
  assert.equal([format, place], ['shell', 'command']);
  assert.equal(runInShell(text), [
    'mcp',
    'add',
    '--transport',
    'http',
    '--scope',
    'project',
    'postrider',
    `${url}?toolsets=a,b&readonly=1`,
    '--header',
    'Authorization: Bearer $' + '{POSTRIDER_API_KEY}',
    '',
  ]);
  const withKey = runInShell((await runMcpConfig(['--client', 'claude-code', '--url', url, '--key', secret])).text);
  assert.ok(withKey.includes(`Authorization: Bearer ${secret}`));
  assert.is(withKey[5], 'local', 'the secret must not be in a file that a team shares');
});

test('a secret is printed only on request', async () => {
  for (const client of clientNames) {
    const plain = await runMcpConfig(['--client', client, '--url', url], { POSTRIDER_API_KEY: secret });
    assert.not.ok([...plain.out, ...plain.err, plain.text].join().includes(secret), client);
    const printed = await runMcpConfig(['--client', client, '--url', url, '--key', secret]);
    assert.ok(printed.text.includes(secret), client);
    assert.match(printed.err.join(), /version control/);
    assert.not.ok(printed.text.includes('YOUR_API_KEY') || printed.text.includes('POSTRIDER_API_KEY}'), client);
  }
});

test('only the configuration goes to stdout; everything else goes to stderr', async () => {
  for (const client of clientNames) {
    const { out, err, text } = await runMcpConfig(['--client', client]);
    assert.equal(out, [text]);
    assert.ok(err.length >= 2);
  }
});

test('options become part of the URL, and the URL may come from the environment', async () => {
  const { text } = await runMcpConfig(
    ['--client', 'cursor', '--toolsets', 'email,templates', '--readonly', '--compact'],
    {
      POSTRIDER_MCP_URL: url,
    },
  );
  assert.is(JSON.parse(text).mcpServers.postrider.url, `${url}?toolsets=email,templates&readonly=1&templates=compact`);
  const printed = await runMcpConfig(['--client', 'vscode', '--name', 'acme-mail']);
  assert.equal(Object.keys(JSON.parse(printed.text).servers), ['acme-mail']);
  assert.is(JSON.parse(printed.text).servers['acme-mail'].url, 'http://127.0.0.1:3000/v1/mcp');
});

test('invalid options are refused with the remedy', async () => {
  for (const [args, words] of [
    [[], /needs --client/],
    [['--client', 'notepad'], /one of claude-code, claude-desktop/],
    [['--client', 'cursor', '--name', 'a b'], /--name must begin with a letter/],
    [['--client', 'cursor', '--url', 'x'], /is not an http or https URL/],
    [['--client', 'cursor', '--key', 'Bearer x'], /--key begins with Bearer/],
  ] as const) {
    await runMcpConfig(args).then(
      () => assert.unreachable(args.join(' ')),
      (error: Error & { exitCode?: number }) => {
        assert.is(error.exitCode, 2);
        assert.match(error.message, words);
      },
    );
  }
});

test('docs/mcp.md shows the printed configuration of every client', async () => {
  const page = readFileSync('docs/mcp.md', 'utf8');
  const blocks = [...page.matchAll(/^```(?:json|toml|sh)\n(.*?)\n```$/gms)].map(([, code = '']) => code);
  for (const client of clientNames) {
    const { text } = await runMcpConfig(['--client', client, '--url', url]);
    assert.ok(blocks.includes(text), client);
    assert.ok(page.includes(`| \`${client}\` |`), client);
  }
});

test('docs/mcp.md names the toolsets, resources and prompts of the standard plugins', async () => {
  const page = readFileSync('docs/mcp.md', 'utf8');
  const { areas } = createVisibility(
    createService({ storage: sqliteStorage({ filename: ':memory:' }), plugins: standardPlugins }).core.registry,
  );
  const [, listedToolsets = ''] = /^Toolsets of the standard plugins: (.*?)\. /m.exec(page) ?? [];
  assert.equal(
    listedToolsets.split(', ').map((name) => name.replaceAll('`', '')),
    [...areas].sort(),
  );
  for (const { resources, prompts } of standardPlugins) {
    for (const { uri } of resources) assert.ok(page.includes(`| \`${uri}\` |`), uri);
    for (const { name } of prompts) assert.ok(page.includes(`| \`${name}\` |`), name);
  }
});

test('a client that uses the printed configuration can connect', async () => {
  const notes = await startNotes();
  try {
    const key = await notes.key(await notes.workspace('Ada'));
    const { text } = await runMcpConfig(['--client', 'vscode', '--url', notes.url, '--readonly', '--key', key]);
    const { url: configuredUrl, headers } = JSON.parse(text).servers.postrider;
    const client = await generations['the 1.x client']!(headers.Authorization.replace('Bearer ', ''), configuredUrl);
    assert.is((await client.listTools()).tools.length, 2);
    await client.close();
    const desktop = await runMcpConfig(['--client', 'claude-desktop', '--url', notes.url]);
    const [, , ...words] = JSON.parse(desktop.text).mcpServers.postrider.args as string[];
    assert.is(readArguments(words, mcp.name, mcp.arguments).url, notes.url);
  } finally {
    await notes.stop();
  }
});

test.run();
