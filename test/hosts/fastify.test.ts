// The Fastify host, apart from the translation of requests and answers: prefixes, bodies, limits, ids, logs, addresses, HTTP/2, and that
// it does not change the program's settings.
import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HttpRequest } from '../../core/index.ts';
import { type FastifyHostOptions, fastifyHost } from '../../hosts/fastify/index.ts';
import { createHostBench, type HostBench, maxBodyBytes } from './bench.ts';
import { fastifyProgram, listening } from './fastify-programs.ts';
import { hostResponseOf } from './host-clients.ts';

const test = suite<{ bench: HostBench; app: FastifyInstance }>('Fastify host');

test.before.each(async (context) => {
  context.bench = await createHostBench();
});

test.after.each(async ({ bench, app }) => {
  await app.close();
  await bench.close();
});

const sendPath = '/messaging/v1/templates/receipt/send';
const message = { to: 'ada@example.com', variables: { name: 'Ada' } };
const keepOpen: FastifyHostOptions = { stopOnClose: false };

const codeOf = ({ body }: { body: string }) => (JSON.parse(body) as { error: { code: string } }).error.code;

/** Sends a mail without a socket. */
const post = (app: FastifyInstance, key: string, payload: unknown = message, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: sendPath,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': 'one',
      ...headers,
    },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });

/** A service that records its requests. */
function listeningService({ service }: HostBench) {
  const requests: HttpRequest[] = [];
  const dispatch = (request: HttpRequest) => {
    requests.push(request);
    return service.dispatch(request);
  };
  return { requests, service: { ...service, dispatch } };
}

test('the host works at every kind of prefix, and in nested plugins', async (context) => {
  const { bench } = context;
  const app = fastify({ routerOptions: { caseSensitive: false, ignoreDuplicateSlashes: true } });
  context.app = app;
  app.register(fastifyHost(bench.service, keepOpen), { prefix: '/a/b' });
  app.register(fastifyHost(bench.service, keepOpen), { prefix: '/slash/' });
  app.register(fastifyHost(bench.service, keepOpen), { prefix: '/tenants/:tenant/mail' });
  app.register(
    async (inner) => {
      inner.register(fastifyHost(bench.service, keepOpen), { prefix: '/mail' });
    },
    { prefix: '/nested' },
  );
  app.get('/', async () => 'the program');
  const get = (url: string) => app.inject({ url, headers: { authorization: `Bearer ${bench.liveKey}` } });
  const mounts = [
    '/a/b',
    '/slash',
    '/tenants/acme/mail',
    '/nested/mail',
    '/A/b',
    '/a//b',
    '/a/%62',
    '/tenants/a%2Fb/mail',
  ];
  for (const mount of mounts) {
    const answer = await get(`${mount}/v1/suppressions?limit=5`);
    assert.is(answer.statusCode, 200, `${mount}: ${answer.body}`);
  }
  for (const mount of ['/a/b', '/a/b/', '/nested/mail?x=1'])
    assert.is(codeOf(await get(mount)), 'route_not_found', mount);
  assert.is((await get('/')).body, 'the program');
});

test('the host may be mounted at the root beside routes of the program', async (context) => {
  const { bench } = context;
  context.app = fastify();
  context.app.register(fastifyHost(bench.service, { ...keepOpen, fallthrough: true }));
  context.app.get('/', async () => 'the program');
  context.app.setNotFoundHandler((_request, reply) => reply.code(404).send('nothing of the program'));
  assert.is((await context.app.inject('/')).body, 'the program');
  assert.is((await context.app.inject('/v1/workspace')).statusCode, 401);
  assert.is((await context.app.inject('/nothing')).body, 'nothing of the program');
});

test('the program keeps its own parsers, handlers and routes', async (context) => {
  const { bench } = context;
  const app = fastifyProgram(bench.service);
  context.app = app;
  const callOwnRoute = (url: string, payload: string, type = 'application/json') =>
    app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } });
  assert.equal((await callOwnRoute('/own', '{"a":1}')).json(), { own: { a: 1 } });
  assert.equal((await callOwnRoute('/own', 'x', 'application/x-own')).json(), { own: { own: 'x' } });
  assert.equal((await callOwnRoute('/own?fail', '{}')).json(), { program: 'the program failed' });
  assert.is((await callOwnRoute('/own', '{')).statusCode, 599);
  assert.is((await callOwnRoute('/own', 'x', 'application/x-nobody')).statusCode, 599);
  assert.is((await app.inject('/nothing')).body, 'the program has no /nothing');
});

