// Requests before they reach an operation: paths, methods, bodies, ids, media types, unknown and hostile input.
import * as assert from 'uvu/assert';
import type { HttpRequestBody } from '../../core/contract/http/http.ts';
import { eachDatabase } from '../support/databases.ts';
import { openShop, type ShopService } from './shop-service.ts';

const requestIdPattern = /^req_[0-9A-HJKMNP-TV-Z]{26}$/;
const megabyte = 1_048_576;

await eachDatabase('requests', (test, database) => {
  let shop: ShopService;
  test.before(async () => {
    shop = await openShop(database, { name: 'Acme "Mail" ☕', settings: { maxBodyBytes: megabyte } });
  });
  test.after(() => shop.close());

  /** A request in the form in which a host passes it on */
  const raw = async (body: HttpRequestBody, headers: Readonly<Record<string, string>> = {}, url = '/v1/purchases') => {
    const response = await shop.service.dispatch({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${shop.testKey}`, 'content-type': 'application/json', ...headers },
      body,
    });
    return { status: response.status, headers: response.headers, body: JSON.parse(String(response.body)) };
  };
  const code = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
    `${status} ${body.error?.code}`;

  test('an unknown path gets 404, and a known path with another method gets 405 with Allow', async () => {
    for (const path of ['/', '/v1', '/v1/nothing', '/v0/workspace', '/v1/templates/a/b/c', '/v2/workspace']) {
      assert.is(code(await shop.request(path, { key: shop.testKey })), '404 route_not_found', path);
    }
    const { status, body, headers } = await shop.request('/v1/purchases', { method: 'GET', key: shop.testKey });
    assert.equal([status, body.error.code, headers.Allow], [405, 'method_not_allowed', 'POST']);
    const templates = await shop.request('/v1/templates', { method: 'DELETE', key: shop.testKey });
    assert.is(templates.headers.Allow, 'GET, POST');
    assert.is((await shop.request('/v1/mcp', { method: 'GET', key: shop.testKey })).status, 405);
  });

  test('every response has a request id: a valid id in the request is kept, any other id is replaced', async () => {
    const requestId = 'req_01JD3Q5S8ZK2M4N6P8R0T2V4W6';
    for (const [path, key] of [
      ['/v1/workspace', shop.testKey],
      ['/v1/workspace', ''],
      ['/v1/nothing', ''],
      ['/v1/old/a', shop.testKey],
    ] as const) {
      const withValidId = await shop.request(path, { key, headers: { 'x-request-id': requestId } });
      assert.is(withValidId.headers['X-Request-Id'], requestId);
      if (withValidId.status >= 400) assert.is(withValidId.body.error.request_id, requestId);
      for (const invalidId of [
        '',
        'mine',
        'req_1',
        `${requestId}x`,
        requestId.toLowerCase(),
        'req_01JD3Q5S8ZK2M4N6P8R0T2V4WI',
        `${requestId}\r\nX: y`,
      ]) {
        const withInvalidId = await shop.request(path, { key, headers: { 'x-request-id': invalidId } });
        assert.match(withInvalidId.headers['X-Request-Id'] ?? '', requestIdPattern);
        assert.is.not(withInvalidId.headers['X-Request-Id'], requestId);
      }
    }
  });

  test('a body that is not JSON gets 400 with the position, without repeating its content', async () => {
    const bodies = [
      '{',
      '{"price":}',
      'PLANTED',
      '{"price":1}PLANTED',
      "{'price':1}",
      '{"price":1,}',
      '[',
      '{"note":"PLANTED"x}',
    ];
    for (const body of bodies) {
      const answer = await raw(body);
      assert.is(code(answer), '400 json_invalid', body);
      assert.is(JSON.stringify(answer.body).includes('PLANTED'), false, answer.body.error.message);
    }
    assert.is(code(await raw(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]))), '400 json_invalid');
  });

  test('JSON that is not an object is refused by the schema', async () => {
    for (const body of ['[]', '1', '"text"', 'true', '[{"price":1}]'])
      assert.is(code(await raw(body)), '422 validation_failed', body);
  });

  test('a UTF-8 JSON body is accepted in every form in which a host passes it', async () => {
    const text = JSON.stringify({ price: 0, note: 'ö' });
    async function* chunks() {
      for (const byte of Buffer.from(text)) yield Uint8Array.of(byte);
    }
    const bodies: HttpRequestBody[] = [
      text,
      Buffer.from(text),
      chunks(),
      { parsed: JSON.parse(text) },
      Buffer.from(`\ufeff${text}`),
    ];
    for (const body of bodies) assert.is((await raw(body)).status, 201);
  });

  test('another media type gets 415, but parameters of JSON are allowed', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '',
      'json',
      'application/jsonx',
      'application/vnd.foo+json',
      'application/merge-patch+json',
    ]) {
      assert.is(code(await raw('{"price":0}', { 'content-type': type })), '415 media_type_unsupported', type);
    }
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON']) {
      assert.is((await raw('{"price":0}', { 'content-type': type })).status, 201, type);
    }
  });

  test('a body above the limit gets 413, with a true, a false or no length, and even if it never ends', async () => {
    const large = JSON.stringify({ price: 0, note: 'x'.repeat(megabyte) });
    const exact = JSON.stringify({ price: 0, note: '' });
    let chunksRead = 0;
    async function* endless() {
      for (;;) {
        chunksRead += 1;
        yield Buffer.alloc(65_536, ' ');
      }
    }
    assert.is(code(await raw(large)), '413 payload_too_large');
    assert.is(code(await raw(Buffer.from(large))), '413 payload_too_large');
    assert.is(code(await raw('{}', { 'content-length': String(megabyte + 1) })), '413 payload_too_large');
    assert.is(code(await raw(endless(), { 'content-length': '10' })), '413 payload_too_large');
    assert.ok(chunksRead <= 18, `${chunksRead} chunks were buffered`);
    const full = `${exact.slice(0, -2)}${'x'.repeat(megabyte - exact.length)}"}`;
    assert.is(full.length, megabyte);
    assert.is((await raw(full)).status, 201);
  });

  test('an invalid key or a missing scope refuses a request before its body is read', async () => {
    let isRead = false;
    async function* body() {
      isRead = true;
      yield Buffer.from('{}');
    }
    assert.is(code(await raw(body(), { authorization: 'Bearer nonsense' })), '401 invalid_api_key');
    const key = await shop.keyWith(['workspace:read']);
    assert.is(code(await raw(body(), { authorization: `Bearer ${key}` })), '403 insufficient_scope');
    assert.is(isRead, false);
  });

  test('each unknown field gets its own detail, whatever its name', async () => {
    const names = [
      'id',
      'workspace_id',
      'status',
      'sandbox',
      'credits',
      'charged',
      'constructor',
      'toString',
      'hasOwnProperty',
    ];
    const { status, body } = await raw(
      JSON.stringify({ price: 0, ...Object.fromEntries(names.map((name) => [name, 1])) }),
    );
    assert.is(status, 422);
    assert.equal(body.error.details.map(({ path }: { path: string }) => path).sort(), [...names].sort());
    const proto = await raw('{"price":0,"__proto__":{"fails":true}}');
    assert.equal(
      [code(proto), (proto.body.error as unknown as { details: { path: string }[] }).details[0]?.path],
      ['422 validation_failed', '__proto__'],
    );
  });

  test('excessive nesting is refused without being traversed', async () => {
    for (const levels of [65, 10_000]) {
      assert.is(
        code(await raw(`{"price":0,"note":${'['.repeat(levels)}${']'.repeat(levels)}}`)),
        '422 validation_failed',
      );
    }
  });

  test('a response lists at most 50 faults', async () => {
    const { body } = await raw(
      JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 1]))),
    );
    assert.is(body.error.details.length, 50);
    assert.ok(body.error.message.length < 1_100);
  });

  test('an operation without a body refuses a body, but allows an empty object', async () => {
    assert.is((await raw(undefined, {}, '/v1/chains')).status, 200);
    assert.is((await raw('{}', {}, '/v1/chains')).status, 200);
    assert.is(code(await raw('{"a":1}', {}, '/v1/chains')), '422 validation_failed');
    assert.is(code(await raw('', {}, '/v1/purchases')), '422 validation_failed');
  });

  test('path parameters are decoded once', async () => {
    const key = async (path: string) => (await shop.request(`/v1/old/${path}`, { key: shop.testKey })).body.key;
    assert.equal(
      [await key('a%20b'), await key('a%2Fb'), await key('%2541'), await key('%E0%A4%A')],
      ['a b', 'a/b', '%41', '%E0%A4%A'],
    );
  });

  test('an internal failure gets 500 without its cause, which is logged with the request id', async () => {
    const { status, body, headers } = await raw('{"price":0,"fails":true}');
    assert.equal([status, body.error.type, body.error.code], [500, 'api_error', 'internal_error']);
    assert.is(JSON.stringify(body).includes('the shop is closed'), false);
    const line = shop.logged.find((one) => one.includes(headers['X-Request-Id'] ?? 'none'));
    assert.match(line ?? '', 'the shop is closed');
  });

  test('a brand name with characters that headers forbid does not break the refusal of a key', async () => {
    const { headers } = await shop.request('/v1/workspace', { key: '' });
    assert.is(headers['WWW-Authenticate'], 'Bearer realm="Acme Mail "');
    assert.match(shop.liveKey, /^acmemail_live_/);
  });

  test('every response of a deprecated operation carries the deprecation headers', async () => {
    const notice = {
      Deprecation: '@1767225600',
      Sunset: 'Tue, 01 Dec 2026 00:00:00 GMT',
      Link: '<https://example.com/notice>; rel="deprecation"; type="text/html"',
    };
    const withoutScope = await shop.keyWith(['workspace:read']);
    for (const [path, key, status] of [
      ['/v1/old/a', shop.testKey, 200],
      [`/v1/old/${'x'.repeat(21)}`, shop.testKey, 422],
      ['/v1/old/a', withoutScope, 403],
    ] as const) {
      const answer = await shop.request(path, { key });
      assert.is(answer.status, status);
      const { Deprecation, Sunset, Link } = answer.headers;
      assert.equal({ Deprecation, Sunset, Link }, notice);
    }
    assert.is((await shop.request('/v1/workspace', { key: shop.testKey })).headers.Deprecation, undefined);
  });
});
