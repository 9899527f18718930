// The node host, apart from the translation of requests and answers: mount points, bodies that were already read, addresses, limits of
// the server, disconnects, and faults.
// full-run: slow
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HttpRequest } from '../../core/index.ts';
import { nodeHost } from '../../hosts/node/index.ts';
import { createHostBench, type HostBench } from './bench.ts';
import { hostResponseOf } from './host-clients.ts';
import { listen, type RunningProgram } from './programs.ts';

const test = suite<{ bench: HostBench; program: RunningProgram | undefined }>('node host');

test.before.each(async (context) => {
  context.bench = await createHostBench();
  context.program = undefined;
});

test.after.each(async ({ bench, program }) => {
  await program?.close();
  await bench.close();
});

const message = JSON.stringify({ to: 'ada@example.com', variables: { name: 'Ada' } });
const sendPath = '/v1/templates/receipt/send';

const codeOf = ({ body }: { body: string }) => (JSON.parse(body) as { error: { code: string } }).error.code;

const post = (url: string, key: string, read: string) =>
  fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': 'one',
      'x-read': read,
    },
    body: message,
  }).then(hostResponseOf);

/** Sends raw bytes and returns the whole response. */
async function sendRaw(port: number, text: string): Promise<string> {
  const socket = new Socket().connect(port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    answer += part;
  });
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

/** A service whose dispatch records its requests. */
function listening(bench: HostBench) {
  const seenRequests: HttpRequest[] = [];
  const dispatch = (request: HttpRequest) => {
    seenRequests.push(request);
    return bench.service.dispatch(request);
  };
  return { seen: seenRequests, service: { ...bench.service, dispatch } };
}

test('a path outside of the mount never reaches the service, whatever follows in the path', async (context) => {
  const { bench } = context;
  context.program = await listen(nodeHost(bench.service, { basePath: '/messaging' }));
  const ask = async (path: string) =>
    hostResponseOf(
      await fetch(`${context.program?.origin}${path}`, { headers: { authorization: `Bearer ${bench.liveKey}` } }),
    );
  assert.is((await ask('/messaging/v1/workspace')).status, 200);
  for (const path of ['/v1/workspace', '/messagingv1/workspace', '/other/messaging/v1/workspace']) {
    const answer = await ask(path);
    assert.is(answer.status, 404, path);
    assert.is(codeOf(answer), 'route_not_found');
    assert.ok(answer.body.includes(path));
    assert.match(answer.headers['x-request-id'] ?? '', /^req_[0-9A-Z]{26}$/);
  }
  for (const path of ['/messaging', '/messaging?a=b', '/messaging/']) {
    assert.match((await ask(path)).body, /There is no \/ here/, path);
  }
});

test('with next, paths outside of the mount reach the program', async (context) => {
  const { bench } = context;
  const host = nodeHost(bench.service, { basePath: '/messaging' });
  context.program = await listen((request, response) => {
    host(request, response, () => response.end(`the program has ${request.url}`));
  });
  assert.is(await (await fetch(`${context.program.origin}/own?x=1`)).text(), 'the program has /own?x=1');
  assert.is((await fetch(`${context.program.origin}/messaging/v1/workspace`)).status, 401);
});

test('a base path without a leading slash is refused when the host is created', ({ bench }) => {
  assert.throws(() => nodeHost(bench.service, { basePath: 'messaging' }), /basePath must start with a slash/);
});

test('a target may be in absolute form, or may not be a valid URL', async (context) => {
  const { bench } = context;
  context.program = await listen(nodeHost(bench.service));
  const head = `Host: a\r\nAuthorization: Bearer ${bench.liveKey}\r\nConnection: close\r\n\r\n`;
  const { port } = context.program;
  assert.match(await sendRaw(port, `GET http://a/v1/workspace HTTP/1.1\r\n${head}`), /^HTTP\/1\.1 200 /);
  assert.match(
    await sendRaw(port, `GET http://[/v1/workspace HTTP/1.1\r\n${head}`),
    /^HTTP\/1\.1 404 .*route_not_found/s,
  );
  assert.match(await sendRaw(port, `OPTIONS * HTTP/1.1\r\n${head}`), /^HTTP\/1\.1 404 /);
});

test('repeated headers are joined', async (context) => {
  const { seen, service } = listening(context.bench);
  context.program = await listen(nodeHost(service));
  await sendRaw(
    context.program.port,
    'GET /v1/workspace HTTP/1.1\r\nHost: a\r\nX-Tag: one\r\nx-tag: two\r\nSet-Cookie: a\r\nSet-Cookie: b\r\nConnection: close\r\n\r\n',
  );
  assert.is(seen[0]?.headers['x-tag'], 'one, two');
  assert.is(seen[0]?.headers['set-cookie'], 'a, b');
});

test('the host trusts the configured number of proxies', async (context) => {
  const { seen, service } = listening(context.bench);
  const settings: [trustProxy: boolean | number | undefined, expected: string][] = [
    [undefined, '127.0.0.1'],
    [false, '127.0.0.1'],
    [0, '127.0.0.1'],
    [1, '203.0.113.3'],
    [2, '203.0.113.2'],
    [9, '203.0.113.1'],
    [true, '203.0.113.1'],
  ];
  const headers = { 'x-forwarded-for': '203.0.113.1, 203.0.113.2,::ffff:203.0.113.3' };
  for (const [trustProxy, expected] of settings) {
    const program = await listen(nodeHost(service, trustProxy === undefined ? {} : { trustProxy }));
    await (await fetch(`${program.origin}/v1/workspace`, { headers })).text();
    await program.close();
    assert.is(seen.at(-1)?.address, expected, String(trustProxy));
  }
  const program = await listen(nodeHost(service, { trustProxy: true }));
  await (await fetch(`${program.origin}/v1/workspace`)).text();
  await program.close();
  assert.is(seen.at(-1)?.address, '127.0.0.1');
});