test('the service checks the key before it refuses an invalid Content-Type', async (context) => {
  const { bench } = context;
  const app = fastifyProgram(bench.service);
  context.app = app;
  for (const type of ['nonsense', 'a/b/c; d']) {
    assert.is(codeOf(await post(app, bench.liveKey, message, { 'content-type': type })), 'media_type_unsupported');
    assert.is(codeOf(await post(app, 'nobody', message, { 'content-type': type })), 'invalid_api_key');
  }
});

test("the program's hooks run for requests of the mount, and answer the requests that they refuse", async (context) => {
  const { bench } = context;
  const app = fastifyProgram(bench.service);
  context.app = app;
  const seenPaths: string[] = [];
  app.addHook('onRequest', async (request, reply) => {
    reply.header('access-control-allow-origin', 'https://app.example');
    if (request.headers['x-blocked'] !== undefined) throw new Error('blocked by the program');
  });
  app.addHook('onSend', async (_request, reply, payload) => {
    reply.header('x-length', String(payload).length);
  });
  app.addHook('onResponse', async (request) => {
    seenPaths.push(request.url);
  });
  app.addHook('onError', async (_request, _reply, error) => {
    seenPaths.push(error.message);
  });
  const answer = await post(app, bench.liveKey);
  assert.is(answer.statusCode, 202);
  assert.is(answer.headers['access-control-allow-origin'], 'https://app.example');
  assert.is(answer.headers['x-length'], String(answer.body.length));
  const blockedAnswer = await post(app, bench.liveKey, message, { 'x-blocked': '1' });
  assert.equal([blockedAnswer.statusCode, blockedAnswer.json()], [599, { program: 'blocked by the program' }]);
  assert.equal(seenPaths, [sendPath, 'blocked by the program', sendPath]);
});

test('a body that a preParsing hook replaced is used; a body that another listener has read is refused', async (context) => {
  const { bench } = context;
  const app = fastifyProgram(bench.service);
  context.app = app;
  app.addHook('preParsing', async (request, _reply, payload) => {
    if (request.headers['x-upper'] === undefined) return payload;
    const replacedBody = new PassThrough();
    payload.on('data', (chunk: Buffer) => replacedBody.write(chunk.toString().replace('ADA@', 'ada@')));
    payload.on('end', () => replacedBody.end());
    return replacedBody;
  });
  app.addHook('preValidation', async (request) => {
    if (request.headers['x-listener'] !== undefined)
      await new Promise((resolve) => request.raw.once('data', resolve).once('end', resolve));
  });
  const changedText = JSON.stringify(message).replace('ada@', 'ADA@');
  const answer = await post(app, bench.liveKey, changedText, { 'x-upper': '1' });
  assert.equal([answer.statusCode, answer.json<{ to: string }>().to], [202, 'ada@example.com']);
  const lostBody = await post(app, bench.liveKey, message, { 'x-listener': '1' });
  assert.equal([lostBody.statusCode, codeOf(lostBody)], [500, 'body_already_consumed']);
});

/** Sends a body of this size to a program with these limits. Returns the limit in the refusal. */
async function limitInRefusal(bytes: number, bench: HostBench, options: { program?: number; mount?: number }) {
  const app = fastify(options.program === undefined ? {} : { bodyLimit: options.program });
  const bodyLimit = options.mount === undefined ? {} : { bodyLimit: options.mount };
  app.register(fastifyHost(bench.service, { ...keepOpen, ...bodyLimit }), { prefix: '/messaging' });
  const large = { ...message, variables: { name: 'x'.repeat(bytes) } };
  const refusal = await post(app, bench.liveKey, large);
  const nobody = await post(app, 'nobody', large);
  assert.equal([refusal.statusCode, codeOf(refusal), nobody.statusCode], [413, 'payload_too_large', 401]);
  await app.close();
  return /\d[\d,]*/.exec(refusal.json<{ error: { message: string } }>().error.message)?.[0] ?? '';
}

test("the smallest body limit applies, and Fastify's default counts as no limit", async (context) => {
  const { bench } = context;
  context.app = fastify();
  assert.is(await limitInRefusal(2_000_000, bench, {}), String(maxBodyBytes));
  assert.is(await limitInRefusal(2_000_000, bench, { program: 1_048_576 }), String(maxBodyBytes));
  assert.is(await limitInRefusal(15_000, bench, { program: 5_000 }), '5000');
  assert.is(await limitInRefusal(2_000_000, bench, { program: 50_000_000 }), String(maxBodyBytes));
  assert.is(await limitInRefusal(15_000, bench, { program: 5_000, mount: 7_000 }), '7000');
  assert.is(await limitInRefusal(2_000_000, bench, { mount: 50_000_000 }), String(maxBodyBytes));
});

