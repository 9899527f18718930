// `postrider mcp` line by line: input that no client library would write, and servers that are down, slow, faulty or missing.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSimulatedClock } from '../../hosts/testing/simulated-clock.ts';
import { envelopeIn, launch, startScriptedServer } from './mcp-launcher-process.ts';
import { modernMeta } from './mcp-wire.ts';
import { type NotesService, startNotes } from './notes-service.ts';

const test = suite('launcher');
let notes: NotesService;
let workspaceId: string;

test.before(async () => {
  notes = await startNotes({ clock: createSimulatedClock() });
  workspaceId = await notes.workspace('Ada and sons');
});
test.after(() => notes.stop());

const start = async (args: readonly string[] = [], url = notes.url) =>
  launch(['--url', url, ...args], { POSTRIDER_API_KEY: await notes.key(workspaceId) });
const request = (id: unknown, method: string, params?: object) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params === undefined ? {} : { params }),
});
const call = (id: unknown, name: string, args: object, meta?: object) =>
  request(id, 'tools/call', { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) });
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('messages are parsed from any chunks: several messages in one write, split messages and characters, CRLF, blank lines', async () => {
  const launcher = await start();
  const many = [1, 2, 3].map((id) => JSON.stringify(request(id, 'ping'))).join('\r\n');
  launcher.write(`\ufeff${many}\r\n\r\n   \n`);
  const bytes = Buffer.from(JSON.stringify(call('ü', 'read_note', { key: 'größe' })));
  const cut = bytes.indexOf(0xc3) + 1;
  launcher.write(bytes.subarray(0, cut));
  await launcher.answer(3);
  launcher.write(bytes.subarray(cut));
  launcher.write('\n');
  const result = await launcher.answer('ü');
  assert.is((result.result?.structuredContent as { key: string } | undefined)?.key, 'größe');
  launcher.write(JSON.stringify(request('last', 'ping')));
  const { exitCode, stdout, stderr } = await launcher.end();
  assert.is(exitCode, 0);
  assert.equal(
    linesOf(stdout)
      .map(({ id }) => id)
      .sort(),
    [1, 2, 3, 'last', 'ü'],
  );
  assert.match(stderr, /serving http:/);
});

test('a line that is not a message gets a protocol error, and the next line is processed', async () => {
  const launcher = await start();
  launcher.write('{"jsonrpc":\n');
  launcher.write('"text"\n');
  launcher.write(`${JSON.stringify([request(1, 'ping')])}\n`);
  launcher.write(Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]));
  launcher.send({ jsonrpc: '2.0', id: { a: 1 }, method: 'ping' });
  launcher.send({ jsonrpc: '2.0', id: 'nameless' });
  launcher.send({ jsonrpc: '2.0', id: 'answer', result: {} });
  launcher.send(request('good', 'ping'));
  await launcher.answer('good');
  const { exitCode, stdout } = await launcher.end();
  assert.is(exitCode, 0);
  const faults = linesOf(stdout).filter(({ id }) => id !== 'good');
  assert.equal(
    faults.map(({ id, error }) => [id, (error as { code: number }).code]),
    [
      [null, -32700],
      [null, -32700],
      [null, -32600],
      [null, -32700],
      [null, -32600],
      ['nameless', -32600],
    ],
  );
});

test('a large message arrives complete, and the endpoint refuses a message above the limit', async () => {
  const launcher = await start();
  const extra = { text: 'x'.repeat(5_000_000) };
  launcher.send(call('large', 'create_note', { title: 'Large', extra }));
  assert.not.ok((await launcher.answer('large')).result?.isError);
  launcher.send(call('larger', 'create_note', { title: 'Larger', extra: { text: 'x'.repeat(16_000_000) } }));
  const refusal = await launcher.answer('larger');
  assert.is(envelopeIn(refusal).code, 'payload_too_large');
  assert.is((await launcher.end()).exitCode, 0);
});

test('for 2026-07-28 without a library, the launcher sets the headers, even for unusual names', async () => {
  const launcher = await start();
  const params = { name: 'read_note', arguments: { key: 'n1' }, _meta: modernMeta };
  launcher.send(request(1, 'tools/call', params));
  assert.is((await launcher.answer(1)).result?.resultType, 'complete');
  launcher.send(request(2, 'resources/read', { uri: 'postrider://nöte/ 1', _meta: modernMeta }));
  assert.is((await launcher.answer(2)).error?.code, -32602, 'the endpoint reports no header mismatch');
  launcher.send(request(3, 'no\nsuch', { _meta: modernMeta }));
  assert.ok((await launcher.answer(3)).error);
  await launcher.end();
});

