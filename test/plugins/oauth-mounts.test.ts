// The metadata of the authorisation server on each host, at the mount and at the root of the origin; the official client finds it at
// both.
import { discoverOAuthServerInfo } from '@modelcontextprotocol/sdk/client/auth.js';
import express from 'express';
import fastify from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expressHost, expressWellKnown } from '../../hosts/express/index.ts';
import { fastifyHost, fastifyWellKnown } from '../../hosts/fastify/index.ts';
import { lambdaHost } from '../../hosts/lambda/index.ts';
import { nodeHost } from '../../hosts/node/index.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { keysPlugin } from '../../plugins/keys/index.ts';
import { oauthPlugin } from '../../plugins/oauth/index.ts';
import { freePort } from '../support/free-port.ts';
import { startServer } from '../support/oauth-bench.ts';

const test = suite('OAuth: mounts');

const mounts = ['/messaging', '/api/v2/messaging', ''];

async function open(origin: string, mount: string) {
  return createTestService({ plugins: [keysPlugin(), oauthPlugin()], publicUrl: `${origin}${mount}` });
}

/** Every address at which clients look for the metadata, below the mount and at the root. */
const addresses = (mount: string) => [
  ...['oauth-protected-resource', 'oauth-protected-resource/v1/mcp', 'openid-configuration'].map(
    (name) => `${mount}/.well-known/${name}`,
  ),
  `/.well-known/oauth-protected-resource${mount}/v1/mcp`,
  `/.well-known/oauth-authorization-server${mount}`,
  `/.well-known/openid-configuration${mount}`,
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server',
];

async function check(origin: string, mount: string): Promise<void> {
  for (const address of addresses(mount)) {
    const response = await fetch(`${origin}${address}`);
    assert.is(response.status, 200, address);
    const body = (await response.json()) as { issuer?: string; resource?: string };
    assert.is(
      body.issuer ?? body.resource,
      address.includes('protected') ? `${origin}${mount}/v1/mcp` : `${origin}${mount}`,
    );
  }
  assert.is((await fetch(`${origin}/.well-known/security.txt`)).status, 418, 'the program answers its own path');
  // Without the header WWW-Authenticate, the client looks at the root.
  const serverInfo = await discoverOAuthServerInfo(`${origin}${mount}/v1/mcp`);
  assert.is(serverInfo.resourceMetadata?.resource, `${origin}${mount}/v1/mcp`);
  assert.is(serverInfo.authorizationServerMetadata?.issuer, `${origin}${mount}`);
}

for (const mount of mounts) {
  const mountLabel = mount === '' ? 'the root' : mount;

  test(`Express at ${mountLabel}: the metadata is at the mount and at the root`, async () => {
    const app = express();
    const host = await startServer((request, response) => app(request, response));
    const bench = await open(host.origin, mount);
    app.use(expressWellKnown(bench.service));
    if (mount !== '') app.use(mount, expressHost(bench.service));
    app.use((_request, response) => void response.status(418).end());
    await check(host.origin, mount);
    await host.close();
    await bench.close();
  });

  test(`Fastify at ${mountLabel}: the metadata is at the mount and at the root`, async () => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const bench = await open(origin, mount);
    const app = fastify();
    app.register(fastifyWellKnown(bench.service));
    if (mount !== '') app.register(fastifyHost(bench.service, { stopOnClose: false }), { prefix: mount });
    app.setNotFoundHandler((_request, reply) => reply.code(418).send());
    await app.listen({ port, host: '127.0.0.1' });
    await check(origin, mount);
    await app.close();
    await bench.close();
  });

  test(`node:http at ${mountLabel}: the metadata is at the mount and at the root, without further setup`, async () => {
    let handle: ReturnType<typeof nodeHost> | undefined;
    const host = await startServer((request, response) => {
      const isOwn = mount === '' && request.url === '/.well-known/security.txt';
      if (isOwn) response.writeHead(418).end();
      else handle?.(request, response, () => response.writeHead(418).end());
    });
    const bench = await open(host.origin, mount);
    handle = nodeHost(bench.service, { basePath: mount });
    await check(host.origin, mount);
    await host.close();
    await bench.close();
  });

  test(`Lambda at ${mountLabel}: the metadata is at the mount and at the root, without further setup`, async () => {
    const bench = await open('https://api.example.com', mount);
    const handler = lambdaHost(bench.service, { basePath: mount, settleMs: 0 });
    for (const path of addresses(mount)) {
      const event = {
        version: '2.0',
        routeKey: '$default',
        rawPath: path,
        rawQueryString: '',
        headers: { host: 'api.example.com' },
        requestContext: {
          domainName: 'api.example.com',
          http: { method: 'GET', path, sourceIp: '192.0.2.1' },
          stage: '$default',
        },
        isBase64Encoded: false,
      };
      const context = { awsRequestId: 'r1', getRemainingTimeInMillis: () => 10_000 };
      const answer = (await handler(event, context)) as { statusCode: number; body: string };
      assert.is(answer.statusCode, 200, `${path}: ${answer.body}`);
    }
    await bench.close();
  });

  test(`fetch at ${mountLabel}: the metadata is at the mount and at the root, without further setup`, async () => {
    const bench = await open('https://api.example.com', mount);
    for (const path of addresses(mount)) {
      const request = new Request(`https://api.example.com${path}`);
      assert.is((await bench.service.fetch(request, { basePath: mount })).status, 200, path);
    }
    await bench.close();
  });
}

test.run();
