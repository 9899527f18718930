// The official clients of both generations complete the flow from a 401 to a tool result, with a metadata document and with a
// registration, and request more scopes.
import {
  StreamableHTTPClientTransport as ModernTransport,
  UnauthorizedError as ModernUnauthorized,
} from '@modelcontextprotocol/client';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AnyClient, connectClient, legacyClient, modernClient } from '../core/mcp-generations.ts';
import { type OAuthBench, openOAuthBench } from '../support/oauth-bench.ts';
import { type ClientMemory, type ClientProvider, createProvider } from '../support/oauth-provider.ts';

const test = suite('OAuth: official clients');
let bench: OAuthBench;
test.before(async () => {
  bench = await openOAuthBench();
});
test.after(() => bench.close());

/** One generation of the official client: connects with the tokens that the provider stores, and completes an authorisation. */
interface Generation {
  connect(provider: ClientProvider): Promise<{ client: AnyClient; finish(callbackUrl: URL): Promise<void> }>;
  finish(provider: ClientProvider, callbackUrl: URL): Promise<void>;
  isUnauthorized(error: unknown): boolean;
  /** True if the client asks the member for more scopes although it has a refresh token. The 1.x client refreshes instead. */
  readonly stepsUp: boolean;
}

const endpoint = () => new URL(`${bench.url}/v1/mcp`);

const legacy: Generation = {
  async connect(authProvider) {
    const transport = new StreamableHTTPClientTransport(endpoint(), { authProvider });
    const client = await connectClient(legacyClient(), transport);
    return { client, finish: (callbackUrl) => transport.finishAuth(callbackUrl.searchParams.get('code') ?? '') };
  },
  finish: (authProvider, callbackUrl) =>
    new StreamableHTTPClientTransport(endpoint(), { authProvider }).finishAuth(
      callbackUrl.searchParams.get('code') ?? '',
    ),
  isUnauthorized: (error) => error instanceof UnauthorizedError,
  stepsUp: false,
};

const modern = (mode?: 'auto' | { pin: string }): Generation => ({
  async connect(authProvider) {
    const transport = new ModernTransport(endpoint(), { authProvider });
    const client = await connectClient(modernClient(mode), transport);
    return { client, finish: (callbackUrl) => transport.finishAuth(callbackUrl.searchParams) };
  },
  finish: (authProvider, callbackUrl) =>
    new ModernTransport(endpoint(), { authProvider }).finishAuth(callbackUrl.searchParams),
  isUnauthorized: (error) => error instanceof ModernUnauthorized,
  stepsUp: true,
});

const generations: Readonly<Record<string, Generation>> = {
  'the 1.x client': legacy,
  'the 2.x client with initialize': modern(),
  'the 2.x client that negotiates': modern('auto'),
  'the 2.x client on 2026-07-28': modern({ pin: '2026-07-28' }),
};

for (const [name, generation] of Object.entries(generations))
  for (const registeredBy of ['metadata document', 'registration'])
    test(`${name} completes the flow from a 401 by ${registeredBy}, requests more scopes and refreshes`, async () => {
      const memory: ClientMemory = {};
      const provider = createProvider(memory, registeredBy === 'registration' ? undefined : bench.clientId);
      const authorizationAfter = async (work: Promise<unknown>) => {
        const error: unknown = await work.then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        assert.ok(generation.isUnauthorized(error), String(error));
        assert.ok(memory.authorizationUrl, 'the client did not ask for authorisation');
        const url = memory.authorizationUrl.href;
        delete memory.authorizationUrl;
        return url;
      };
      const first = await authorizationAfter(generation.connect(provider));
      const authorizationParams = new URL(first).searchParams;
      assert.is(authorizationParams.get('resource'), `${bench.url}/v1/mcp`);
      assert.is(authorizationParams.get('client_id')?.startsWith('cli_'), registeredBy === 'registration');
      await generation.finish(provider, await bench.consent(first));
      const { client, finish } = await generation.connect(provider);
      const { tools } = await client.listTools();
      assert.ok(tools.some((tool) => tool.name === 'read_workspace'));
      assert.not.ok(
        tools.some((tool) => tool.name === 'create_brand'),
        'not without its scope',
      );
      const firstResult = await client.callTool({ name: 'read_workspace' });
      assert.is(firstResult.structuredContent?.['id'], bench.workspaceId);

      const create = () => client.callTool({ name: 'create_brand', arguments: { name: 'Northwind' } });
      if (generation.stepsUp) {
        const stepUpUrl = await authorizationAfter(create());
        const scope = new URL(stepUpUrl).searchParams.get('scope') ?? '';
        assert.ok(scope.split(' ').includes('brand:write'), stepUpUrl);
        await finish(await bench.consent(stepUpUrl, { scope }));
        const secondResult = await create();
        assert.not.ok(secondResult.isError, JSON.stringify(secondResult.structuredContent));
      } else {
        const error: unknown = await create().catch((thrown: unknown) => thrown);
        assert.match(String(error), /403/);
      }

      bench.advanceClock(16 * 60_000);
      const thirdResult = await client.callTool({ name: 'list_brands' });
      assert.not.ok(thirdResult.isError, 'the client refreshed its tokens by itself');
      await client.close();
    });

test.run();
