// A server closes while clients keep sending over kept-alive connections: its last answers end the connections, answers
// that have begun arrive completely, and closing finishes by itself.
// full-run: slow
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, createServer as createServer2, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, RawServerBase } from 'fastify';
import fastify from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HttpRequest } from '../../core/index.ts';
import { expressHost } from '../../hosts/express/index.ts';
import { fastifyHost } from '../../hosts/fastify/index.ts';
import { nodeHost } from '../../hosts/node/index.ts';
import { createHostBench, type HostBench } from './bench.ts';
import { versions } from './programs.ts';

const test = suite<{ bench: HostBench }>('a server that stops');

test.before(async (context) => {
  context.bench = await createHostBench();
});

test.after(({ bench }) => bench.close());

type Service = Pick<HostBench['service'], 'dispatch' | 'core' | 'stop'>;

/** A listening program. `close` resolves when it is closed. */
interface Program {
  readonly origin: string;
  close(): Promise<void>;
}

/** As behind a load balancer, idle connections are kept long: no connection here may end because of this timeout. */
const keepAliveTimeout = 120_000;

async function listening(server: Server | Http2Server): Promise<Program> {
  if ('keepAliveTimeout' in server) server.keepAliveTimeout = keepAliveTimeout;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function overFastify<S extends RawServerBase>(app: FastifyInstance<S>, service: Service): Promise<Program> {
  app.register(fastifyHost(service, { stopOnClose: false }) as never);
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return { origin, close: () => app.close() as unknown as Promise<void> };
}

const hosts: Readonly<Record<string, (service: Service) => Promise<Program>>> = {
  'node:http': (service) => listening(createServer(nodeHost(service))),
  'Express 4': (service) => listening(createServer(versions['Express 4']().use(expressHost(service)))),
  'Express 5': (service) => listening(createServer(versions['Express 5']().use(expressHost(service)))),
  Fastify: (service) => overFastify(fastify({ keepAliveTimeout }), service),
};

const hostsOver2: typeof hosts = {
  'node:http2': (service) => listening(createServer2(nodeHost(service) as never)),
  'Fastify over HTTP/2': (service) => overFastify(fastify({ http2: true }), service),
};

/** The service with two answers that wait for the test: /slow as a whole, /parts in parts. */
function withGates(service: HostBench['service']) {
  const gate: { open(): void } = { open: () => undefined };
  const gateOpened = new Promise<void>((resolve) => {
    gate.open = resolve;
  });
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('first ');
    await gateOpened;
    yield Buffer.from('last');
  }
  const dispatch = async (request: HttpRequest) => {
    if (request.url === '/parts') return { status: 200, headers: {}, body: parts() };
    if (request.url === '/slow') await gateOpened;
    return service.dispatch(request.url === '/slow' ? { ...request, url: '/everywhere' } : request);
  };
  return { service: { dispatch, core: service.core, stop: service.stop }, open: () => gate.open() };
}

const withTimeout = <T>(ms: number, work: Promise<T>, label: string): Promise<T> =>
  Promise.race([
    work,
    pause(ms, undefined, { ref: false }).then((): never => {
      throw new Error(`${label} took longer than ${ms} ms`);
    }),
  ]);

/** Clients that repeat a request until it is refused. */
function keepAsking(ask: () => Promise<unknown>, clients: number) {
  let answers = 0;
  const loop = async () => {
    for (;;) {
      await ask();
      answers += 1;
    }
  };
  const allStopped = Promise.all(Array.from({ length: clients }, () => loop().catch(() => undefined)));
  return {
    over: allStopped,
    get answers() {
      return answers;
    },
  };
}

for (const [name, mount] of Object.entries(hosts)) {
  test(`${name} closes while clients keep sending`, async ({ bench }) => {
    const { core, stop } = bench.service;
    // Requests are running when the close begins. Node closes connections that are idle then.
    const dispatch = async (request: HttpRequest) => {
      await pause(3);
      return bench.service.dispatch(request);
    };
    const program = await mount({ dispatch, core, stop });
    const statuses = new Set<number>();
    const clients = keepAsking(async () => {
      const answer = await fetch(`${program.origin}/everywhere`);
      statuses.add(answer.status);
      await answer.text();
    }, 8);
    while (clients.answers < 100) await pause(5);
    const before = clients.answers;
    await withTimeout(5_000, program.close(), 'closing');
    await clients.over;
    assert.ok(clients.answers - before <= 40, `${clients.answers - before} answers after the close began`);
    // Fastify refuses requests that arrive after its close began.
    assert.equal(
      [...statuses].filter((status) => status !== 200 && status !== 503),
      [],
    );
  });

  test(`${name} finishes answers that had begun, and closes right after them`, async ({ bench }) => {
    const { service, open } = withGates(bench.service);
    const program = await mount(service);
    const slow = fetch(`${program.origin}/slow`).then((answer) => answer.text());
    const parts = await fetch(`${program.origin}/parts`);
    await pause(50);
    const closing = program.close();
    await pause(50);
    open();
    assert.equal([await slow, await parts.text()], ['everywhere', 'first last']);
    await withTimeout(5_000, closing, 'closing');
  });
}

for (const [name, mount] of Object.entries(hostsOver2)) {
  test(`${name} closes while a client keeps sending`, async ({ bench }) => {
    const { service, open } = withGates(bench.service);
    const program = await mount(service);
    const session = connect(program.origin);
    session.on('error', () => undefined);
    const ask = async (path: string) => {
      const stream = session.request({ ':path': path });
      const answer = await text(stream);
      if (stream.rstCode !== 0) throw new Error('refused');
      return answer;
    };
    const running = Promise.all([ask('/slow'), ask('/parts')]);
    const clients = keepAsking(() => ask('/everywhere'), 4);
    while (clients.answers < 50) await pause(5);
    const closing = program.close();
    await clients.over;
    open();
    assert.equal(await running, ['everywhere', 'first last']);
    await withTimeout(5_000, closing, 'closing');
    session.destroy();
  });
}

test('an open server keeps its connections', async ({ bench }) => {
  const program = await listening(createServer(nodeHost(bench.service)));
  const answer = await fetch(`${program.origin}/everywhere`);
  assert.is(answer.headers.get('connection'), 'keep-alive');
  await answer.text();
  await program.close();
});

test.run();
