// The sandbox is inherited: all effects of a sandbox key stay in the sandbox, through any chain of jobs.
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { openShop, type ShopService } from './shop-service.ts';

await eachDatabase('inheriting the sandbox', (test, database) => {
  let shop: ShopService;
  test.before.each(async () => {
    shop = await openShop(database);
  });
  test.after.each(() => shop.close());

  const marks = async () => {
    const db = await shop.service.core.database();
    return db.read(shop.workspaceId, async (handle) => {
      const events = handle.db
        .selectFrom('outbox')
        .where('workspace_id', '=', shop.workspaceId)
        .where('type', '=', 'shop.told');
      const jobs = handle.db
        .selectFrom('jobs')
        .where('workspace_id', '=', shop.workspaceId)
        .where('kind', '=', 'shop.link');
      return {
        synthetic: (await events.select('synthetic').execute()).map((row) => row.synthetic),
        sandbox: (await jobs.select('sandbox').execute()).map((row) => row.sandbox),
      };
    });
  };

  for (const [side, mark] of [
    ['sandbox', 1],
    ['live', 0],
  ] as const) {
    test(`events and jobs of a ${side} key are on its side, and so are the events and jobs that these jobs cause`, async () => {
      const key = side === 'sandbox' ? shop.testKey : shop.liveKey;
      const { body } = await shop.request('/v1/chains', { method: 'POST', key });
      assert.is(body.sandbox, mark === 1);
      await shop.drain();
      assert.equal(await marks(), { synthetic: [mark, mark, mark, mark], sandbox: [mark, mark, mark] });
    });
  }

  test('a plan change in the meantime does not move a sandbox chain out of the sandbox', async () => {
    await shop.service.workspaces.update(shop.workspaceId, { plan: 'sandbox' });
    const { body } = await shop.request('/v1/chains', { method: 'POST', key: shop.liveKey });
    assert.is(body.sandbox, true);
    await shop.service.workspaces.update(shop.workspaceId, { plan: 'scale' });
    await shop.drain();
    assert.equal(await marks(), { synthetic: [1, 1, 1, 1], sandbox: [1, 1, 1] });
  });
});
