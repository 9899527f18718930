// Lifetimes under Fastify: the service ends with the program, a call ends with its client, uploads are refused, and the same works
// over HTTP/2.
// full-run: slow
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import fastify from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HttpRequest } from '../../core/index.ts';
import { fastifyHost } from '../../hosts/fastify/index.ts';
import { createHostBench, type HostBench } from './bench.ts';
import { fastifyProgram, listening } from './fastify-programs.ts';

const test = suite<{ bench: HostBench }>('Fastify host, lifetimes');

test.before.each(async (context) => {
  context.bench = await createHostBench();
});

test.after.each(({ bench }) => bench.close());

const sendPath = '/messaging/v1/templates/receipt/send';
const megabyte = 1_048_576;

/** A promise and the function that resolves it. */
function gate() {
  let open: () => void = () => undefined;
  const openedGate = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened: openedGate, open };
}

test('close stops the service after the last request, even if the program never listened', async ({ bench }) => {
  const events: string[] = [];
  const stop = async () => void events.push('stopped');
  const [arrival, release] = [gate(), gate()];
  const dispatch = async (request: HttpRequest) => {
    arrival.open();
    await release.opened;
    const answer = await bench.service.dispatch(request);
    events.push('answered');
    return answer;
  };
  const app = fastifyProgram({ ...bench.service, dispatch, stop }, { stopOnClose: true });
  const answer = fetch(`${await listening(app)}/messaging/v1/workspace`);
  await arrival.opened;
  const closing = app.close();
  release.open();
  assert.is((await answer).status, 401);
  await closing;
  assert.equal(events, ['answered', 'stopped']);

  const silent = fastifyProgram({ ...bench.service, stop }, { stopOnClose: true });
  await silent.ready();
  await silent.close();
  assert.equal(events, ['answered', 'stopped', 'stopped']);
});

test('close leaves the service running if configured so, and ready starts nothing', async ({ bench }) => {
  const refuse = async () => assert.unreachable('the host started or stopped the service');
  const app = fastifyProgram({ ...bench.service, stop: refuse, ...{ start: refuse } }, { stopOnClose: false });
  await app.ready();
  await app.close();
});

test('close stops a real service that is mounted twice, and a closed service does not reopen', async () => {
  const bench = await createHostBench();
  const app = fastify();
  app.register(fastifyHost(bench.service), { prefix: '/one' });
  app.register(fastifyHost(bench.service), { prefix: '/two' });
  await bench.service.start();
  assert.is((await app.inject('/one/v1/workspace')).statusCode, 401);
  await app.close();
  await bench.close();
});

test('a call is aborted when its client disconnects; an answered call is not', async ({ bench }) => {
  const signals: AbortSignal[] = [];
  const arrival = gate();
  const dispatch = async (request: HttpRequest) => {
    const { signal } = request;
    assert.ok(signal);
    signals.push(signal);
    if (request.url !== '/wait') return bench.service.dispatch(request);
    arrival.open();
    await once(signal, 'abort');
    return { status: 408, headers: {}, body: '' };
  };
  const app = fastifyProgram({ ...bench.service, dispatch });
  const origin = await listening(app);
  await (await fetch(`${origin}/messaging/v1/workspace`)).text();
  await app.inject('/messaging/v1/workspace');
  const leaving = new AbortController();
  const abandonedCall = fetch(`${origin}/messaging/wait`, { signal: leaving.signal }).catch((error: unknown) => error);
  await arrival.opened;
  leaving.abort();
  await abandonedCall;
  const [answeredSignal, injectedSignal, abandonedSignal] = signals;
  assert.ok(abandonedSignal);
  if (!abandonedSignal.aborted) await once(abandonedSignal, 'abort');
  assert.equal([answeredSignal?.aborted, injectedSignal?.aborted], [false, false]);
  await app.close();
});

