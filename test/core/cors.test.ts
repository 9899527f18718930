// Which pages of other origins may call the API from a browser, by the CORS headers.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService } from '../../core/index.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { standardPlugins } from '../../plugins/index.ts';

const test = suite('pages of other origins');

const named = 'https://app.example.com';
const preflight = (method: string, origin = named) => ({
  origin,
  'access-control-request-method': method,
  'access-control-request-headers': 'authorization',
});

async function open(origins: readonly string[] | undefined) {
  const service = await createTestService({
    plugins: standardPlugins,
    storage: sqliteStorage({ filename: ':memory:' }),
    ...(origins === undefined ? {} : { cors: { origins } }),
  });
  const ask = (url: string, method: string, headers: Record<string, string> = {}) =>
    service.service.dispatch({ method, url, headers, body: undefined });
  return { ask, key: service.liveKey, close: () => service.close() };
}

test('an allowed origin gets preflight permission and may read results and errors', async () => {
  const { ask, key, close } = await open([named]);
  const allowed = await ask('/v1/templates', 'OPTIONS', preflight('GET'));
  assert.is(allowed.status, 204);
  assert.is(allowed.headers['Access-Control-Allow-Origin'], named);
  assert.is(allowed.headers['Access-Control-Allow-Methods'], 'GET, HEAD');
  assert.match(allowed.headers['Access-Control-Allow-Headers'] ?? '', /\bauthorization\b/);
  assert.is(allowed.headers['Access-Control-Allow-Credentials'], undefined);
  for (const authorization of [`Bearer ${key}`, 'Bearer wrong']) {
    const { status, headers } = await ask('/v1/templates?limit=1', 'GET', { origin: named, authorization });
    assert.is(status, authorization.endsWith('wrong') ? 401 : 200);
    assert.is(headers['Access-Control-Allow-Origin'], named);
    assert.match(headers.Vary ?? '', /\bOrigin\b/);
    assert.match(headers['Access-Control-Expose-Headers'] ?? '', /X-Request-Id/);
  }
  await close();
});

test('other origins, methods and paths get no permission', async () => {
  const { ask, key, close } = await open([named]);
  for (const origin of [
    'https://evil.example',
    'http://app.example.com',
    `${named}.evil.example`,
    'null',
    `${named}/`,
  ]) {
    const asked = await ask('/v1/templates', 'OPTIONS', preflight('GET', origin));
    assert.is(asked.headers['Access-Control-Allow-Origin'], undefined, origin);
    assert.is(asked.status, 405, origin);
    const read = await ask('/v1/templates', 'GET', { origin, authorization: `Bearer ${key}` });
    assert.is(read.headers['Access-Control-Allow-Origin'], undefined, origin);
    assert.match(read.headers.Vary ?? '', /\bOrigin\b/, 'a cache must not hand this answer to the named origin');
  }
  for (const path of ['/v1/mcp', '/v1/transactional', '/v1/nowhere', '/u/token'])
    assert.is((await ask(path, 'OPTIONS', preflight('GET'))).headers['Access-Control-Allow-Origin'], undefined, path);
  const asked = await ask('/v1/suppressions', 'OPTIONS', preflight('POST'));
  assert.not.match(asked.headers['Access-Control-Allow-Methods'] ?? '', /POST/);
  const written = await ask('/v1/suppressions', 'POST', { origin: named, authorization: `Bearer ${key}` });
  assert.is(written.headers['Access-Control-Allow-Origin'], undefined);
  await close();
});

test('without allowed origins, no response has a CORS header', async () => {
  const { ask, key, close } = await open(undefined);
  assert.is((await ask('/v1/templates', 'OPTIONS', preflight('GET'))).status, 405);
  const { headers } = await ask('/v1/templates', 'GET', { origin: named, authorization: `Bearer ${key}` });
  assert.equal([headers['Access-Control-Allow-Origin'], headers.Vary], [undefined, undefined]);
  await close();
});

test('createService refuses a text that is not an origin', () => {
  for (const origin of ['*', 'app.example.com', `${named}/`, `${named}/app`, 'ftp://app.example.com', 'null', '', 5])
    assert.throws(
      () =>
        createService({
          plugins: [],
          storage: sqliteStorage({ filename: ':memory:' }),
          cors: { origins: [origin as string] },
        }),
      /cors\.origins of createService must be a list of origins/,
      String(origin),
    );
});

test.run();
