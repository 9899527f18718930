// time-limit: 300
// Attacks with the API key: every wrong way to write a key gets 401, over REST and at the tool endpoint.
// full-run: slow
import * as assert from 'uvu/assert';
import { systemRandomness } from '../../core/kernel/platform.ts';
import { createApiKey } from '../../core/pipeline/api-key.ts';
import { eachDatabase } from '../support/databases.ts';
import { type AttackBench, openBench } from './attack-bench.ts';

/** The key with another digit at index `at`. */
const flipped = (key: string, at: number): string =>
  `${key.slice(0, at)}${key[at] === 'a' ? 'b' : 'a'}${key.slice(at + 1)}`;

/** Authorization values that are not a valid form of `key`. */
const wrongKeys: Readonly<Record<string, (key: string) => string>> = {
  'an empty header': () => '',
  'the scheme alone': () => 'Bearer',
  'the scheme and a space': () => 'Bearer ',
  'the key alone': (key) => key,
  'another scheme': (key) => `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
  'a scheme that begins alike': (key) => `BearerX ${key}`,
  'a tab in place of the space': (key) => `Bearer\t${key}`,
  'a hard space in place of the space': (key) => `Bearer\u00a0${key}`,
  'a space in front': (key) => ` Bearer ${key}`,
  'a space behind': (key) => `Bearer ${key} `,
  'a space inside': (key) => `Bearer ${key.slice(0, 30)} ${key.slice(30)}`,
  'a line break behind': (key) => `Bearer ${key}\r\n`,
  'a NUL behind': (key) => `Bearer ${key}\0`,
  quotes: (key) => `Bearer "${key}"`,
  'the key twice': (key) => `Bearer ${key} ${key}`,
  'two headers joined': (key) => `Bearer ${key}, Bearer ${key}`,
  'a parameter behind': (key) => `Bearer ${key}; a=b`,
  'base64 padding behind': (key) => `Bearer ${key}=`,
  'a digit less': (key) => `Bearer ${key.slice(0, -1)}`,
  'a digit more': (key) => `Bearer ${key}a`,
  'a wrong last digit': (key) => `Bearer ${flipped(key, key.length - 1)}`,
  'a wrong digit in the middle': (key) => `Bearer ${flipped(key, 30)}`,
  'small letters': (key) => `Bearer ${key.toLowerCase()}`,
  'the mode of another key': (key) => `Bearer ${key.replace('_live_', '_test_')}`,
  'the brand of another service': (key) => `Bearer ${key.replace('postrider', 'acme')}`,
  'full width': (key) => `Bearer ${key.replace('p', 'ｐ')}`,
  'ten thousand digits': (key) => `Bearer ${key}${'a'.repeat(10_000)}`,
  'ten thousand spaces': (key) => `Bearer${' '.repeat(10_000)}${key}`,
  'a pattern': () => 'Bearer postrider_live_%',
  'a quote': () => "Bearer postrider_live_' OR 1=1 --",
  null: () => 'Bearer null',
};

const json = { 'content-type': 'application/json' };

await eachDatabase('attacks with keys', (test, database) => {
  let bench: AttackBench;
  test.before(async () => {
    bench = await openBench(database);
  });
  test.after(() => bench.close());

  const read = (authorization: string) =>
    bench.ask({ method: 'GET', url: '/v1/workspace', key: '', headers: { authorization } });

  for (const [name, write] of Object.entries(wrongKeys)) {
    test(`the key with ${name} gets 401 over REST and at the tool endpoint`, async () => {
      const authorization = write(bench.test.liveKey);
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
      const rest = await read(authorization);
      const tool = await bench.ask({
        method: 'POST',
        url: '/v1/mcp',
        key: '',
        headers: { ...json, authorization },
        body,
      });
      assert.equal([...rest.faults, ...tool.faults], []);
      for (const { status, headers } of [rest, tool]) {
        assert.is(status, 401);
        assert.match(headers['WWW-Authenticate'] ?? '', /^Bearer /);
      }
      assert.is(rest.json.error.code, 'invalid_api_key');
      assert.not.ok(rest.text.includes(bench.test.liveKey.slice(20)), 'the answer repeats the key');
    });
  }

  test('control: the scheme is accepted in any case and with more than one space', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  '])
      assert.is((await read(`${scheme} ${bench.test.liveKey}`)).status, 200);
  });

  test('a key outside the Authorization header is ignored', async () => {
    const { liveKey } = bench.test;
    const headers = {
      'x-api-key': liveKey,
      cookie: `authorization=Bearer ${liveKey}`,
      'proxy-authorization': `Bearer ${liveKey}`,
    };
    for (const query of ['', `?access_token=${liveKey}`, `?api_key=${liveKey}`, `?authorization=Bearer%20${liveKey}`]) {
      const answer = await bench.ask({ method: 'GET', url: `/v1/workspace${query}`, key: '', headers });
      assert.is(answer.status, 401);
    }
  });

  test('two Authorization headers are refused, and the case of the header name does not matter', async () => {
    const { service, liveKey, testKey } = bench.test;
    const ask = async (pairs: [string, string][]) => {
      const headers = new Headers();
      for (const [name, value] of pairs) headers.append(name, value);
      return (await service.fetch(new Request('https://x.example/v1/workspace', { headers }))).status;
    };
    assert.is(await ask([['AUTHORIZATION', `Bearer ${liveKey}`]]), 200);
    assert.is(
      await ask([
        ['Authorization', `Bearer ${liveKey}`],
        ['authorization', `Bearer ${testKey}`],
      ]),
      401,
    );
    assert.is(
      await ask([
        ['Authorization', 'Bearer x'],
        ['authorization', `Bearer ${liveKey}`],
      ]),
      401,
    );
  });

  test('expired and revoked keys get the same response as unknown keys', async () => {
    const { service, workspaceId } = bench.test;
    const expired = await service.keys.create({
      workspaceId,
      name: 'old',
      preset: 'full',
      expiresAt: new Date(bench.test.now()),
    });
    const revoked = await service.keys.create({ workspaceId, name: 'gone', preset: 'full' });
    await service.keys.revoke(workspaceId, revoked.id);
    const { secret: never } = createApiKey(bench.test.service.core.ports.service.slug, 'live', systemRandomness);
    const unknown = await read(`Bearer ${never}`);
    const blank = ({ status, text }: { status: number; text: string }) => `${status} ${text.replace(/req_\w+/g, '')}`;
    for (const { secret } of [expired, revoked]) assert.is(blank(await read(`Bearer ${secret}`)), blank(unknown));
  });
});