test('every message after initialize carries the negotiated version', async () => {
  const versions: Record<string, unknown>[] = [];
  const server = await startScriptedServer((incoming, response, body) => {
    const { id, method } = JSON.parse(body) as { id?: unknown; method: string };
    versions.push({ method, ...incoming.headers });
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const result = method === 'initialize' ? { protocolVersion: '2025-06-18', capabilities: {} } : {};
    response.writeHead(200, { 'Content-Type': 'application/json', 'Mcp-Session-Id': 'session-1' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }, null, 2));
  });
  const launcher = await start([], server.url);
  launcher.send(request(0, 'initialize', { protocolVersion: '2025-11-25' }));
  await launcher.answer(0);
  launcher.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  launcher.send(request('b', 'ping'));
  await launcher.answer('b');
  const { stdout } = await launcher.end();
  await server.stop();
  assert.is(
    linesOf(stdout).length,
    2,
    'a response with line breaks is written as one line, and a notification has no response',
  );
  const rows = versions.map((headers) => [headers.method, headers['mcp-protocol-version'], headers['mcp-session-id']]);
  assert.equal(rows.sort(), [
    ['initialize', undefined, undefined],
    ['notifications/initialized', '2025-06-18', 'session-1'],
    ['ping', '2025-06-18', 'session-1'],
  ]);
  assert.match(String(versions[0]?.['user-agent']), /^postrider-mcp\/\d/);
  assert.match(String(versions[0]?.authorization), /^Bearer acme_/);
});

test('a canceled request is aborted and gets no response, and other requests continue', async () => {
  const hung: string[] = [];
  const server = await startScriptedServer((incoming, response, body) => {
    const { id, method } = JSON.parse(body) as { id: string; method: string };
    if (method === 'ping') {
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
      return;
    }
    incoming.socket.once('close', () => hung.push(id));
    hung.push(`asked ${id}`);
  });
  const launcher = await start([], server.url);
  launcher.send(call('slow', 'read_note', {}));
  launcher.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'unknown' } });
  launcher.send(request('ping', 'ping'));
  await launcher.answer('ping');
  while (!hung.includes('asked slow')) await new Promise((resolve) => setTimeout(resolve, 5));
  launcher.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'slow', reason: 'enough' } });
  while (!hung.includes('slow')) await new Promise((resolve) => setTimeout(resolve, 5));
  const { exitCode, stdout } = await launcher.end();
  await server.stop();
  assert.is(exitCode, 0);
  assert.equal(
    linesOf(stdout).map(({ id }) => id),
    ['ping'],
  );
});

test('at the end of its input, the launcher waits for requests in flight', async () => {
  let answerNow: () => void = () => undefined;
  const requestArrived = new Promise<void>((resolve) => {
    answerNow = resolve;
  });
  const responses: (() => void)[] = [];
  const server = await startScriptedServer((_incoming, response, body) => {
    const { id } = JSON.parse(body) as { id: string };
    responses.push(() => response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { late: true } })));
    answerNow();
  });
  const launcher = await start([], server.url);
  launcher.send(request('held', 'ping'));
  await requestArrived;
  const exit = launcher.end();
  for (const release of responses) release();
  const { exitCode, stdout } = await exit;
  await server.stop();
  assert.is(exitCode, 0);
  assert.equal(linesOf(stdout), [{ jsonrpc: '2.0', id: 'held', result: { late: true } }]);
});

test('for a refused key or a rate limit, the error has the envelope and the time to wait', async () => {
  const withBadKey = launch(['--url', notes.url], { POSTRIDER_API_KEY: 'acme_mcp_nonsense' });
  withBadKey.send(request('key', 'ping'));
  assert.is(envelopeIn(await withBadKey.answer('key')).code, 'invalid_api_key');
  assert.is((await withBadKey.end()).exitCode, 0);

  const launcher = await start();
  for (let id = 0; id < 80; id += 1) launcher.send(request(id, 'ping'));
  const answers = await Promise.all(Array.from({ length: 80 }, (_, id) => launcher.answer(id)));
  const envelope = envelopeIn(answers.find((answer) => answer.error !== undefined) ?? {});
  assert.is(envelope.code, 'key_rate_limit');
  assert.ok(Number(envelope.retry_after_seconds) > 0);
  await launcher.end();
});

test('if the server is down, each request gets an error, and when it is back, the next request works', async () => {
  const first = await startScriptedServer((_incoming, response) => response.end());
  const { url } = first;
  await first.stop();
  const launcher = await start([], url);
  launcher.send(request(1, 'ping'));
  const down = await launcher.answer(1);
  assert.is(envelopeIn(down).code, 'server_unreachable');
  assert.match(down.error?.message ?? '', /nothing listens there/);
  launcher.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  launcher.send(request(2, 'ping'));
  await launcher.answer(2);
  const { exitCode, stderr } = await launcher.end();
  assert.is(exitCode, 0);
  assert.match(stderr, /notifications\/initialized: .*cannot be reached/);
});

