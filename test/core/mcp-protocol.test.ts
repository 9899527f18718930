// The MCP endpoint with raw requests: input that no SDK would send, and behaviour that every client needs.
// full-run: slow
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMcpEndpoint } from '../../core/mcp/endpoint.ts';
import { installedSdks, MissingSdkError, type SdkLoader } from '../../core/mcp/sdk.ts';
import { createSimulatedClock } from '../../hosts/testing/simulated-clock.ts';
import { loadedPackages } from '../guards/loaded-packages.ts';
import {
  callOf,
  envelopeOf,
  type McpWireResponse,
  message,
  modernHeaders,
  modernMeta,
  type PostOptions,
  postTo,
} from './mcp-wire.ts';
import { type NotesService, startNotes } from './notes-service.ts';

const test = suite('MCP endpoint: protocol');
let notes: NotesService;
let workspaceId: string;

test.before(async () => {
  // The clock is simulated, so that no rate limit recovers between two requests.
  notes = await startNotes({
    settings: { maxBodyBytes: 100_000, toolOrigins: ['https://app.acme.test'] },
    publicUrl: 'https://acme.test:8443/messaging',
    clock: createSimulatedClock(),
  });
  workspaceId = await notes.workspace('Ada and sons');
});
test.after(() => notes.stop());

const post = (body: unknown, posting: PostOptions = {}): Promise<McpWireResponse> =>
  postTo(notes, workspaceId, body, posting);
const initialize = (protocolVersion: string, clientInfo: unknown = { name: 'raw', version: '1' }) =>
  message('initialize', { protocolVersion, capabilities: {}, clientInfo });

