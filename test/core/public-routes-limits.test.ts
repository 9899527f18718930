// Limits of public routes by client address: requests that share a counter, and a store that is down
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { memoryLimits } from '../../adapters/limits/memory.ts';
import { sqlLimits } from '../../adapters/limits/sql.ts';
import type { LimitStore } from '../../core/index.ts';
import { codeOf, pluginOf, routeNamed, withRoutes } from './routed-service.ts';

const test = suite('limits of public routes');

const limit = { perMinute: 60, burst: 2 };
const limitedRoutes = () => [
  routeNamed('first', { http: 'GET /first', limit: { ...limit, name: 'shared' } }),
  routeNamed('second', { http: 'GET /second', limit: { ...limit, name: 'shared' } }),
  routeNamed('own', { http: 'GET /own', limit }),
];

test('routes with the same limit name share the counters of an address, and tokens return over time', () =>
  withRoutes([pluginOf('doors', ...limitedRoutes())], async (ask, { advanceClock }) => {
    const statuses = async (...urls: string[]) => {
      const statusCodes: number[] = [];
      for (const url of urls) statusCodes.push((await ask(url))[0]);
      return statusCodes;
    };
    assert.equal(await statuses('/first', '/second', '/first', '/second'), [200, 200, 429, 429]);
    assert.equal(await statuses('/own', '/own', '/own'), [200, 200, 429]);
    assert.is((await ask('/first', { address: '192.0.2.2' }))[0], 200);
    advanceClock(1_000);
    assert.equal(await statuses('/first', '/first'), [200, 429]);
  }));

test('IPv6 addresses are counted by their /64, and IPv4 addresses separately, in any spelling', () =>
  withRoutes([pluginOf('doors', ...limitedRoutes())], async (ask) => {
    const statusesFrom = async (...addresses: string[]) => {
      const statusCodes: number[] = [];
      for (const address of addresses) statusCodes.push((await ask('/own', { address }))[0]);
      return statusCodes;
    };
    assert.equal(
      await statusesFrom('2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:DB8:1:2:0:0:0:1'),
      [200, 200, 429],
    );
    assert.equal(await statusesFrom('2001:db8:1:3::1'), [200]);
    assert.equal(await statusesFrom('198.51.100.7', '::ffff:198.51.100.7', '::ffff:c633:6407'), [200, 200, 429]);
    assert.equal(await statusesFrom('::ffff:198.51.100.8'), [200]);
  }));

test('clients without an address share one counter, and the log mentions this once', async () => {
  const lines: string[] = [];
  const log = (_fields: object, message: string) => void lines.push(message);
  const logger = { debug: log, info: log, warn: log, error: log };
  await withRoutes(
    [pluginOf('doors', ...limitedRoutes())],
    async (ask) => {
      const statusCodes = [
        await ask('/own', { address: 'no address' }),
        await ask('/own', { address: '' }),
        await ask('/own', { address: 'x' }),
      ];
      assert.equal(
        statusCodes.map(([status]) => status),
        [200, 200, 429],
      );
    },
    { logger },
  );
  assert.is(lines.filter((line) => line.includes('does not provide client addresses')).length, 1);
});

test('the limit store never receives an address', async () => {
  const storedNames: string[] = [];
  const store = memoryLimits();
  const limits: LimitStore = {
    ...store,
    take: (keyId, workspaceId, rateLimits, now) => {
      storedNames.push(keyId, workspaceId);
      return store.take(keyId, workspaceId, rateLimits, now);
    },
  };
  await withRoutes([pluginOf('doors', ...limitedRoutes())], async (ask) => void (await ask('/own')), { limits });
  assert.equal(storedNames.length, 2);
  assert.match(storedNames[0] ?? '', /^adr_[\w-]{32}$/);
  assert.is(storedNames[1], 'public');
});

test('the database of the service can also store these counters', () =>
  withRoutes(
    [pluginOf('doors', ...limitedRoutes())],
    async (ask) => {
      assert.equal(
        [await ask('/own'), await ask('/own'), await ask('/own')].map(([status]) => status),
        [200, 200, 429],
      );
    },
    { limits: sqlLimits() },
  ));

for (const [onStoreFailure, statuses] of [
  ['allow', [200, 200, 200]],
  ['deny', [503, 503, 503]],
] as const) {
  test(`if the store is down, calls ${onStoreFailure === 'allow' ? 'pass' : 'wait'} with the setting ${onStoreFailure}`, () => {
    const take = () => Promise.reject(new Error('the store is down'));
    return withRoutes(
      [pluginOf('doors', ...limitedRoutes())],
      async (ask) => {
        const statusCodes = [await ask('/own'), await ask('/own'), await ask('/own')];
        assert.equal(
          statusCodes.map(([status]) => status),
          statuses,
        );
      },
      {
        limits: { id: 'down', take, close: async () => undefined },
        settings: { onStoreFailure },
        logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
      },
    );
  });
}

test('a handler can apply its own limit for each path parameter', () =>
  withRoutes(
    [
      pluginOf(
        'doors',
        routeNamed('try', {
          http: 'GET /try/{form}',
          async handler(ctx, { params }) {
            await ctx.limitAddress({ name: `doors.try.${params['form']}`, perMinute: 60, burst: 1 });
            return { status: 204, headers: {}, body: '' };
          },
        }),
      ),
    ],
    async (ask) => {
      assert.is((await ask('/try/a'))[0], 204);
      assert.equal(codeOf(await ask('/try/a')), [429, 'address_rate_limit']);
      assert.is((await ask('/try/b'))[0], 204);
      const page = await ask('/try/a', { headers: { accept: 'text/html' } });
      assert.match(page[1], /<h1>Too many requests<\/h1>/);
      const json = await ask('/try/a', { headers: { accept: 'application/json, text/html' } });
      assert.is(codeOf(json)[1], 'address_rate_limit');
    },
  ));

test.run();
