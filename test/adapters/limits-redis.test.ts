// The Redis store on a real server: the shared suite, agreement with memory, keys and their expiry, a flushed script
// cache, other clients, other clocks.
import { Cluster, Redis } from 'ioredis';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type RedisLimitOptions, redisLimits } from '../../adapters/limits/redis.ts';
import { limitStoreSuite } from '../../hosts/testing/limits-suite.ts';
import {
  deleteRedisKeys,
  failFastClient,
  hasRedis,
  newRedisPrefix,
  redisUrl,
  startRedis,
} from '../support/redis-server.ts';
import { assertAgreesWithMemory } from './limits-agreement.ts';

const unlimited = Number.POSITIVE_INFINITY;
const start = Date.UTC(2026, 10, 20);
const rateLimits = { keyRate: 1, keyBurst: 3, workspacePerMinute: 100 };

if (await hasRedis()) {
  const test = suite('redis limits');
  const home = newRedisPrefix();
  let serial = 0;
  const newPrefix = (): string => {
    serial += 1;
    return `${home}${serial}:`;
  };
  const shared = failFastClient();
  const create = (options: RedisLimitOptions = {}) =>
    redisLimits({ client: shared }, { prefix: newPrefix(), clock: 'caller', timeoutMs: 5_000, ...options });
  test.after(async () => {
    shared.disconnect();
    await deleteRedisKeys(home);
  });

  limitStoreSuite('redis', create, test);

  test('the store decides exactly as the memory store does, for all limits, intervals and clocks', async () => {
    const { granted, refused } = await assertAgreesWithMemory(create, 120);
    assert.ok(granted > 1_000 && refused > 1_000, `${granted} granted, ${refused} refused`);
  });

  test("the store counts by Redis's clock by default", async () => {
    const store = redisLimits({ url: redisUrl }, { prefix: newPrefix(), timeoutMs: 5_000 });
    const limits = { keyRate: 0.01, keyBurst: 2, workspacePerMinute: unlimited };
    const [seconds, micros] = (await shared.time()).map(Number) as [number, number];
    const before = seconds * 1_000 + Math.floor(micros / 1_000);
    const [first, , third] = [
      await store.take('key', 'ws', limits, start),
      await store.take('key', 'ws', limits, start + 86_400_000),
      await store.take('key', 'ws', limits, start - 86_400_000),
    ];
    await store.close();
    assert.ok(first.allowed && first.resetAt >= before + 100_000 && first.resetAt < before + 160_000);
    assert.not.ok(third.allowed);
    assert.ok(third.retryAfterSeconds > 40 && third.retryAfterSeconds <= 100);
  });

  test('keys expire when their limits are full again, and a refused request writes nothing', async () => {
    const prefix = newPrefix();
    const store = redisLimits({ client: shared }, { prefix, timeoutMs: 5_000 });
    const limits = { keyRate: 0.1, keyBurst: 5, workspacePerMinute: 2 };
    await store.take('key', 'ws', limits, start);
    const [bucket, window] = [`${prefix}{ws}:key:key`, `${prefix}{ws}:window`];
    const [bucketMs, windowMs] = [await shared.pttl(bucket), await shared.pttl(window)];
    assert.ok(bucketMs > 5_000 && bucketMs <= 10_000, `${bucketMs}`);
    assert.ok(windowMs > 55_000 && windowMs <= 61_000, `${windowMs}`);
    await store.take('key', 'ws', limits, start);
    const stored = [await shared.get(bucket), await shared.hgetall(window)];
    for (let count = 0; count < 5; count += 1) assert.not.ok((await store.take('key', 'ws', limits, start)).allowed);
    assert.equal([await shared.get(bucket), await shared.hgetall(window)], stored);
    const quick = { keyRate: 100, keyBurst: 5, workspacePerMinute: unlimited };
    await store.take('quick', 'ws', quick, start);
    const until = Date.now() + 10_000;
    while ((await shared.exists(`${prefix}{ws}:key:quick`)) === 1 && Date.now() < until);
    assert.is(await shared.exists(`${prefix}{ws}:key:quick`), 0);
    await store.close();
  });

  test('ids with braces, spaces and percent signs stay distinct, and in one slot of a cluster', async () => {
    const ownRedis = await startRedis('--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1');
    const node = failFastClient(ownRedis.url);
    await node.cluster('ADDSLOTSRANGE', 0, 16_383);
    const ids = ['', '%', '{}', '}{', 'a b', '%7B', '{', 'é', 'a}:window', 'a'];
    const until = Date.now() + 20_000;
    while (!(await node.cluster('INFO')).includes('cluster_state:ok') && Date.now() < until);
    const client = new Cluster([{ host: '127.0.0.1', port: ownRedis.port }]);
    const store = redisLimits({ client }, { clock: 'caller', timeoutMs: 10_000 });
    try {
      for (const workspace of ids) {
        for (const key of ids) {
          const decision = await store.take(key, workspace, rateLimits, start);
          assert.is(decision.remaining, 2, `${workspace} ${key}`);
        }
      }
      assert.is((await store.take('a', 'a', rateLimits, start)).remaining, 1);
    } finally {
      client.disconnect();
      node.disconnect();
      await store.close();
      await ownRedis.remove();
    }
  });

  test('the store continues after Redis forgot the script', async () => {
    const ownRedis = await startRedis();
    const client = failFastClient(ownRedis.url);
    const store = redisLimits({ url: ownRedis.url }, { timeoutMs: 5_000 });
    try {
      for (const left of [2, 1]) {
        assert.is((await store.take('key', 'ws', { ...rateLimits, keyRate: 0.001 }, start)).remaining, left);
        await client.script('FLUSH');
      }
      assert.is((await store.take('key', 'ws', { ...rateLimits, keyRate: 0.001 }, start)).remaining, 0);
    } finally {
      client.disconnect();
      await store.close();
      await ownRedis.remove();
    }
  });

  test("the program's client keeps its prefix and its connection, and gets no command", async () => {
    const prefix = newPrefix();
    const client = new Redis(redisUrl, { keyPrefix: prefix, stringNumbers: true });
    try {
      await client.ping();
      const names = Object.keys(client);
      const store = redisLimits({ client }, { prefix: 'limits:', timeoutMs: 5_000 });
      assert.is((await store.take('key', 'ws', rateLimits, start)).remaining, 2);
      await store.close();
      assert.equal(Object.keys(client), names);
      assert.equal(await client.exists('limits:{ws}:key:key'), '1');
      const refusal = await Promise.resolve(store.take('key', 'ws', rateLimits, start)).catch(String);
      assert.match(String(refusal), /has been closed/);
    } finally {
      client.disconnect();
    }
  });

  test('the store refuses invalid options without showing the address', () => {
    const errorTextOf = (make: () => unknown): string => {
      try {
        make();
      } catch (error) {
        return String(error);
      }
      return 'nothing was thrown';
    };
    assert.match(
      errorTextOf(() => redisLimits({ url: redisUrl }, { prefix: 'a{b}' })),
      /RangeError: .*braces/,
    );
    assert.match(
      errorTextOf(() => redisLimits({ url: redisUrl }, { timeoutMs: 0 })),
      /RangeError: timeoutMs/,
    );
    for (const url of ['http://:s3cret@redis', 's3cret', 'redis//:s3cret@x']) {
      const text = errorTextOf(() => redisLimits({ url }));
      assert.match(text, /RangeError/);
      assert.not.match(text, /s3cret/);
    }
  });

  test('if nothing is limited, the store sends nothing to Redis', async () => {
    const store = redisLimits({ url: 'redis://127.0.0.1:1' });
    const withoutLimits = { keyRate: unlimited, keyBurst: unlimited, workspacePerMinute: unlimited };
    assert.ok((await store.take('key', 'ws', withoutLimits, start)).allowed);
    await store.close();
  });

  test.run();
}
