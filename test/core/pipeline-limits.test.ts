// Rate limits over REST and at the MCP endpoint: headers of every response, the two refusals, unlimited keys, and a limit store that is
// down
// full-run: slow
import * as assert from 'uvu/assert';
import { memoryLimits } from '../../adapters/limits/memory.ts';
import { sqlLimits } from '../../adapters/limits/sql.ts';
import type { LimitStore } from '../../core/contract/ports/limits.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { eachDatabase } from '../support/databases.ts';
import { openShop, type ShopService } from './shop-service.ts';

const rateLimits = { keyRate: 2, keyBurst: 5, workspacePerMinute: 8 };

await eachDatabase('rate limits', (test, database) => {
  const withShop = async (run: (shop: ShopService) => Promise<void>, options: Parameters<typeof openShop>[1] = {}) => {
    const shop = await openShop(database, { plans: { pro: rateLimits }, ...options });
    try {
      await run(shop);
    } finally {
      await shop.close();
    }
  };
  const get = (shop: ShopService, key = shop.liveKey) => shop.request('/v1/workspace', { key });
  const limits = (headers: Readonly<Record<string, string>>) => ({
    limit: headers['X-RateLimit-Limit'],
    remaining: headers['X-RateLimit-Remaining'],
    reset: headers['X-RateLimit-Reset'],
    scope: headers['X-RateLimit-Scope'],
  });

  test('a key may use its burst and then its rate, and a refusal states the time to wait', () =>
    withShop(async (shop) => {
      for (let left = 4; left >= 0; left -= 1) {
        const { status, headers } = await get(shop);
        assert.is(status, 200);
        const { limit, remaining, scope } = limits(headers);
        assert.equal({ limit, remaining, scope }, { limit: '5', remaining: String(left), scope: 'key' });
      }
      const { status, headers, body } = await get(shop);
      assert.is(status, 429);
      assert.equal([body.error.type, body.error.code], ['rate_limit_exceeded', 'key_rate_limit']);
      // Retry-After is in whole seconds, and the body has the exact time.
      assert.is(headers['Retry-After'], '1');
      assert.is(body.error.retry_after_seconds, 0.5);
      assert.equal(limits(headers), {
        limit: '5',
        remaining: '0',
        reset: new Date(shop.now() + 2_500).toISOString(),
        scope: 'key',
      });
      shop.advanceClock(499);
      const still = await get(shop);
      assert.equal([still.status, still.headers['Retry-After']], [429, '1']);
      shop.advanceClock(1);
      assert.is((await get(shop)).status, 200);
      assert.is((await get(shop)).status, 429);
    }));

  test('all keys of a workspace share a limit per minute, and another workspace has its own limit', () =>
    withShop(async (shop) => {
      const keys = [shop.liveKey, await shop.keyWith(['workspace:read']), await shop.keyWith(['workspace:read'])];
      for (let count = 0; count < 8; count += 1)
        assert.is((await get(shop, keys[count % 3])).status, 200, `call ${count + 1}`);
      const { status, headers, body } = await get(shop, keys[2]);
      assert.equal([status, body.error.code, limits(headers).scope], [429, 'workspace_rate_limit', 'workspace']);
      assert.equal([limits(headers).limit, limits(headers).remaining], ['8', '0']);
      assert.ok(Number(headers['Retry-After']) > 59 && Number(headers['Retry-After']) <= 61, headers['Retry-After']);
      const otherKey = await shop.service.keys.create({
        workspaceId: shop.foreignWorkspaceId,
        name: 'x',
        preset: 'full',
      });
      assert.is((await get(shop, otherKey.secret)).status, 200);
      shop.advanceClock(61_000);
      assert.is((await get(shop, keys[2])).status, 200);
    }));

  test('a refused request uses no tokens and has no effect', () =>
    withShop(async (shop) => {
      for (let count = 0; count < 5; count += 1) await get(shop);
      for (let count = 0; count < 20; count += 1) {
        const body = { price: 1 };
        assert.is(
          (await shop.request('/v1/purchases', { body, headers: { 'idempotency-key': 'refused' } })).status,
          429,
        );
      }
      shop.advanceClock(500);
      const { status, body } = await get(shop);
      assert.equal([status, body.usage.credits_balance], [200, 3_000]);
    }));

  test('refusals by an operation also have the headers, but a request without a valid key does not', () =>
    withShop(async (shop) => {
      for (const [path, status] of [
        ['/v1/workspace?x=1', 422],
        ['/v1/sends/snd_x', 404],
      ] as const) {
        const answer = await shop.request(path);
        assert.is(answer.status, status);
        assert.is(limits(answer.headers).scope, 'key');
      }
      const unknown = await get(shop, 'nonsense');
      assert.equal(limits(unknown.headers), {
        limit: undefined,
        remaining: undefined,
        reset: undefined,
        scope: undefined,
      });
    }));

  test('the MCP endpoint shares the limits, and its refusal has an HTTP status', () =>
    withShop(async (shop) => {
      const body = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'read_workspace', arguments: {} } };
      for (let count = 0; count < 4; count += 1) await get(shop);
      const last = await shop.request('/v1/mcp', { body });
      assert.equal([last.status, limits(last.headers).remaining], [200, '0']);
      const refusal = await shop.request('/v1/mcp', { body });
      assert.equal([refusal.status, refusal.headers['Retry-After']], [429, '1']);
      assert.is(refusal.body.error.data.error.code, 'key_rate_limit');
    }));

  test('sandbox keys skip both limits and get constant headers', () =>
    withShop(async (shop) => {
      const mcp = await shop.keyWith(['workspace:read'], { mode: 'mcp', sandbox: true });
      for (let count = 0; count < 30; count += 1) {
        const { status, headers } = await get(shop, count % 2 === 0 ? shop.testKey : mcp);
        assert.is(status, 200);
        const { limit, remaining, scope } = limits(headers);
        assert.equal({ limit, remaining, scope }, { limit: '60', remaining: '60', scope: 'key' });
      }
      assert.is(limits((await get(shop)).headers).remaining, '4', 'sandbox calls took from the live limits');
    }));

  test('on the sandbox plan, every key counts as a sandbox key', () =>
    withShop(async (shop) => {
      await shop.service.workspaces.update(shop.workspaceId, { plan: 'sandbox' });
      for (let count = 0; count < 12; count += 1) assert.is((await get(shop)).status, 200);
    }));

  test('a new plan applies from the next request on', () =>
    withShop(async (shop) => {
      for (let count = 0; count < 5; count += 1) await get(shop);
      assert.is((await get(shop)).status, 429);
      await shop.service.workspaces.update(shop.workspaceId, { plan: 'scale' });
      shop.advanceClock(1_000);
      assert.is(limits((await get(shop)).headers).limit, '240');
    }));

  test("the service's own database can store the limits and gives the same results", () =>
    withShop(
      async (shop) => {
        const answers = await Promise.all(Array.from({ length: 7 }, () => get(shop)));
        assert.equal(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 429, 429]);
        shop.advanceClock(500);
        const { status, headers } = await get(shop);
        assert.equal([status, limits(headers).limit, limits(headers).remaining], [200, '5', '0']);
        await shop.service.workspaces.delete(shop.workspaceId);
        const openedDatabase = await shop.service.core.database();
        const rows = await openedDatabase.read(unscoped('the test looks at every workspace'), ({ db }) =>
          db.selectFrom('rate_limits').select('key_id').where('workspace_id', '=', shop.workspaceId).execute(),
        );
        assert.equal(rows, []);
      },
      { limits: sqlLimits({ timeoutMs: 30_000 }) },
    ));

  const brokenStore = (): LimitStore => ({
    ...memoryLimits(),
    id: 'broken',
    take: async () => {
      throw new Error('the store is down');
    },
  });

  test('if the store is down, requests pass, and the log has one line for the outage and one for its end', () => {
    const store = { ...brokenStore(), down: true };
    const { take } = memoryLimits();
    const limits: LimitStore = {
      ...store,
      take: (...asked) => (store.down ? store.take(...asked) : take(...asked)),
    };
    return withShop(
      async (shop) => {
        const loggedLines = (text: string) => shop.logged.filter((line) => line.startsWith(text));
        for (let count = 0; count < 10; count += 1) assert.is((await get(shop)).status, 200);
        assert.equal([loggedLines('the limit store').length, loggedLines('the limit store failed').length], [1, 1]);
        store.down = false;
        while (loggedLines('the limit store works again').length === 0) await get(shop);
        assert.match(
          loggedLines('the limit store works again')[0] ?? '',
          /"store":"broken","failures":10,"seconds":\d/,
        );
        await get(shop);
        assert.is(loggedLines('the limit store').length, 2);
      },
      { limits },
    );
  });

  test('if the store is down and the setting is deny, requests are refused with a time to wait', () =>
    withShop(
      async (shop) => {
        const { status, headers, body } = await get(shop);
        assert.equal([status, body.error.code, headers['Retry-After']], [503, 'service_unavailable', '1']);
        assert.is((await get(shop, shop.testKey)).status, 200);
      },
      { limits: brokenStore(), settings: { onStoreFailure: 'deny' } },
    ));
});
