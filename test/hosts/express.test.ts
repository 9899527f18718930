// The Express host, apart from the translation of requests and answers: mount points, bodies that were already read, addresses, disconnects, and that it
// does not change the program's settings.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type express from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HttpRequest } from '../../core/index.ts';
import { expressHost } from '../../hosts/express/index.ts';
import { createHostBench, type HostBench } from './bench.ts';
import { hostResponseOf } from './host-clients.ts';
import { type ExpressVersion, embeddingProgram, listen, type RunningProgram, versions } from './programs.ts';

const test = suite<{ bench: HostBench; program: RunningProgram | undefined }>('Express host');

test.before.each(async (context) => {
  context.bench = await createHostBench();
  context.program = undefined;
});

test.after.each(async ({ bench, program }) => {
  await program?.close();
  await bench.close();
});

const message = { to: 'ada@example.com', variables: { name: 'Ada' } };

const post = (url: string, key: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': 'one',
      ...headers,
    },
    body: JSON.stringify(message),
  }).then(hostResponseOf);

const codeOf = ({ body }: { body: string }) => (JSON.parse(body) as { error: { code: string } }).error.code;

/** Registers a test for both versions, unless one is named. */
function testOn(
  name: string,
  run: (context: { bench: HostBench; program: RunningProgram | undefined }, version: ExpressVersion) => Promise<void>,
) {
  for (const version of ['Express 4', 'Express 5'] as const) {
    test(`${name} (${version})`, (context) => run(context, version));
  }
}

testOn('the host works at the root, at a deep path and in a router', async (context, version) => {
  const { bench } = context;
  const app = versions[version]();
  const router = versions[version].Router();
  router.use('/mail', expressHost(bench.service));
  app.use('/a/b', expressHost(bench.service));
  app.use('/r', router);
  app.use(expressHost(bench.service));
  context.program = await listen(app);
  for (const base of ['/a/b', '/r/mail', '']) {
    const response = await fetch(`${context.program.origin}${base}/v1/workspace`, {
      headers: { authorization: `Bearer ${bench.liveKey}` },
    });
    assert.is(response.status, 200, base);
  }
});

testOn('if a body was read and not kept, the error explains the remedy', async (context, version) => {
  const { bench } = context;
  const app = versions[version]();
  app.use((request, _response, next) => {
    request.on('end', () => next()).resume();
  });
  app.use('/messaging', expressHost(bench.service));
  context.program = await listen(app);
  const answer = await post(`${context.program.origin}/messaging/v1/templates/receipt/send`, bench.liveKey);
  assert.is(answer.status, 500);
  assert.is(codeOf(answer), 'body_already_consumed');
  assert.match(answer.body, /before the body parser/);
});

testOn('the host accepts bodies that the program kept as bytes or as text', async (context, version) => {
  const { bench } = context;
  const make = versions[version];
  const app = make();
  app.use('/raw', make.raw({ type: '*/*' }), expressHost(bench.service));
  app.use('/text', make.text({ type: '*/*' }), expressHost(bench.service));
  const keep = (request: IncomingMessage, _response: ServerResponse, bytes: Buffer) => {
    Object.assign(request, { rawBody: bytes });
  };
  app.use('/kept', make.json({ verify: keep }), (request, _response, next) => {
    request.body = { changed: 'by the program' };
    next();
  });
  app.use('/kept', expressHost(bench.service));
  context.program = await listen(app);
  for (const base of ['/raw', '/text', '/kept']) {
    const url = `${context.program.origin}${base}/v1/templates/receipt/send`;
    const answer = await post(url, bench.liveKey, { 'idempotency-key': base });
    assert.is(answer.status, 202, answer.body);
  }
});

testOn('the program answers its own routes and handles its own errors', async (context, version) => {
  const { bench } = context;
  context.program = await listen(embeddingProgram(version, bench.service, 'before'));
  const { origin } = context.program;
  const callOwnRoute = (path: string, body: string) =>
    fetch(`${origin}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(
      hostResponseOf,
    );
  assert.equal(JSON.parse((await callOwnRoute('/own', '{"a":1}')).body), { own: { a: 1 } });
  assert.is((await callOwnRoute('/own?fail', '{}')).body, '{"program":"the program failed"}');
  const brokenAnswer = await callOwnRoute('/own', '{');
  assert.is(brokenAnswer.status, 599);
});

testOn(
  'errors that no body parser threw reach the program, even under the mount of the host',
  async (context, version) => {
    const { bench } = context;
    const app = versions[version]();
    app.use((_request, _response, next) => next(new Error('the program failed first')));
    app.use('/messaging', expressHost(bench.service));
    app.use(((error, _request, response, _next) => {
      response.status(599).send(String(error));
    }) satisfies express.ErrorRequestHandler);
    context.program = await listen(app);
    const response = await fetch(`${context.program.origin}/messaging/v1/workspace`);
    assert.is(response.status, 599);
    assert.match(await response.text(), /the program failed first/);
  },
);

testOn('faults of the host itself reach the program', async (context, version) => {
  const { bench } = context;
  const dispatch = () => Promise.reject(new Error('a fault of the host'));
  context.program = await listen(embeddingProgram(version, { ...bench.service, dispatch }, 'none'));
  const response = await fetch(`${context.program.origin}/messaging/v1/workspace`);
  assert.is(response.status, 599);
  assert.match(await response.text(), /a fault of the host/);
});

testOn('the host answers unknown paths itself, or passes them on if configured so', async (context, version) => {
  const { bench } = context;
  const app = versions[version]();
  app.use('/strict', expressHost(bench.service));
  app.use('/open', expressHost(bench.service, { fallthrough: true }));
  app.use((request, response) => void response.status(200).send(`the program has ${request.originalUrl}`));
  context.program = await listen(app);
  const { origin } = context.program;
  const get = (path: string) => fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${bench.liveKey}` } });
  assert.is((await get('/strict/nothing')).status, 404);
  assert.is(await (await get('/open/nothing')).text(), 'the program has /open/nothing');
  const missing = await hostResponseOf(await get('/open/v1/templates/none'));
  assert.is(missing.status, 404);
  assert.is(codeOf(missing), 'template_not_found');
});

