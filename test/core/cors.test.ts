// CORS headers: the pages of other origins that may call the API from a browser.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService } from '../../core/index.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { standardPlugins } from '../../plugins/index.ts';

const test = suite('pages of other origins');

const allowedOrigin = 'https://app.example.com';
const preflight = (method: string, origin = allowedOrigin) => ({
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
  const { ask, key, close } = await open([allowedOrigin]);
  const preflightAnswer = await ask('/v1/templates', 'OPTIONS', preflight('GET'));
  assert.is(preflightAnswer.status, 204);
  assert.is(preflightAnswer.headers['Access-Control-Allow-Origin'], allowedOrigin);
  assert.is(preflightAnswer.headers['Access-Control-Allow-Methods'], 'GET, HEAD');
  assert.match(preflightAnswer.headers['Access-Control-Allow-Headers'] ?? '', /\bauthorization\b/);
  assert.is(preflightAnswer.headers['Access-Control-Allow-Credentials'], undefined);
  for (const authorization of [`Bearer ${key}`, 'Bearer wrong']) {
    const { status, headers } = await ask('/v1/templates?limit=1', 'GET', { origin: allowedOrigin, authorization });
    assert.is(status, authorization.endsWith('wrong') ? 401 : 200);
    assert.is(headers['Access-Control-Allow-Origin'], allowedOrigin);
    assert.match(headers.Vary ?? '', /\bOrigin\b/);
    assert.match(headers['Access-Control-Expose-Headers'] ?? '', /X-Request-Id/);
  }
  await close();
});

test('other origins, methods and paths get no permission', async () => {
  const { ask, key, close } = await open([allowedOrigin]);
  for (const origin of [
    'https://evil.example',
    'http://app.example.com',
    `${allowedOrigin}.evil.example`,
    'null',
    `${allowedOrigin}/`,
  ]) {
    const preflightAnswer = await ask('/v1/templates', 'OPTIONS', preflight('GET', origin));
    assert.is(preflightAnswer.headers['Access-Control-Allow-Origin'], undefined, origin);
    assert.is(preflightAnswer.status, 405, origin);
    const readAnswer = await ask('/v1/templates', 'GET', { origin, authorization: `Bearer ${key}` });
    assert.is(readAnswer.headers['Access-Control-Allow-Origin'], undefined, origin);
    assert.match(
      readAnswer.headers.Vary ?? '',
      /\bOrigin\b/,
      'a cache must not give this answer to the allowed origin',
    );
  }
  for (const path of ['/v1/mcp', '/v1/transactional', '/v1/nowhere', '/u/token'])
    assert.is((await ask(path, 'OPTIONS', preflight('GET'))).headers['Access-Control-Allow-Origin'], undefined, path);
  const preflightAnswer = await ask('/v1/suppressions', 'OPTIONS', preflight('POST'));
  assert.not.match(preflightAnswer.headers['Access-Control-Allow-Methods'] ?? '', /POST/);
  const writeAnswer = await ask('/v1/suppressions', 'POST', { origin: allowedOrigin, authorization: `Bearer ${key}` });
  assert.is(writeAnswer.headers['Access-Control-Allow-Origin'], undefined);
  await close();
});

test('without allowed origins, no response has a CORS header', async () => {
  const { ask, key, close } = await open(undefined);
  assert.is((await ask('/v1/templates', 'OPTIONS', preflight('GET'))).status, 405);
  const { headers } = await ask('/v1/templates', 'GET', { origin: allowedOrigin, authorization: `Bearer ${key}` });
  assert.equal([headers['Access-Control-Allow-Origin'], headers.Vary], [undefined, undefined]);
  await close();
});

test('createService refuses a text that is not an origin', () => {
  for (const origin of [
    '*',
    'app.example.com',
    `${allowedOrigin}/`,
    `${allowedOrigin}/app`,
    'ftp://app.example.com',
    'null',
    '',
    5,
  ])
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
