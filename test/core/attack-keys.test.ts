// time-limit: 300
// Attacks with the API key: every wrong form of a key gets 401, over REST and at the MCP endpoint.
// full-run: slow
import * as assert from 'uvu/assert';
import { systemRandomness } from '../../core/kernel/platform.ts';
import { createApiKey } from '../../core/pipeline/api-key.ts';
import { eachDatabase } from '../support/databases.ts';
import { type AttackBench, openBench } from './attack-bench.ts';

/** The key with another digit at this index */
const withOtherDigit = (key: string, at: number): string =>
  `${key.slice(0, at)}${key[at] === 'a' ? 'b' : 'a'}${key.slice(at + 1)}`;

/** Authorization values that are not a valid form of `key` */
const wrongKeys: Readonly<Record<string, (key: string) => string>> = {
  'an empty header': () => '',
  'only the scheme': () => 'Bearer',
  'the scheme and a space': () => 'Bearer ',
  'only the key': (key) => key,
  'another scheme': (key) => `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
  'a scheme that begins with Bearer': (key) => `BearerX ${key}`,
  'a tab instead of the space': (key) => `Bearer\t${key}`,
  'a no-break space instead of the space': (key) => `Bearer\u00a0${key}`,
  'a space at the beginning': (key) => ` Bearer ${key}`,
  'a space at the end': (key) => `Bearer ${key} `,
  'a space inside': (key) => `Bearer ${key.slice(0, 30)} ${key.slice(30)}`,
  'a line break at the end': (key) => `Bearer ${key}\r\n`,
  'a NUL at the end': (key) => `Bearer ${key}\0`,
  quotes: (key) => `Bearer "${key}"`,
  'the key twice': (key) => `Bearer ${key} ${key}`,
  'two headers joined': (key) => `Bearer ${key}, Bearer ${key}`,
  'a parameter at the end': (key) => `Bearer ${key}; a=b`,
  'base64 padding at the end': (key) => `Bearer ${key}=`,
  'a missing digit': (key) => `Bearer ${key.slice(0, -1)}`,
  'an extra digit': (key) => `Bearer ${key}a`,
  'a wrong last digit': (key) => `Bearer ${withOtherDigit(key, key.length - 1)}`,
  'a wrong digit in the middle': (key) => `Bearer ${withOtherDigit(key, 30)}`,
  'small letters': (key) => `Bearer ${key.toLowerCase()}`,
  'the mode of another key': (key) => `Bearer ${key.replace('_live_', '_test_')}`,
  'the prefix of another service': (key) => `Bearer ${key.replace('postrider', 'acme')}`,
  'a full-width letter': (key) => `Bearer ${key.replace('p', 'ｐ')}`,
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

  const readWorkspace = (authorization: string) =>
    bench.ask({ method: 'GET', url: '/v1/workspace', key: '', headers: { authorization } });

  for (const [name, write] of Object.entries(wrongKeys)) {
    test(`the key with ${name} gets 401 over REST and at the MCP endpoint`, async () => {
      const authorization = write(bench.test.liveKey);
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
      const rest = await readWorkspace(authorization);
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

  test('control: the scheme is accepted in any case, and with more than one space', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  '])
      assert.is((await readWorkspace(`${scheme} ${bench.test.liveKey}`)).status, 200);
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
    const expiredKey = await service.keys.create({
      workspaceId,
      name: 'old',
      preset: 'full',
      expiresAt: new Date(bench.test.now()),
    });
    const revokedKey = await service.keys.create({ workspaceId, name: 'gone', preset: 'full' });
    await service.keys.revoke(workspaceId, revokedKey.id);
    const { secret: never } = createApiKey(bench.test.service.core.ports.service.slug, 'live', systemRandomness);
    const unknown = await readWorkspace(`Bearer ${never}`);
    const blank = ({ status, text }: { status: number; text: string }) => `${status} ${text.replace(/req_\w+/g, '')}`;
    for (const { secret } of [expiredKey, revokedKey])
      assert.is(blank(await readWorkspace(`Bearer ${secret}`)), blank(unknown));
  });
});