testOn('if the host passes paths on, the program handles bodies that its parser refused', async (context, version) => {
  const { bench } = context;
  const app = versions[version]();
  app.use(versions[version].json());
  app.use(expressHost(bench.service, { fallthrough: true }));
  app.post('/orders', (_request, response) => void response.status(200).send('ordered'));
  context.program = await listen(app);
  const post = (path: string, body: string) =>
    fetch(`${context.program?.origin}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
  assert.is((await post('/orders', '{"whole": true}')).status, 200);
  assert.is((await post('/orders', '{"broken')).status, 400);
});

testOn("the client address follows Express's trust proxy setting", async (context, version) => {
  const { bench } = context;
  const addresses: (string | undefined)[] = [];
  const dispatch = (request: HttpRequest) => {
    addresses.push(request.address);
    return bench.service.dispatch(request);
  };
  const plain = versions[version]();
  plain.use(expressHost({ ...bench.service, dispatch }));
  const behindProxy = versions[version]().set('trust proxy', 'loopback');
  behindProxy.use(expressHost({ ...bench.service, dispatch }));
  const outer = versions[version]();
  outer.use('/plain', (request, response) => plain(request, response));
  outer.use('/proxied', (request, response) => behindProxy(request, response));
  context.program = await listen(outer);
  for (const base of ['/plain', '/proxied']) {
    await fetch(`${context.program.origin}${base}/v1/workspace`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
  }
  assert.equal(addresses, ['127.0.0.1', '203.0.113.9']);
});

testOn(
  'the host changes no setting of the program and keeps headers that the program set',
  async (context, version) => {
    const { bench } = context;
    const app = versions[version]();
    app.use((_request, response, next) => {
      response.setHeader('Access-Control-Allow-Origin', 'https://app.example');
      next();
    });
    const before = { ...(app.settings as Record<string, unknown>) };
    app.use('/messaging', expressHost(bench.service));
    assert.equal({ ...(app.settings as Record<string, unknown>) }, before);
    context.program = await listen(app);
    const { headers } = await fetch(`${context.program.origin}/messaging/v1/workspace`);
    assert.is(headers.get('access-control-allow-origin'), 'https://app.example');
    assert.is(headers.get('x-powered-by'), 'Express');
    assert.is(headers.get('etag'), null);
  },
);

testOn('repeated headers are joined', async (context, version) => {
  const { bench } = context;
  const seenHeaders: HttpRequest['headers'][] = [];
  const dispatch = (request: HttpRequest) => {
    seenHeaders.push(request.headers);
    return bench.service.dispatch(request);
  };
  context.program = await listen(embeddingProgram(version, { ...bench.service, dispatch }, 'none'));
  const socket = new Socket().connect(context.program.port, '127.0.0.1');
  socket.write(
    'GET /messaging/v1/workspace HTTP/1.1\r\nHost: a\r\nX-Tag: one\r\nx-tag: two\r\nSet-Cookie: a\r\nSet-Cookie: b\r\nConnection: close\r\n\r\n',
  );
  socket.resume();
  await once(socket, 'close');
  assert.is(seenHeaders[0]?.['x-tag'], 'one, two');
  assert.is(seenHeaders[0]?.['set-cookie'], 'a, b');
});

testOn('a call is aborted when its client disconnects; an answered call is not', async (context, version) => {
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
  context.program = await listen(embeddingProgram(version, { ...bench.service, dispatch }, 'none'));
  const { origin } = context.program;
  await (await fetch(`${origin}/messaging/v1/workspace`)).text();
  const leaving = new AbortController();
  const abandonedCall = fetch(`${origin}/messaging/wait`, { signal: leaving.signal }).catch((error: unknown) => error);
  await waiting;
  leaving.abort();
  await abandonedCall;
  const [answeredSignal, abandonedSignal] = signals;
  assert.ok(abandonedSignal);
  if (!abandonedSignal.aborted) await once(abandonedSignal, 'abort');
  assert.is(answeredSignal?.aborted, false);
});

test.run();