test('a limit of the program also applies to a body without a length', async (context) => {
  const { bench } = context;
  context.app = fastify({ bodyLimit: 900 });
  context.app.register(fastifyHost(bench.service, keepOpen), { prefix: '/messaging' });
  const origin = await listening(context.app);
  const send = async (bytes: number) =>
    hostResponseOf(
      await fetch(`${origin}${sendPath}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${bench.liveKey}`,
          'content-type': 'application/json',
          'idempotency-key': 'one',
        },
        body: new Blob([JSON.stringify({ ...message, variables: { name: 'x'.repeat(bytes) } })]).stream(),
        duplex: 'half',
      } as RequestInit),
    );
  const refusal = await send(900);
  assert.equal([refusal.status, codeOf(refusal)], [413, 'payload_too_large']);
  assert.is((await send(100)).status, 202);
});

test("a valid request id of the program is used, otherwise the client's", async (context) => {
  const { bench } = context;
  const ownId = 'req_01ARZ3NDEKTSV4RRFFQ69G5FAV';
  const clientId = 'req_01BX5ZZKBKACTAV9WEVGEMMVRZ';
  const idWith = async (genReqId: (() => string) | undefined, headers: Record<string, string>) => {
    const app = fastify(genReqId === undefined ? {} : { genReqId });
    app.register(fastifyHost(bench.service, keepOpen));
    const answer = await app.inject({ url: '/v1/workspace', headers });
    await app.close();
    const { error } = answer.json<{ error: { request_id: string } }>();
    assert.is(answer.headers['x-request-id'], error.request_id);
    return error.request_id;
  };
  context.app = fastify();
  assert.is(await idWith(() => ownId, { 'x-request-id': clientId }), ownId);
  assert.is(await idWith(undefined, { 'x-request-id': clientId }), clientId);
  for (const otherId of [() => 'req_of_another_form', () => 'mine', undefined])
    assert.match(await idWith(otherId, {}), /^req_[0-9A-HJKMNP-TV-Z]{26}$/);
});

test("a fault of the host is logged by the program's logger and answered in the service's form", async (context) => {
  const { bench } = context;
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  context.app = fastify({ logger: { level: 'error', stream }, genReqId: () => 'one-of-the-program' });
  context.app.setErrorHandler(() => assert.unreachable('the fault is not the program’s'));
  const dispatch = () => Promise.reject(new Error('a fault of the host'));
  context.app.register(fastifyHost({ ...bench.service, dispatch }, keepOpen));
  const answer = await context.app.inject('/v1/workspace');
  const { code, request_id } = answer.json<{ error: { code: string; request_id: string } }>().error;
  assert.equal([answer.statusCode, code, lines.length], [500, 'internal_error', 1]);
  assert.not.match(answer.body, /a fault of the host/);
  const {
    reqId,
    request_id: loggedId,
    err,
  } = lines[0] as { reqId: string; request_id: string; err: { message: string } };
  assert.equal([reqId, loggedId, err.message], ['one-of-the-program', request_id, 'a fault of the host']);
});

test("the client address follows Fastify's trustProxy", async (context) => {
  const { bench } = context;
  const { requests, service } = listeningService(bench);
  context.app = fastify();
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  for (const trustProxy of [false, 'loopback']) {
    const app = fastify({ trustProxy });
    app.register(fastifyHost(service, keepOpen));
    await app.inject({ url: '/v1/workspace', headers });
    await app.inject({ url: '/v1/workspace', remoteAddress: '::ffff:192.0.2.1' });
    await app.close();
  }
  assert.equal(
    requests.map(({ address }) => address),
    ['127.0.0.1', '192.0.2.1', '203.0.113.9', '192.0.2.1'],
  );
});

test('if the program has answered in its place, the host writes nothing', async (context) => {
  const { bench } = context;
  let continueProgram: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    continueProgram = resolve;
  });
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  context.app = fastify({ handlerTimeout: 30, logger: { level: 'warn', stream } });
  const answers: Promise<unknown>[] = [];
  const dispatch = (request: HttpRequest) => {
    const answer = waiting.then(() => bench.service.dispatch(request));
    answers.push(answer);
    return answer;
  };
  context.app.register(fastifyHost({ ...bench.service, dispatch }, keepOpen));
  assert.is((await context.app.inject('/v1/workspace')).statusCode, 503);
  const before = lines.length;
  continueProgram();
  await Promise.all(answers);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(lines.slice(before), []);
});

test("the host adds no routes to the program's documentation", async (context) => {
  const { bench } = context;
  context.app = fastify();
  const listedPaths: string[] = [];
  context.app.addHook('onRoute', ({ url, schema }) => {
    if ((schema as { hide?: boolean } | undefined)?.hide !== true) listedPaths.push(url);
  });
  context.app.register(fastifyHost(bench.service, keepOpen), { prefix: '/messaging' });
  context.app.get('/own', async () => 'own');
  await context.app.ready();
  assert.equal([...new Set(listedPaths)], ['/own']);
});

test.run();
