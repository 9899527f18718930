// The configurations of docs/agents.md: each has the client's own form, and a client can sign in with only the address in it.
import { execFileSync } from 'node:child_process';
import { StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ClientName, clients } from '../../hosts/cli/mcp/snippets.ts';
import { connectClient, modernClient } from '../core/mcp-generations.ts';
import { type OAuthBench, openOAuthBench } from '../support/oauth-bench.ts';
import { type ClientMemory, createProvider } from '../support/oauth-provider.ts';
import { codeBlocks } from './documents.ts';

const test = suite('docs/agents.md');
const address = 'https://app.example.com/messaging/v1/mcp';
const [commands, configurations] = await Promise.all(
  ['sh', 'json'].map((language) => codeBlocks('docs/agents.md', language)),
);

/** The output of `postrider mcp config` for a client, without the key and the prompt for it. */
function withoutKey(client: ClientName): object {
  const { text } = clients[client].snippet({ name: 'postrider', url: address, key: undefined });
  const { inputs: _inputs, ...rest } = JSON.parse(text) as { inputs?: unknown };
  return JSON.parse(JSON.stringify(rest, (name, value: unknown) => (name === 'headers' ? undefined : value)));
}

test('VS Code, Cursor and Gemini CLI get the form that `postrider mcp config` prints for them, without a key', () => {
  assert.equal(
    configurations?.map((text) => JSON.parse(text)),
    (['vscode', 'cursor', 'gemini-cli'] as const).map(withoutKey),
  );
});

test('a shell parses the command for Claude Code as intended', () => {
  const words = (commands ?? []).map((text) =>
    execFileSync('bash', ['-c', `claude() { printf '%s\\n' "$@"; }; ${text}`], { encoding: 'utf8' })
      .trim()
      .split('\n'),
  );
  assert.equal(words, [['mcp', 'add', '--transport', 'http', 'postrider', address]]);
});

test('a client that knows only the address signs in and uses tools', async () => {
  const bench: OAuthBench = await openOAuthBench();
  try {
    assert.ok(bench.url.endsWith('/messaging'), 'the service is mounted as in the document');
    const mountedUrl = new URL(new URL(address).pathname, bench.url);
    const memory: ClientMemory = {};
    const authProvider = createProvider(memory);
    const refusal: unknown = await connectClient(
      modernClient(),
      new StreamableHTTPClientTransport(mountedUrl, { authProvider }),
    ).catch((error: unknown) => error);
    assert.ok(refusal instanceof UnauthorizedError, String(refusal));
    const back = await bench.consent(memory.authorizationUrl?.href ?? '');
    await new StreamableHTTPClientTransport(mountedUrl, { authProvider }).finishAuth(back.searchParams);
    const client = await connectClient(modernClient(), new StreamableHTTPClientTransport(mountedUrl, { authProvider }));
    const { structuredContent } = await client.callTool({ name: 'read_workspace' });
    assert.is(structuredContent?.['id'], bench.workspaceId);
    await client.close();
  } finally {
    await bench.close();
  }
});

test.run();
