// Credit reservations for work that ends later, on each database: the amounts that settling and releasing return, the balance that gets
// them, and the single end of each reservation.
// time-limit: 180
// full-run: slow
import * as assert from 'uvu/assert';
import type { TransactionContext } from '../../core/contract/context/context.ts';
import { isPostriderError } from '../../core/contract/errors/errors.ts';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { eachDatabase, maxConnections } from '../support/databases.ts';
import { noRateLimits } from '../support/mail-bench.ts';
import { openShop, type ShopService } from './shop-service.ts';

const grantedCredits = 1_000;
const monthly = 20;
const day = 86_400_000;

await eachDatabase('credit holds', (test, database) => {
  const each = (name: string, run: (shop: ShopService) => Promise<void>) =>
    test(name, async () => {
      const shop = await openShop(database, { plans: { pro: { ...noRateLimits, monthlyCredits: monthly } } });
      try {
        await run(shop);
      } finally {
        await shop.close();
      }
    });
  const within = async <T>(shop: ShopService, work: (ctx: TransactionContext) => Promise<T>): Promise<T> =>
    inWorkspace(shop.service.core, await readWorkspace(shop.service.core, shop.workspaceId), work);
  const balance = async (shop: ShopService): Promise<number> =>
    (await shop.request('/v1/workspace')).body.usage.credits_balance;
  const ledger = async (shop: ShopService) => {
    const rows = await (await shop.service.core.database()).read(shop.workspaceId, ({ db, workspaceId }) =>
      db.selectFrom('credits').selectAll().where('workspace_id', '=', workspaceId).orderBy('id').execute(),
    );
    return rows.slice(1).map(({ pool, kind, amount }) => `${pool} ${kind} ${Number(amount)}`);
  };

  each(
    'a hold is deducted at once, and settling it returns the unused credits, granted credits first',
    async (shop) => {
      const id = await within(shop, ({ hold }) => hold(30, 'a page'));
      assert.match(id, /^hld_/);
      assert.is(await balance(shop), grantedCredits + monthly - 30);
      assert.is(await within(shop, ({ settle }) => settle(id, 12)), true);
      assert.is(await balance(shop), grantedCredits + monthly - 12);
      assert.equal(await ledger(shop), [
        'month:2026-01 hold -20',
        'granted hold -10',
        'granted settle 10',
        'month:2026-01 settle 8',
      ]);
    },
  );

  each('a hold ends only once, and settling it never charges more than its amount', async (shop) => {
    const id = await within(shop, ({ hold }) => hold(30, 'a page'));
    const ends = await within(shop, async ({ settle, release }) => [await settle(id, 99), await release(id)]);
    assert.equal(ends, [true, false]);
    assert.is(await balance(shop), grantedCredits + monthly - 30);
    assert.equal((await ledger(shop)).slice(2), ['month:2026-01 settle 0']);
    assert.is(await within(shop, ({ settle }) => settle('hld_none', 1)), false);
  });

  each('if many transactions end one hold at the same time, only one of them succeeds', async (shop) => {
    const id = await within(shop, ({ hold }) => hold(30, 'a page'));
    const ends = await Promise.all(Array.from({ length: 8 }, () => within(shop, ({ release }) => release(id))));
    assert.equal(ends.filter(Boolean).length, 1);
    assert.is(await balance(shop), grantedCredits + monthly);
  });

  each('a hold above the balance is refused and reserves nothing', async (shop) => {
    await within(shop, ({ hold }) => hold(grantedCredits, 'most'));
    await within(shop, ({ hold }) => hold(monthly + 1, 'too much')).then(
      () => assert.unreachable('the credits were held'),
      (error: unknown) => assert.ok(isPostriderError(error, 'credits_exhausted')),
    );
    assert.is(await balance(shop), monthly);
  });

  each('simultaneous holds never reserve the same credit twice', async (shop) => {
    const holds = await Promise.allSettled(
      Array.from({ length: 20 }, () => within(shop, ({ hold }) => hold(100, 'at once'))),
    );
    assert.is(holds.filter(({ status }) => status === 'fulfilled').length, 10);
    assert.is(await balance(shop), monthly);
  });

  each(
    'a hold counts in the month in which it began, and credits that are returned later go back to that month',
    async (shop) => {
      const id = await within(shop, ({ hold, now }) => hold(30, 'a page', { expiresAt: now + 60 * day }));
      shop.advanceClock(31 * day);
      assert.is(await balance(shop), grantedCredits + monthly - 10, 'the new month has all its credits');
      await within(shop, ({ release }) => release(id));
      assert.is(await balance(shop), grantedCredits + monthly);
      assert.equal((await ledger(shop)).slice(2), ['granted release 10', 'month:2026-01 release 20']);
    },
  );

  each('a hold that is not settled is released at its end, and settling it afterwards has no effect', async (shop) => {
    const short = await within(shop, ({ hold, now }) => hold(30, 'a page', { expiresAt: now + 60_000 }));
    await within(shop, ({ hold }) => hold(40, 'for a day'));
    await shop.drain();
    shop.advanceClock(120_000);
    await shop.drain();
    assert.is(await balance(shop), grantedCredits + monthly - 40);
    assert.is(await within(shop, ({ settle }) => settle(short, 30)), false);
    shop.advanceClock(day);
    await shop.drain();
    assert.is(await balance(shop), grantedCredits + monthly);
  });

  each('sandbox work reserves no credits', async (shop) => {
    const database = await shop.service.core.database();
    const { createEffects } = await import('../../core/pipeline/call-effects.ts');
    const workspace = await readWorkspace(shop.service.core, shop.workspaceId);
    const settledAmount = await database.transact(async (scope) => {
      const { core } = shop.service;
      const ctx = createEffects({ core, scope, workspace, now: shop.now(), sandbox: true });
      const id = await ctx.hold(9_999, 'free');
      const secondSettlement = await ctx.settle(id, 9_999);
      await scope.flush();
      return secondSettlement;
    });
    assert.is(settledAmount, true);
    assert.equal(await ledger(shop), []);
  });

  each(
    'a transaction with many charges can spend the whole balance even if no other connection is free',
    async (shop) => {
      // SQLite runs transactions one after another and has no leases.
      if (database.name === 'sqlite') return;
      const shopDatabase = await shop.service.core.database();
      let release = (): void => undefined;
      const blocker = new Promise<void>((resolve) => {
        release = resolve;
      });
      const openTransactions = Array.from({ length: maxConnections - 1 }, () => shopDatabase.transact(() => blocker));
      try {
        await within(shop, async ({ charge }) => {
          for (let count = 0; count < grantedCredits + monthly; count += 10) await charge(10, 'a link');
        });
      } finally {
        release();
        await Promise.all(openTransactions);
      }
      assert.is(await balance(shop), 0);
      const refused = await within(shop, ({ charge }) => charge(1, 'a link')).catch((error: unknown) => error);
      assert.ok(isPostriderError(refused, 'credits_exhausted'), String(refused));
    },
  );

  each('a rollup merges the sums, keeps the ledger, and does not change the balance', async (shop) => {
    for (let round = 0; round < 8; round += 1)
      await within(shop, async ({ charge }) => {
        for (let count = 0; count < 100; count += 1) await charge(1, 'a link');
      });
    const before = await balance(shop);
    await shop.service.drain();
    const deltas = await (await shop.service.core.database()).read(shop.workspaceId, ({ db, workspaceId }) =>
      db
        .selectFrom('budgets')
        .select('id')
        .where('workspace_id', '=', workspaceId)
        .where('budget', '=', 'credits')
        .execute(),
    );
    assert.ok(deltas.length < 300, `${deltas.length} deltas are left`);
    assert.is((await ledger(shop)).length, 800);
    assert.equal([before, await balance(shop)], [grantedCredits + monthly - 800, grantedCredits + monthly - 800]);
  });
});