for (const [name, headers, status] of [
  ['a declared length over the limit', {}, 413],
  ['an unknown key', { authorization: 'Bearer nobody' }, 401],
] as const) {
  test(`${name} gets ${status} while 20 MB are still being sent`, async ({ bench }) => {
    const app = fastifyProgram(bench.service);
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('x-own', 'kept');
    });
    const { port } = new URL(await listening(app));
    const request = httpRequest({
      port,
      host: '127.0.0.1',
      path: sendPath,
      method: 'POST',
      headers: {
        authorization: `Bearer ${bench.liveKey}`,
        'content-type': 'application/json',
        'content-length': 20 * megabyte,
        ...headers,
      },
    });
    const answered = new Promise<{ status: number | undefined; own: unknown; body: string }>((resolve, reject) => {
      request.once('error', reject).once('response', (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => {
          body += text;
        });
        response.once('end', () => resolve({ status: response.statusCode, own: response.headers['x-own'], body }));
      });
    });
    for (let count = 0; count < 20; count += 1) request.write(Buffer.alloc(megabyte, 'x'));
    request.end();
    const answer = await answered;
    assert.equal([answer.status, answer.own], [status, 'kept']);
    assert.match(answer.body, status === 413 ? /payload_too_large/ : /invalid_api_key/);
    await app.close();
  });
}

test('without a socket, a large body is also refused before it was read', async ({ bench }) => {
  const app = fastifyProgram(bench.service);
  const answer = await app.inject({
    method: 'POST',
    url: sendPath,
    headers: { authorization: 'Bearer nobody', 'content-type': 'application/json' },
    payload: Buffer.alloc(megabyte, 'x'),
  });
  assert.is(answer.statusCode, 401);
  await app.close();
});

/** Sends one request over HTTP/2. */
async function ask(session: ClientHttp2Session, headers: Record<string, string>, body?: Buffer) {
  const stream = session.request(headers, { endStream: body === undefined });
  const faults: unknown[] = [];
  stream.on('error', (error) => faults.push(error));
  if (body !== undefined) stream.end(body);
  let text = '';
  stream.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const streamEnd = once(stream, 'end');
  const [head] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status': number }];
  await streamEnd;
  // Node's client keeps unsent data until the stream is destroyed.
  stream.close();
  return { status: head[':status'], headers: head, body: text, faults };
}

test('the host works over HTTP/2', async ({ bench }) => {
  const seenRequests: HttpRequest[] = [];
  const dispatch = (request: HttpRequest) => {
    seenRequests.push(request);
    return bench.service.dispatch(request);
  };
  const app = fastify({ http2: true });
  app.register(fastifyHost({ ...bench.service, dispatch }, { stopOnClose: false }), { prefix: '/messaging' });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const session = connect(origin);
  const authorization = `Bearer ${bench.liveKey}`;
  const typedHeaders = { 'content-type': 'application/json', 'idempotency-key': 'one', authorization };
  const post = { ':method': 'POST', ':path': sendPath, ...typedHeaders };
  const body = Buffer.from(JSON.stringify({ to: 'ada@example.com', variables: { name: 'Ada' } }));
  const sendAnswer = await ask(session, post, body);
  assert.is(sendAnswer.status, 202, sendAnswer.body);
  assert.is((await ask(session, { ...post, 'content-length': String(body.length) }, body)).status, 202);
  const head = await ask(session, { ':method': 'HEAD', ':path': '/messaging/v1/workspace', authorization });
  assert.equal([head.status, head.body], [200, '']);
  assert.is((await ask(session, post)).status, 422);
  const large = await ask(session, post, Buffer.alloc(megabyte, 'x'));
  assert.equal([large.status, large.faults], [413, []]);
  const nobody = await ask(session, { ...post, authorization: 'Bearer nobody' }, Buffer.alloc(megabyte, 'x'));
  assert.equal([nobody.status, nobody.faults], [401, []]);
  assert.is((await ask(session, { ':path': '/messaging/v1/workspace', authorization })).status, 200);
  session.destroy();
  await app.close();
  const { headers, address } = seenRequests[0] ?? {};
  assert.equal([headers?.['host'], headers?.[':path'], address], [new URL(origin).host, undefined, '127.0.0.1']);
});

test.run();
