// The store on the service's own database: the shared suite, agreement with memory, two services on one database, its
// writes, retention, and a database that does not answer.
// full-run: slow
import * as assert from 'uvu/assert';
import { type SqlLimitOptions, sqlLimits } from '../../adapters/limits/sql.ts';
import type { LimitStore, RateLimits } from '../../core/contract/ports/limits.ts';
import { createService, type Service } from '../../core/kernel/compose.ts';
import { limitStoreSuite } from '../../hosts/testing/limits-suite.ts';
import { createSimulatedClock } from '../../hosts/testing/simulated-clock.ts';
import { eachDatabase } from '../support/databases.ts';
import { assertAgreesWithMemory } from './limits-agreement.ts';

const unlimited = Number.POSITIVE_INFINITY;
const start = Date.UTC(2026, 10, 20);

await eachDatabase('sql limits', (test, database) => {
  const prefix = database.newPrefix();
  const clock = createSimulatedClock(start);
  const services: Service<never>[] = [];

  const open = async (options?: SqlLimitOptions): Promise<Service<never>> => {
    const service = createService<never>({
      plugins: [],
      storage: database.createStorage(),
      tablePrefix: prefix,
      limits: sqlLimits({ timeoutMs: 30_000, ...options }),
      clock,
    });
    if (services.length === 0) await service.migrate();
    services.push(service);
    return service;
  };
  const first = async (): Promise<Service<never>> => services[0] ?? open();
  const change = async (text: string): Promise<number> =>
    (await (await first()).core.database()).driver.transact(
      async (connection) => (await connection.query({ sql: text, parameters: [] })).changes,
    );
  const rows = async () => {
    const { driver } = await (await first()).core.database();
    const sql = `select * from ${prefix}rate_limits order by key_id`;
    return (await driver.read((connection) => connection.query({ sql, parameters: [] }))).rows;
  };
  /** The first service's store, without counters. Closing it leaves the service open. */
  const create = async (): Promise<LimitStore> => {
    const { limits } = (await first()).core;
    await change(`delete from ${prefix}rate_limits`);
    return { id: limits.id, take: (...request) => limits.take(...request), close: async () => undefined };
  };
  test.after(async () => {
    for (const service of services) await service.stop();
  });

  limitStoreSuite('sql', create, test);

  test('the store decides exactly as the memory store does, for all limits, intervals and clocks', async () => {
    const { granted, refused } = await assertAgreesWithMemory(create, 12);
    assert.ok(granted > 100 && refused > 100, `${granted} granted, ${refused} refused`);
  });

  test('two services on one database count together, from the first request on', async () => {
    const { limits } = (await first()).core;
    const { limits: other } = (await open()).core;
    for (let round = 0; round < 5; round += 1) {
      await change(`delete from ${prefix}rate_limits`);
      const rateLimits = { keyRate: 1, keyBurst: 20, workspacePerMinute: 50 };
      const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];
      const takes = Array.from({ length: 240 }, async (_, index) => {
        const key = keys[index % 12] ?? '';
        const decision = await (index % 5 < 2 ? limits : other).take(key, 'ws', rateLimits, start);
        return decision.allowed ? key : undefined;
      });
      const grantedKeys = (await Promise.all(takes)).filter((key) => key !== undefined);
      assert.is(grantedKeys.length, 50);
      assert.ok(keys.every((key) => grantedKeys.filter((one) => one === key).length <= 20));
    }
  });

  test('a key without an effective workspace limit is counted once across two services', async () => {
    const stores = [(await first()).core.limits, (await open()).core.limits];
    await change(`delete from ${prefix}rate_limits`);
    const rateLimits = { keyRate: 0.001, keyBurst: 30, workspacePerMinute: unlimited };
    const takes = Array.from({ length: 80 }, async (_, index) =>
      stores[index % 2]?.take('key', 'ws', rateLimits, start),
    );
    assert.is((await Promise.all(takes)).filter((decision) => decision?.allowed).length, 30);
  });

  test('concurrent takes share transactions', async () => {
    const { limits, database: opened } = (await first()).core;
    const { driver } = await opened();
    const transact = driver.transact;
    let transactions = 0;
    driver.transact = (work, options) => {
      transactions += 1;
      return transact.call(driver, work, options) as never;
    };
    try {
      const rateLimits = { keyRate: 1, keyBurst: 1_000, workspacePerMinute: 1_000 };
      await Promise.all(Array.from({ length: 150 }, async () => limits.take('key', 'together', rateLimits, start)));
    } finally {
      driver.transact = transact;
    }
    assert.ok(transactions <= 3, `${transactions} transactions`);
  });

  test('a refused request writes nothing, and full limits are forgotten', async () => {
    const store = await create();
    const rateLimits: RateLimits = { keyRate: 1, keyBurst: 2, workspacePerMinute: 100 };
    for (let count = 0; count < 2; count += 1) await store.take('key', 'ws', rateLimits, clock.now());
    const storedRows = await rows();
    assert.is(storedRows.length, 2);
    for (let count = 0; count < 3; count += 1) {
      assert.not.ok((await store.take('key', 'ws', rateLimits, clock.now())).allowed);
    }
    assert.equal(await rows(), storedRows);
    const service = await first();
    await service.drain();
    assert.equal(await rows(), storedRows);
    clock.advance(20 * 60_000);
    await service.drain();
    assert.equal(await rows(), []);
  });

  // SQLite has no row locks: a writer locks the whole file. The driver's own tests cover the wait for that lock.
  if (database.name === 'sqlite') return;
  test('if another transaction locks the row, a take fails in time; later takes are decided', async () => {
    const { limits } = (await open({ timeoutMs: 300 })).core;
    const rateLimits = { keyRate: 1, keyBurst: 1_000, workspacePerMinute: unlimited };
    const takeOnce = () => Promise.resolve(limits.take('key', 'busy', rateLimits, start));
    await takeOnce();
    const { driver } = await (await first()).core.database();
    const sql = `update ${prefix}rate_limits set whole_at = whole_at + 1 where workspace_id = 'busy'`;
    await driver.transact(async (connection) => {
      await connection.query({ sql, parameters: [] });
      const began = performance.now();
      assert.is(
        await takeOnce().then(
          () => 'decided',
          () => 'failed',
        ),
        'failed',
      );
      assert.ok(performance.now() - began < 2_000);
    });
    const until = Date.now() + 20_000;
    while ((await takeOnce().catch(() => undefined)) === undefined) assert.ok(Date.now() < until);
  });

  test('if another transaction locks a row for seconds, no other workspace is delayed', async () => {
    const { limits } = (await open({ timeoutMs: 2_000 })).core;
    const rateLimits = { keyRate: 1, keyBurst: 10_000, workspacePerMinute: unlimited };
    const take = (workspace: string) =>
      Promise.resolve(limits.take(`key of ${workspace}`, workspace, rateLimits, start));
    await Promise.all([take('held'), take('free'), take('also-free')]);
    const { driver } = await (await first()).core.database();
    const sql = `update ${prefix}rate_limits set whole_at = whole_at + 1 where workspace_id = 'held'`;
    await driver.transact(async (connection) => {
      await connection.query({ sql, parameters: [] });
      const failures: Promise<boolean>[] = [];
      for (const began = Date.now(); Date.now() - began < 4_000; ) {
        failures.push(
          take('held').then(
            () => false,
            () => true,
          ),
        );
        await Promise.all([take('free'), take('also-free')]);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      assert.not.ok((await Promise.all(failures)).includes(false));
    });
    assert.ok((await take('held')).allowed);
  });
});
