// Credits: the amount of a charge, the balance that pays it, the reasons for refusals, and that the charge is committed or rolled back
// with its operation.
// full-run: slow
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { StorageDriver } from '../../core/contract/ports/storage.ts';
import { inWorkspace } from '../../core/unstable.ts';
import { eachDatabase } from '../support/databases.ts';
import { noRateLimits } from '../support/mail-bench.ts';
import { openShop, type ShopService } from './shop-service.ts';

const grantedCredits = 1_000;
const monthly = 20;

await eachDatabase('credits', (test, database) => {
  const withShop = async (run: (shop: ShopService) => Promise<void>) => {
    const shop = await openShop(database, { plans: { pro: { ...noRateLimits, monthlyCredits: monthly } } });
    try {
      await run(shop);
    } finally {
      await shop.close();
    }
  };
  let calls = 0;
  const buy = (shop: ShopService, body: object, headers: Readonly<Record<string, string>> = {}, key = shop.liveKey) => {
    calls += 1;
    return shop.request('/v1/purchases', { body, key, headers: { 'idempotency-key': `buy-${calls}`, ...headers } });
  };
  const balance = async (shop: ShopService): Promise<number> =>
    (await shop.request('/v1/workspace')).body.usage.credits_balance;
  const ledger = async (shop: ShopService) => {
    const db = await shop.service.core.database();
    return db.read(shop.workspaceId, (handle) =>
      handle.db.selectFrom('credits').selectAll().where('workspace_id', '=', shop.workspaceId).orderBy('id').execute(),
    );
  };

  test('a charge takes monthly credits first, then granted credits', () =>
    withShop(async (shop) => {
      assert.is(await balance(shop), grantedCredits + monthly);
      assert.is((await buy(shop, { price: 15 })).status, 201);
      assert.is((await buy(shop, { price: 15 })).status, 201);
      assert.is(await balance(shop), grantedCredits + monthly - 30);
      const rows = (await ledger(shop)).map(({ pool, kind, amount, reason }) => ({ pool, kind, amount, reason }));
      assert.equal(rows, [
        { pool: 'granted', kind: 'grant', amount: grantedCredits, reason: 'granted at creation' },
        { pool: 'month:2026-01', kind: 'charge', amount: -15, reason: 'a purchase' },
        { pool: 'month:2026-01', kind: 'charge', amount: -5, reason: 'a purchase' },
        { pool: 'granted', kind: 'charge', amount: -10, reason: 'a purchase' },
      ]);
    }));

  test('monthly credits expire and renew with the month, and granted credits stay', () =>
    withShop(async (shop) => {
      await buy(shop, { price: monthly + 100 });
      assert.is(await balance(shop), grantedCredits - 100);
      shop.advanceClock(31 * 86_400_000);
      assert.is(await balance(shop), grantedCredits - 100 + monthly);
    }));

  test('insufficient credits get 402 with the price and the balance, and nothing happens', () =>
    withShop(async (shop) => {
      const { status, body } = await buy(shop, { price: grantedCredits + monthly + 1 });
      assert.equal([status, body.error.type, body.error.code], [402, 'billing_error', 'credits_exhausted']);
      assert.match(body.error.message, String(grantedCredits + monthly + 1));
      assert.match(body.error.message, `the workspace has ${grantedCredits + monthly}`);
      assert.is(await balance(shop), grantedCredits + monthly);
      assert.is((await buy(shop, { price: grantedCredits + monthly })).status, 201, 'the whole balance can be spent');
      assert.is(await balance(shop), 0);
      assert.is((await buy(shop, { price: 1 })).status, 402);
      assert.is((await buy(shop, { price: 0 })).status, 201);
    }));

  test('a failed operation leaves no charge, even if only a later charge failed', () =>
    withShop(async (shop) => {
      assert.is((await buy(shop, { price: 5, fails: true })).status, 500);
      assert.is((await buy(shop, { price: 400, times: 3 })).status, 402);
      assert.is(await balance(shop), grantedCredits + monthly);
      assert.is((await ledger(shop)).length, 1);
    }));

  test('several charges of one call add up: the whole balance can be spent, but not more', () =>
    withShop(async (shop) => {
      const half = (grantedCredits + monthly) / 2;
      assert.is((await buy(shop, { price: half, times: 3 })).status, 402);
      assert.is((await buy(shop, { price: half, times: 2 })).status, 201);
      assert.is(await balance(shop), 0);
    }));

  test('several counts of one call add up: a budget ends exactly at its limit', () =>
    withShop(async (shop) => {
      const countTimes = async (times: number) =>
        (await shop.request('/v1/counts', { body: { times, limit: 10 } })).body.counted;
      assert.equal([await countTimes(4), await countTimes(4), await countTimes(4), await countTimes(1)], [4, 4, 2, 0]);
    }));

  test('counts of simultaneous calls also end exactly at the limit', () =>
    withShop(async (shop) => {
      const body = { times: 3, limit: 20 };
      const answers = await Promise.all(Array.from({ length: 15 }, () => shop.request('/v1/counts', { body })));
      assert.is(
        answers.reduce((sum, answer) => sum + answer.body.counted, 0),
        20,
      );
    }));

  test('a replay charges nothing, and a dry run reports the price and charges nothing', () =>
    withShop(async (shop) => {
      const onceHeaders = { 'idempotency-key': 'once' };
      await buy(shop, { price: 7 }, onceHeaders);
      const replay = await buy(shop, { price: 7 }, onceHeaders);
      assert.is(replay.headers['Idempotent-Replay'], 'true');
      const dry = await buy(shop, { price: 7, times: 2 }, { 'dry-run': 'true' });
      assert.is(dry.headers['Dry-Run-Credits'], '14');
      assert.is((await buy(shop, { price: 9_999 }, { 'dry-run': 'true' })).status, 402);
      assert.is(await balance(shop), grantedCredits + monthly - 7);
    }));

  test('sandbox calls are free at any price', () =>
    withShop(async (shop) => {
      assert.is((await buy(shop, { price: 1_000_000 }, {}, shop.testKey)).status, 201);
      assert.is(await balance(shop), grantedCredits + monthly);
    }));

  test('concurrent purchases never spend a credit twice', () =>
    withShop(async (shop) => {
      const price = 100;
      const answers = await Promise.all(Array.from({ length: 30 }, () => buy(shop, { price })));
      const bought = answers.filter(({ status }) => status === 201).length;
      assert.is(bought, Math.floor((grantedCredits + monthly) / price), answers.map(({ status }) => status).join());
      assert.ok(answers.every(({ status }) => status === 201 || status === 402));
      assert.is(await balance(shop), (grantedCredits + monthly) % price);
    }));

  test('a purchase that fails releases its credits to waiting purchases', () =>
    withShop(async (shop) => {
      const all = grantedCredits + monthly;
      const answers = await Promise.all([
        ...Array.from({ length: 5 }, () => buy(shop, { price: all, fails: true })),
        buy(shop, { price: all }),
        ...Array.from({ length: 5 }, () => buy(shop, { price: all, fails: true })),
      ]);
      assert.is(answers.filter(({ status }) => status === 201).length, 1, answers.map(({ status }) => status).join());
      assert.is(await balance(shop), 0);
    }));

  test('a service that stops right after a purchase leaves no budget lease, and does not open the database again', async () => {
    const storage = database.createStorage();
    const drivers: StorageDriver[] = [];
    const closedDatabases: StorageDriver[] = [];
    const open = async (): Promise<StorageDriver> => {
      const driver = await storage.open();
      drivers.push(driver);
      const close = driver.close.bind(driver);
      driver.close = async () => {
        await close();
        closedDatabases.push(driver);
      };
      return driver;
    };
    const tablePrefix = database.newPrefix();
    const shop = await openShop(database, { storage: { ...storage, open }, tablePrefix });
    const workspace = await shop.service.workspaces.read(shop.workspaceId);
    await inWorkspace(shop.service.core, workspace, ({ charge }) => charge(15, 'a purchase'));
    await shop.service.stop();
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    assert.equal([drivers.length, closedDatabases.length], [1, 1]);
    const reopened = await storage.open();
    const { rows } = await reopened.read((connection) =>
      connection.query({ sql: `select * from ${tablePrefix}budget_leases`, parameters: [] }),
    );
    await reopened.close();
    assert.equal(rows, []);
  });
});
