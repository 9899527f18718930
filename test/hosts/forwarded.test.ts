// A request's host follows each framework's trust setting: X-Forwarded-Host counts only from a trusted proxy.
import { once } from 'node:events';
import { connect } from 'node:http2';
import fastify from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expressHost } from '../../hosts/express/index.ts';
import { fastifyHost } from '../../hosts/fastify/index.ts';
import { nodeHost } from '../../hosts/node/index.ts';
import { createHostBench, type HostBench } from './bench.ts';
import { listening } from './fastify-programs.ts';
import { listen, versions } from './programs.ts';

const test = suite<{ bench: HostBench }>('forwarded hosts');

test.before.each(async (context) => {
  context.bench = await createHostBench();
});

test.after.each(({ bench }) => bench.close());

/** The program's answer to a request for /abc with this X-Forwarded-Host. */
async function askForwarded(origin: string, forwardedHost: string): Promise<string> {
  const response = await fetch(`${origin}/abc`, { headers: { 'x-forwarded-host': forwardedHost } });
  return response.status === 200 ? response.text() : String(response.status);
}

for (const version of Object.keys(versions) as (keyof typeof versions)[]) {
  test(`${version} follows its trust proxy setting`, async ({ bench }) => {
    for (const [trust, answer] of [
      ['loopback', 'short abc on go.example'],
      ['10.0.0.0/8', '404'],
    ] as const) {
      const app = versions[version]();
      app.set('trust proxy', trust);
      const program = await listen(app.use(expressHost(bench.service)));
      assert.is(await askForwarded(program.origin, 'Go.Example:443'), answer, trust);
      await program.close();
    }
  });
}

test('Fastify follows its trustProxy setting', async ({ bench }) => {
  for (const [trustProxy, answer] of [
    ['127.0.0.1', 'short abc on go.example'],
    ['10.0.0.0/8', '404'],
  ] as const) {
    const app = fastify({ trustProxy });
    app.register(fastifyHost(bench.service, { stopOnClose: false }));
    assert.is(await askForwarded(await listening(app), 'go.example'), answer, trustProxy);
    await app.close();
  }
});

test('Fastify over HTTP/2 reports the host of :authority', async ({ bench }) => {
  const app = fastify({ http2: true });
  app.register(fastifyHost(bench.service, { stopOnClose: false }));
  const session = connect(await app.listen({ port: 0, host: '127.0.0.1' }));
  const stream = session.request({ ':path': '/abc', ':authority': 'GO.example:8443' });
  stream.setEncoding('utf8');
  let body = '';
  stream.on('data', (part: string) => {
    body += part;
  });
  await once(stream, 'end');
  assert.is(body, 'short abc on go.example');
  session.close();
  await app.close();
});

test('node:http trusts the configured number of proxies', async ({ bench }) => {
  for (const [trustProxy, forwardedHost, answer] of [
    [1, 'go.example', 'short abc on go.example'],
    [1, 'go.example, proxy.example', '404'],
    [2, 'go.example, proxy.example', 'short abc on go.example'],
    [true, 'go.example, one.example, two.example', 'short abc on go.example'],
    [false, 'go.example', '404'],
  ] as const) {
    const program = await listen(nodeHost(bench.service, { trustProxy }));
    assert.is(await askForwarded(program.origin, forwardedHost), answer, `${trustProxy}: ${forwardedHost}`);
    await program.close();
  }
});

test('service.fetch reads the host from its options, or else from the request', async ({ bench }) => {
  const ask = async (url: string, options: { host?: string }) =>
    (await bench.service.fetch(new Request(url), options)).status;
  assert.is(await ask('http://localhost/abc', { host: 'go.example' }), 200);
  assert.is(await ask('http://go.example/abc', {}), 200);
  assert.is(await ask('http://go.example/abc', { host: 'localhost' }), 404);
});

test.run();