test('a response that is not from an MCP endpoint becomes an error that says what to do', async () => {
  const cases: [number, Record<string, string>, string, RegExp, Record<string, unknown>][] = [
    [401, { 'Content-Type': 'text/html' }, '<h1>No</h1>', /answered 401\. The key in POSTRIDER_API_KEY/, {}],
    [429, { 'Retry-After': '7' }, 'slow down', /no more requests/, { retry_after_seconds: 7 }],
    [404, {}, '<html>', /ends in \/v1\/mcp/, {}],
    [
      404,
      {},
      JSON.stringify({ error: { code: 'route_not_found', message: 'There is no /x here.' } }),
      /There is no \/x here\. The endpoint ends in \/v1\/mcp,/,
      { code: 'route_not_found' },
    ],
    [
      301,
      { Location: 'https://elsewhere.test/v1/mcp' },
      '',
      /redirects to https:\/\/elsewhere\.test/,
      { code: 'redirected' },
    ],
    [502, {}, 'Bad gateway', /answered 502\. Try again/, {}],
    [200, {}, '<html>', /does not come from an MCP endpoint/, {}],
    [200, {}, '{"jsonrpc":"2.0"}', /does not come from an MCP endpoint/, {}],
    [202, {}, '', /does not come from an MCP endpoint/, {}],
  ];
  let at = 0;
  const server = await startScriptedServer((_incoming, response) => {
    const [status, headers, body] = cases[at]!;
    response.writeHead(status, headers).end(body);
  });
  // This is not the path of the endpoint, so the error texts mention it.
  const launcher = await start([], new URL('/messaging', server.url).href);
  for (const [, , , words, more] of cases) {
    launcher.send(request(`case ${at}`, 'ping'));
    const answer = await launcher.answer(`case ${at}`);
    assert.is(answer.error?.code, -32000);
    assert.match(answer.error?.message ?? '', words);
    const envelope = envelopeIn(answer);
    for (const [name, value] of Object.entries(more)) assert.is(envelope[name], value);
    at += 1;
  }
  await launcher.end();
  await server.stop();
});

test('a broken connection and a timeout give different errors', async () => {
  const server = await startScriptedServer((incoming, _response, body) => {
    if (body.includes('"break"')) incoming.socket.destroy();
  });
  const launcher = await start(['--timeout', '0.5'], server.url);
  launcher.send(request('break', 'break'));
  launcher.send(request('hang', 'hang'));
  const codeOf = async (id: string) => envelopeIn(await launcher.answer(id)).code;
  assert.is(await codeOf('break'), 'connection_lost');
  assert.is(await codeOf('hang'), 'request_timeout');
  assert.is((await launcher.end()).exitCode, 0);
  await server.stop();
});

test('an invalid configuration exits at once with one line on stderr and exit code 2', async () => {
  const cases: [readonly string[], Record<string, string>, RegExp][] = [
    [[], {}, /POSTRIDER_API_KEY is not set/],
    [[], { POSTRIDER_API_KEY: '$POSTRIDER_API_KEY' }, /still a placeholder/],
    [[], { POSTRIDER_API_KEY: 'Bearer acme_live_x' }, /begins with Bearer/],
    [[], { POSTRIDER_API_KEY: 'acme live' }, /a character that no key has/],
    [['--url', 'app.example.com'], { POSTRIDER_API_KEY: 'k' }, /--url is not an http or https URL/],
    [[], { POSTRIDER_API_KEY: 'k', POSTRIDER_MCP_URL: 'file:///x' }, /POSTRIDER_MCP_URL is not an http/],
    [['--url', 'http://a:b@x.test/'], { POSTRIDER_API_KEY: 'k' }, /a user name or a password/],
    [['--timeout', 'soon'], { POSTRIDER_API_KEY: 'k' }, /--timeout takes seconds/],
    [['--toolset', 'email'], { POSTRIDER_API_KEY: 'k' }, /Unknown option --toolset/],
  ];
  const results = await Promise.all(cases.map(([args, env]) => launch(args, env).end()));
  for (const [at, { exitCode, stdout, stderr }] of results.entries()) {
    const [args, , words] = cases[at]!;
    assert.equal([exitCode, stdout], [2, ''], args.join(' '));
    assert.match(stderr, words);
    assert.is(stderr.trim().split('\n').length, 1, stderr);
    assert.not.ok(stderr.includes('acme_live_x'));
  }
});

test('--json is refused, because stdout is used for messages', async () => {
  const { exitCode, stdout, stderr } = await launch(['--json'], { POSTRIDER_API_KEY: 'k' }).end();
  assert.is(exitCode, 2);
  assert.match(stderr, /Leave out --json/);
  assert.match(stdout, /^{"error":/);
});

test('the launcher warns before it sends a key to another host without encryption', async () => {
  const launcher = launch(['--url', 'http://mcp.example.test/v1/mcp'], { POSTRIDER_API_KEY: 'k' });
  assert.match((await launcher.end()).stderr, /unencrypted/);
});

test('a signal ends the launcher even while a call is in flight', async () => {
  let markArrived: () => void = () => undefined;
  const arrival = new Promise<void>((resolve) => {
    markArrived = resolve;
  });
  const server = await startScriptedServer(() => markArrived());
  const launcher = await start([], server.url);
  launcher.send(request(1, 'ping'));
  await arrival;
  launcher.kill('SIGTERM');
  const { exitCode, stdout } = await launcher.end();
  await server.stop();
  assert.equal([exitCode, stdout], [0, '']);
});

test.run();