test("the server's limit of headers applies", async (context) => {
  context.program = await listen(nodeHost(context.bench.service));
  const head = `GET /v1/workspace HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`;
  assert.match(await sendRaw(context.program.port, head), /^HTTP\/1\.1 431 /);
  assert.is((await fetch(`${context.program.origin}/v1/workspace`)).status, 401);
});

test('a body that the program has already read is used if the program kept it in some form', async (context) => {
  const { bench } = context;
  const host = nodeHost(bench.service);
  const readBody = async (request: IncomingMessage): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  };
  context.program = await listen(async (request, response) => {
    const bytes = await readBody(request);
    const readMode = request.headers['x-read'];
    if (readMode === 'kept') Object.assign(request, { rawBody: bytes });
    if (readMode === 'parsed') Object.assign(request, { body: JSON.parse(bytes.toString()) as unknown });
    host(request, response);
  });
  const { origin } = context.program;
  assert.is((await post(`${origin}${sendPath}`, bench.liveKey, 'kept')).status, 202);
  assert.is((await post(`${origin}${sendPath}`, bench.liveKey, 'parsed')).headers['idempotent-replay'], 'true');
  const closedCall = await post(`${origin}${sendPath}`, bench.liveKey, 'gone');
  assert.equal([closedCall.status, codeOf(closedCall)], [500, 'body_already_consumed']);
});

test('after a small refused body the connection stays open; a large body is answered before its end', async (context) => {
  const { bench } = context;
  context.program = await listen(nodeHost(bench.service));
  const { port } = context.program;
  const ask = (length: number, sentBytes: number) =>
    new Promise<{ status: number | undefined; connection: string | undefined }>((resolve, reject) => {
      const request = httpRequest({
        port,
        host: '127.0.0.1',
        path: sendPath,
        method: 'POST',
        headers: {
          authorization: `Bearer ${bench.liveKey}`,
          'content-type': 'application/json',
          'content-length': length,
          connection: 'keep-alive',
        },
      });
      request.once('error', reject).once('response', (response) => {
        const { connection } = response.headers;
        response.resume().once('end', () => resolve({ status: response.statusCode, connection }));
      });
      request.write(Buffer.alloc(sentBytes, 'x'));
      if (sentBytes === length) request.end();
      else setImmediate(() => request.end(Buffer.alloc(length - sentBytes, 'x')));
    });
  assert.equal(await ask(30_000, 30_000), { status: 413, connection: 'keep-alive' });
  assert.equal(await ask(20_000_000, 1_000_000), { status: 413, connection: 'close' });
});

test('an answer without a body has no length, and arrives while the client is still sending', async (context) => {
  const { bench } = context;
  const dispatch = async () => ({ status: 204, headers: {}, body: '' });
  const host = nodeHost({ ...bench.service, dispatch });
  const responses: ServerResponse[] = [];
  context.program = await listen((request, response) => {
    responses.push(response);
    host(request, response);
  });
  const { port } = context.program;
  for (const length of [0, 1_000_000]) {
    const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers: { 'content-length': length } });
    request.on('error', () => undefined);
    if (length === 0) request.end();
    else request.write('x');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    assert.equal([response.statusCode, response.headers['content-length']], [204, undefined]);
    if (length > 0) assert.is(responses.at(-1)?.writableEnded, false, 'the answer waited for the upload');
    request.destroy();
  }
});

test('a call is aborted when its client disconnects; an answered call is not', async (context) => {
  const { bench } = context;
  const signals: AbortSignal[] = [];
  let signalArrival: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    signalArrival = resolve;
  });
  const dispatch = async (request: HttpRequest) => {
    const { signal } = request;
    assert.ok(signal);
    signals.push(signal);
    if (request.url !== '/wait') return bench.service.dispatch(request);
    signalArrival();
    await once(signal, 'abort');
    return { status: 408, headers: {}, body: '' };
  };
  context.program = await listen(nodeHost({ ...bench.service, dispatch }));
  const { origin } = context.program;
  await (await fetch(`${origin}/v1/workspace`)).text();
  const leaving = new AbortController();
  const abandonedCall = fetch(`${origin}/wait`, { signal: leaving.signal }).catch((error: unknown) => error);
  await waiting;
  leaving.abort();
  await abandonedCall;
  const [answeredSignal, abandonedSignal] = signals;
  assert.ok(abandonedSignal);
  if (!abandonedSignal.aborted) await once(abandonedSignal, 'abort');
  assert.is(answeredSignal?.aborted, false);
});

test('a fault of the host is logged and answered, or passed to a program with next', async (context) => {
  const { bench } = context;
  const lines: string[] = [];
  const log = { ...bench.service.core.log, error: (_fields: object, text: string) => void lines.push(text) };
  const core = { ...bench.service.core, log };
  const host = nodeHost({ core, dispatch: () => Promise.reject(new Error('a fault of the host')) });
  context.program = await listen((request, response) => {
    if (request.url === '/own') host(request, response, (error) => response.end(`the program: ${String(error)}`));
    else host(request, response);
  });
  const answer = await hostResponseOf(await fetch(`${context.program.origin}/v1/workspace`));
  assert.equal([answer.status, codeOf(answer), lines.length], [500, 'internal_error', 1]);
  assert.not.match(answer.body, /a fault of the host/);
  const ownAnswer = await fetch(`${context.program.origin}/own`);
  assert.is(await ownAnswer.text(), 'the program: Error: a fault of the host');
});

test.run();
