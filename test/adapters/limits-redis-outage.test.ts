// A Redis that does not answer, is dead, read-only or loading, or refuses our password: how and when requests to a service are
// answered meanwhile, the log lines, and the recovery. Each test has its own server.
import { inspect } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { redisLimits } from '../../adapters/limits/redis.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import type { ServiceOptions } from '../../core/kernel/options.ts';
import { openShop, type ShopService } from '../core/shop-service.ts';
import { failFastClient, hasRedis, type OwnRedis, startRedis } from '../support/redis-server.ts';

const rateLimits = { keyRate: 1_000, keyBurst: 5_000, workspacePerMinute: 100_000 };
const timeoutMs = 250;
/** Time that a busy machine may add to a time limit. */
const slackMs = 1_500;

interface OutageService {
  readonly own: OwnRedis;
  readonly shop: ShopService;
}

async function withService(
  settings: NonNullable<ServiceOptions<string>['settings']>,
  run: (context: OutageService) => Promise<void>,
): Promise<void> {
  const ownRedis = await startRedis();
  const database = {
    name: 'sqlite' as const,
    createStorage: () => sqliteStorage({ filename: ':memory:' }),
    newPrefix: () => 't_',
  };
  const limits = redisLimits({ url: ownRedis.url }, { timeoutMs });
  const shop = await openShop(database, { plans: { pro: rateLimits }, limits, settings });
  try {
    await run({ own: ownRedis, shop });
  } finally {
    await shop.close();
    await ownRedis.remove();
  }
}

const ask = async ({ shop }: OutageService) => {
  const began = performance.now();
  const { status, headers, body } = await shop.request('/v1/workspace', { key: shop.liveKey });
  return { status, headers, body, limit: headers['X-RateLimit-Limit'], tookMs: performance.now() - began };
};

const failuresOf = ({ shop }: OutageService): string[] =>
  shop.logged.filter((line) => line.includes('the limit store failed'));

const endsOf = ({ shop }: OutageService): string[] =>
  shop.logged.filter((line) => line.includes('the limit store works again'));

/** Repeats requests until the store makes decisions again. While it makes no decisions, the header is the constant 60. */
async function waitForRecovery(outage: OutageService): Promise<void> {
  const until = Date.now() + 30_000;
  while ((await ask(outage)).limit === '60') {
    assert.ok(Date.now() < until, 'the store did not come back');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

if (await hasRedis()) {
  const test = suite('redis outages');

  test('if Redis is silent or dead, requests pass in time; the failure is logged once and counted; the store recovers', () =>
    withService({}, async (outage) => {
      const { own } = outage;
      await waitForRecovery(outage);
      for (const [stopRedis, startRedisAgain] of [
        [async () => own.halt(), async () => own.resume()],
        [() => own.kill(), () => own.restart()],
      ] as const) {
        const [failed, ended] = [failuresOf(outage).length, endsOf(outage).length];
        await stopRedis();
        const answers = await Promise.all(Array.from({ length: 20 }, () => ask(outage)));
        for (let count = 0; count < 20; count += 1) answers.push(await ask(outage));
        for (const { status, limit, tookMs } of answers) {
          assert.equal([status, limit], [200, '60']);
          assert.ok(tookMs < timeoutMs + slackMs, `${tookMs} ms`);
        }
        assert.is(failuresOf(outage).length, failed + 1);
        assert.match(failuresOf(outage).at(-1) ?? '', /"store":"redis"/);
        await startRedisAgain();
        await waitForRecovery(outage);
        while (endsOf(outage).length === ended) await ask(outage);
        const { failures } = JSON.parse(/\{.*/.exec(endsOf(outage).at(-1) ?? '')?.[0] ?? '{}');
        assert.ok(failures >= 40, `${failures} failures were counted`);
      }
    }));

  test('while Redis is silent, requests do not each wait for the whole timeout', () =>
    withService({}, async (outage) => {
      await waitForRecovery(outage);
      outage.own.halt();
      await ask(outage);
      const began = performance.now();
      let requestCount = 0;
      while (performance.now() - began < 500) {
        await ask(outage);
        requestCount += 1;
      }
      assert.ok(requestCount > 20, `${requestCount} requests in half a second`);
      outage.own.resume();
      await waitForRecovery(outage);
    }));

  test("with onStoreFailure 'deny', requests are refused with a time to wait", () =>
    withService({ onStoreFailure: 'deny' }, async (outage) => {
      await waitForRecovery(outage);
      await outage.own.kill();
      const { status, headers, body, tookMs } = await ask(outage);
      assert.equal([status, body.error.code, headers['Retry-After']], [503, 'service_unavailable', '1']);
      assert.ok(tookMs < timeoutMs + slackMs, `${tookMs} ms`);
      await outage.own.restart();
      await waitForRecovery(outage);
    }));

  test('a service starts without Redis, and uses Redis as soon as it is available', () =>
    withService({}, async (outage) => {
      await outage.own.kill();
      assert.is((await ask(outage)).status, 200);
      await outage.own.restart();
      await waitForRecovery(outage);
    }));

  test('if a former master became a replica, or a server is still loading, decisions of the store fail and requests pass', () =>
    withService({}, async (outage) => {
      const client = failFastClient(outage.own.url);
      await waitForRecovery(outage);
      await client.replicaof('127.0.0.1', 1);
      assert.equal([(await ask(outage)).limit, failuresOf(outage).length], ['60', 1]);
      assert.match(failuresOf(outage)[0] ?? '', /READONLY/);
      await client.replicaof('NO', 'ONE');
      await waitForRecovery(outage);
      await client.eval("for i = 1, 20000 do redis.call('SET', 'filler:' .. i, 'x') end", 0);
      await client.save();
      client.disconnect();
      const slowly = ['--key-load-delay', '200', '--loading-process-events-interval-bytes', '1024'];
      await outage.own.restart('--dbfilename', 'dump.rdb', ...slowly);
      const loading = await ask(outage);
      assert.is(loading.limit, '60', 'the server was loading');
      assert.ok(loading.tookMs < timeoutMs + slackMs, `${loading.tookMs} ms`);
      await waitForRecovery(outage);
    }));

  test('no error contains the password', async () => {
    const ownRedis = await startRedis('--requirepass', 'right');
    try {
      for (const host of [`127.0.0.1:${ownRedis.port}`, '127.0.0.1:1', 'nowhere.invalid']) {
        const store = redisLimits({ url: `redis://default:s3cret@${host}` }, { timeoutMs: 1_000 });
        for (let count = 0; count < 3; count += 1) {
          const failure: unknown = await Promise.resolve(store.take('key', 'ws', rateLimits, 0)).catch(
            (error) => error,
          );
          assert.instance(failure, Error);
          assert.not.match(inspect(failure, { depth: 9, showHidden: true }), /s3cret/);
        }
        await store.close();
      }
      const store = redisLimits({ url: `redis://default:right@127.0.0.1:${ownRedis.port}` }, { timeoutMs: 5_000 });
      assert.ok((await store.take('key', 'ws', rateLimits, 0)).allowed);
      await store.close();
    } finally {
      await ownRedis.remove();
    }
  });

  test.run();
}