test('a request with only a bearer key and a content type gets JSON', async () => {
  const { dispatch } = notes.service;
  const answer = await dispatch({
    method: 'POST',
    url: '/v1/mcp',
    headers: { authorization: `Bearer ${await notes.key(workspaceId)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  assert.is(answer.status, 200);
  assert.is(answer.headers['Content-Type'], 'application/json; charset=utf-8');
  assert.is(JSON.parse(String(answer.body)).result.tools.length, 5);
});

test('GET and DELETE get 405, and Allow names POST', async () => {
  for (const method of ['GET', 'DELETE']) {
    const answer = await post('', { method });
    assert.is(answer.status, 405);
    assert.is(answer.headers.get('allow'), 'POST');
  }
});

test('every response has its request id and rate limits, and each request counts once', async () => {
  const key = await notes.key(workspaceId);
  const first = await post(message('tools/list'), { key });
  const second = await post(message('ping'), { key });
  assert.match(first.headers.get('x-request-id') ?? '', /^req_/);
  const remaining = [first, second].map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
  assert.is((remaining[0] ?? 0) - (remaining[1] ?? 0), 1);
});

test('401 is an HTTP status with the same headers as REST and the envelope in error.data', async () => {
  for (const key of ['', 'acme_mcp_nonsense']) {
    const answer = await post(message('tools/list'), { key });
    assert.is(answer.status, 401);
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/);
    assert.is(answer.json.id, null);
    assert.is(envelopeOf(answer)?.code, 'invalid_api_key');
  }
});

test('429 is an HTTP status with Retry-After and the envelope in error.data', async () => {
  const key = await notes.key(await notes.workspace('Busy'));
  let answer = await post(message('ping'), { key });
  for (let count = 0; count < 200 && answer.status === 200; count += 1) answer = await post(message('ping'), { key });
  assert.is(answer.status, 429);
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
  assert.is(answer.headers.get('x-ratelimit-scope'), 'key');
  assert.is(envelopeOf(answer)?.code, 'key_rate_limit');
  assert.is(envelopeOf(answer)?.type, 'rate_limit_exceeded');
});

test('a body that is not a valid message is a protocol error', async () => {
  const faults: [unknown, number, number][] = [
    ['{"jsonrpc":', 400, -32700],
    ['', 400, -32600],
    ['"text"', 400, -32600],
    ['null', 400, -32600],
    [{}, 400, -32600],
    [{ jsonrpc: '1.0', id: 1, method: 'ping' }, 400, -32600],
    [{ jsonrpc: '2.0', id: { a: 1 }, method: 'ping' }, 400, -32600],
    [[message('ping'), message('tools/list')], 400, -32600],
    [[], 400, -32600],
    [message('resources/subscribe', { uri: 'postrider://openapi.json' }), 200, -32601],
    [message('__proto__'), 200, -32601],
    [message('server/discover'), 200, -32601],
    [message('tools/list', { cursor: 'x' }), 200, -32602],
    [message('resources/read', {}), 200, -32602],
    [message('prompts/get', { name: 1 }), 200, -32602],
    [message('completion/complete', { ref: { type: 'ref/other' } }), 200, -32602],
    [message('tools/call', {}), 200, -32602],
    [message('tools/call', { name: 'read_note', arguments: ['n1'] }), 200, -32602],
    [message('tools/call', { name: 'constructor' }), 200, -32602],
    [message('initialize', {}), 200, -32602],
  ];
  for (const [body, status, code] of faults) {
    const answer = await post(body);
    assert.equal([answer.status, answer.json.error?.code], [status, code], JSON.stringify(body));
    assert.ok(answer.headers.get('x-request-id'));
  }
});

test('a batch is refused with a message that says what to do', async () => {
  assert.match((await post([message('ping')])).json.error?.message ?? '', /one message per request/);
  const { json } = await post(message('tools/call', {}));
  assert.is(json.error?.message, 'The parameters of tools/call are not valid. params.name is required.');
});

test('a response has the id of its request, a number or a text', async () => {
  assert.is((await post(message('ping', undefined, 'a"b'))).json.id, 'a"b');
  assert.is((await post(message('ping', undefined, 0))).json.id, 0);
  assert.is((await post(message('nothing', undefined, 7))).json.id, 7);
});

test('another media type gets 415, and a body that is too large gets 413, with the REST envelope', async () => {
  const type = await post(message('ping'), { headers: { 'Content-Type': 'text/plain' } });
  assert.equal([type.status, envelopeOf(type)?.code], [415, 'media_type_unsupported']);
  const large = await post(message('ping', { filler: 'x'.repeat(100_000) }));
  assert.equal([large.status, envelopeOf(large)?.code], [413, 'payload_too_large']);
});

test('notifications and client responses are acknowledged with an empty body', async () => {
  for (const body of [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    { jsonrpc: '2.0', id: 1, result: {} },
  ]) {
    const answer = await post(body);
    assert.equal([answer.status, answer.text], [202, '']);
  }
});

test('initialize accepts every earlier revision and offers the latest for an unknown one', async () => {
  for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
    assert.is((await post(initialize(version))).json.result?.protocolVersion, version);
  }
  const { result } = (await post(initialize('1999-01-01'))).json;
  assert.is(result?.protocolVersion, '2025-11-25');
  assert.equal(result?.capabilities, { tools: {}, resources: {}, prompts: {}, completions: {} });
  assert.is((result?.serverInfo as { name: string } | undefined)?.name, 'Acme');
  assert.ok(String(result?.instructions).includes('dry_run'));
});

test('ping and logging/setLevel return an empty result', async () => {
  assert.equal((await post(message('ping'))).json.result, {});
  assert.equal((await post(message('logging/setLevel', { level: 'debug' }))).json.result, {});
});

test('a header with an unknown revision is refused', async () => {
  const answer = await post(message('tools/list'), { headers: { 'MCP-Protocol-Version': '2025-01-01' } });
  assert.is(answer.status, 400);
  assert.match(answer.json.error?.message ?? '', /2025-11-25.*2026-07-28/);
});

test('2026-07-28: discover names the revision, and results carry the required fields', async () => {
  const discovery = await post(message('server/discover', { _meta: modernMeta }), {
    headers: modernHeaders('server/discover'),
  });
  assert.equal(discovery.json.result?.supportedVersions, ['2026-07-28']);
  const list = await post(message('tools/list', { _meta: modernMeta }), { headers: modernHeaders('tools/list') });
  for (const { json } of [discovery, list]) {
    assert.is(json.result?.resultType, 'complete');
    assert.is(json.result?.ttlMs, 0);
    assert.is(json.result?.cacheScope, 'private');
    assert.is(
      (json.result?._meta as Record<string, { name: string }> | undefined)?.['io.modelcontextprotocol/serverInfo']
        ?.name,
      'Acme',
    );
  }
});

test('a page of another origin is refused before its key is checked', async () => {
  const postFrom = (Origin: string) => post(message('ping'), { key: 'acme_mcp_nonsense', headers: { Origin } });
  for (const origin of [
    'https://evil.example',
    'http://127.0.0.1.evil.example:3000',
    'http://localhost.evil.example',
    'null',
    'x',
  ]) {
    const answer = await postFrom(origin);
    assert.equal([answer.status, answer.json.error?.code], [403, -32000], origin);
    assert.match(answer.json.error?.message ?? '', /toolOrigins/);
  }
  const near = ['http://localhost:6274', 'http://127.0.0.1:3000', 'http://[::1]:80', 'vscode-webview://abc'];
  for (const origin of [...near, 'https://app.acme.test', 'https://acme.test:8443'])
    assert.is((await postFrom(origin)).status, 401, origin);
});

test('in production a page on localhost counts as another origin', async () => {
  const production = await startNotes({
    environment: 'production',
    publicUrl: 'https://acme.test',
    settings: { toolOrigins: ['http://localhost:6274'] },
  });
  const statusFrom = async (Origin: string) =>
    (await postTo(production, 'none', message('ping'), { key: 'acme_mcp_nonsense', headers: { Origin } })).status;
  const origins = [
    'http://localhost:3000',
    'http://127.0.0.1:3000',
    'http://[::1]',
    'http://localhost:6274',
    'app://x',
  ];
  const statuses = await Promise.all(origins.map(statusFrom));
  await production.stop();
  assert.equal(statuses, [403, 403, 403, 401, 401]);
});

test('2026-07-28: headers are refused if they are missing or contradict the body', async () => {
  const call = callOf('read_note', { key: 'n1' }, modernMeta);
  const right = modernHeaders('tools/call', 'read_note');
  assert.is((await post(call, { headers: right })).status, 200);
  assert.is((await post(call, { headers: { ...right, 'Mcp-Name': '=?base64?cmVhZF9ub3Rl?=' } })).status, 200);
  for (const [name, value] of [
    ['MCP-Protocol-Version', undefined],
    ['Mcp-Method', undefined],
    ['Mcp-Method', 'tools/list'],
    ['Mcp-Name', undefined],
    ['Mcp-Name', 'create_note'],
    ['MCP-Protocol-Version', '2025-11-25'],
  ] as const) {
    const { [name]: _, ...rest } = right as Record<string, string>;
    const answer = await post(call, { headers: value === undefined ? rest : { ...rest, [name]: value } });
    assert.equal([answer.status, answer.json.error?.code], [400, -32020], `${name} ${value}`);
  }
});

test('2026-07-28: an unknown method gets 404, and a later revision gets the list of supported revisions', async () => {
  for (const method of ['ping', 'initialize', 'logging/setLevel', 'subscriptions/listen']) {
    const answer = await post(message(method, { _meta: modernMeta }), { headers: modernHeaders(method) });
    assert.equal([answer.status, answer.json.error?.code], [404, -32601], method);
  }
  const laterMeta = { ...modernMeta, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' };
  const answer = await post(message('tools/list', { _meta: laterMeta }), {
    headers: { ...modernHeaders('tools/list'), 'MCP-Protocol-Version': '2027-01-01' },
  });
  assert.equal([answer.status, answer.json.error?.code], [400, -32022]);
  assert.equal(answer.json.error?.data?.supported, ['2026-07-28']);
  const bare = await post(message('tools/list'), { headers: { 'MCP-Protocol-Version': '2026-07-28' } });
  assert.equal([bare.status, bare.json.error?.code], [400, -32602]);
});

test('the session identifies the client, but only for the key that started it', async () => {
  const [key, otherKey] = [await notes.key(workspaceId), await notes.key(workspaceId)];
  const session =
    (await post(initialize('2025-11-25', { name: 'Éditeur\n', version: '3' }), { key })).headers.get(
      'mcp-session-id',
    ) ?? '';
  assert.ok(/^[\x21-\x7e]+$/.test(session));
  const clientOf = async (session: string, secret: string) => {
    const before = (await notes.audit(workspaceId)).length;
    const answer = await post(callOf('archive_note', { key: 'n1' }), {
      key: secret,
      headers: { 'Mcp-Session-Id': session, 'User-Agent': 'agent/1' },
    });
    assert.is(answer.status, 200);
    return (await notes.audit(workspaceId)).slice(before)[0]?.actor.client;
  };
  assert.is(await clientOf(session, key), 'Éditeur/3');
  const [payload = '', mark = ''] = session.split('.');
  const forgedSession = `${Buffer.from('Forged/1').toString('base64url')}.${mark}`;
  for (const sessionId of [forgedSession, payload, `${payload}.`, `${session}.x`, 'nonsense', 'x'.repeat(3_000)]) {
    assert.is(await clientOf(sessionId, key), 'agent/1', sessionId.slice(0, 40));
  }
  assert.is(await clientOf(session, otherKey), 'agent/1');
});

const missing = (name: string) => () => Promise.reject(new MissingSdkError(name, undefined));

async function requestWith(sdks: SdkLoader, body: unknown, headers: Record<string, string> = {}) {
  const endpoint = createMcpEndpoint(notes.service.core, sdks);
  const authorization = `Bearer ${await notes.key(workspaceId)}`;
  const all = { authorization, 'content-type': 'application/json', ...headers };
  const { status, body: text } = await endpoint.handle(
    { method: 'POST', url: '/v1/mcp', headers: all, body: JSON.stringify(body) },
    'req_x',
  );
  return { status, error: JSON.parse(String(text)).error };
}

test('without the SDK the response names the install command, but not for an unknown key', async () => {
  const { status, error } = await requestWith(
    { ...installedSdks, legacy: missing('@modelcontextprotocol/sdk') },
    message('ping'),
  );
  assert.is(status, 501);
  assert.is(
    error.message,
    'The package @modelcontextprotocol/sdk, which the MCP endpoint needs, is not installed on the server, or was left out of its bundle: npm install @modelcontextprotocol/sdk @modelcontextprotocol/server',
  );
  const refusal = await requestWith(
    { ...installedSdks, legacy: missing('@modelcontextprotocol/sdk') },
    message('ping'),
    {
      authorization: 'Bearer x',
    },
  );
  assert.is(refusal.status, 401);
});

test('without the second SDK the new revision is not supported, but earlier revisions work', async () => {
  const sdks = { ...installedSdks, modern: missing('@modelcontextprotocol/server') };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' };
  const { status, error } = await requestWith(sdks, message('server/discover', { _meta: modernMeta }), headers);
  assert.equal([status, error.code], [400, -32022]);
  assert.match(error.message, /^The package @modelcontextprotocol\/server, .*npm install @modelcontextprotocol\/sdk @/);
  assert.ok(error.data.supported.includes('2025-11-25'));
  assert.is((await requestWith(sdks, message('ping'))).status, 200);
});

test('importing the endpoint does not load an SDK', () => {
  const packages = loadedPackages(pathToFileURL('core/mcp/endpoint.ts').href);
  assert.not.ok(
    packages.some((name) => name.startsWith('@modelcontextprotocol')),
    packages.join(),
  );
});

test.run();
