// Webhook deliveries: test events, lists, and deletion after some time or with the webhook.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { openShopBench, refusal, type ShopBench } from '../support/shop-webhooks.ts';

const day = 86_400_000;

await twoDatabases('webhook deliveries', (test, database) => {
  let bench: ShopBench;
  test.before(async () => {
    bench = await openShopBench(database);
  });
  test.after(() => bench.close());

  const post: ShopBench['post'] = (...args) => bench.post(...args);
  const create: ShopBench['created'] = (body) => bench.created(body);
  const deliveryRows = async (webhookId: string) => {
    const db = await bench.service.core.database();
    return db.read(bench.workspaceId, (handle) =>
      handle.db
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('workspace_id', '=', bench.workspaceId)
        .where('webhook_id', '=', webhookId)
        .execute(),
    );
  };

  test('only the first deletion of a webhook succeeds, and it removes the deliveries', async () => {
    const { id } = await create();
    for (let index = 0; index < 3; index += 1) await post('/v1/webhooks/test', { webhook_id: id });
    const otherWebhook = await create();
    await post('/v1/webhooks/test', { webhook_id: otherWebhook.id });
    assert.is((await deliveryRows(id)).length, 3);
    const [first, second] = [
      await bench.request(`/v1/webhooks/${id}`, { method: 'DELETE' }),
      await bench.request(`/v1/webhooks/${id}`, { method: 'DELETE' }),
    ];
    assert.equal([first.status, first.body], [200, { id, deleted: true }]);
    assert.equal([second.status, second.body.error.code], [404, 'webhook_not_found']);
    assert.is((await bench.request(`/v1/webhooks/${id}/deliveries`)).status, 404);
    await bench.drain();
    assert.is((await deliveryRows(id)).length, 0);
    assert.is((await deliveryRows(otherWebhook.id)).length, 1);
  });

  test('a test posts the event in the call, or else the first event of the subscription', async () => {
    const cases: [events: string[], event: string | undefined, posted: string][] = [
      [['shop.order.placed', '*'], undefined, 'shop.order.placed'],
      [['shop.order.*'], undefined, 'shop.order.placed'],
      [['order.*'], undefined, 'order.example'],
      [['order paid'], undefined, 'order paid'],
      [['order paid'], 'shop.opened', 'shop.opened'],
      [['shop.*'], 'order sent', 'order sent'],
    ];
    for (const [events, event, posted] of cases) {
      const { id } = await create({ events });
      const { status, body } = await post('/v1/webhooks/test', { webhook_id: id, event });
      assert.is(status, 202, JSON.stringify(body));
      assert.match(body.id, /^dlv_\w{26}$/);
      assert.match(body.event_id, /^evt_\w{26}$/);
      const { id: _, event_id: __, ...rest } = body;
      assert.equal(rest, {
        webhook_id: id,
        event_type: posted,
        status: 'pending',
        attempts: [],
        next_attempt_at: new Date(bench.now()).toISOString(),
      });
    }
    const { id } = await create();
    assert.equal(refusal(await post('/v1/webhooks/test', { webhook_id: id, event: 'shop.closed' })), [
      422,
      'validation_failed',
      'event',
    ]);
    assert.is((await post('/v1/webhooks/test', { webhook_id: `whk_${'0'.repeat(26)}` })).status, 404);
  });

  test('the deliveries of a webhook are listed newest first, by status, event and time, in pages', async () => {
    const { id } = await create({ events: ['*'] });
    const ids: string[] = [];
    const times: string[] = [];
    for (const event of ['shop.opened', 'order', 'shop.opened', 'order', 'shop.opened']) {
      bench.advanceClock(60_000);
      times.push(new Date(bench.now()).toISOString());
      ids.push((await post('/v1/webhooks/test', { webhook_id: id, event })).body.id);
    }
    const list = async (query: string): Promise<string[]> => {
      const { status, body } = await bench.request(`/v1/webhooks/${id}/deliveries?${query}`);
      assert.is(status, 200, JSON.stringify(body));
      return body.data.map((row: { id: string }) => row.id);
    };
    const newest = [...ids].reverse();
    assert.equal(await list(''), newest);
    assert.equal(await list('event_type=order'), [ids[3], ids[1]]);
    assert.equal(await list('status=delivered'), []);
    assert.equal(await list('status=pending&event_type=shop.opened'), [ids[4], ids[2], ids[0]]);
    assert.equal(await list(`since=${times[1]}&until=${times[3]}`), [ids[2], ids[1]]);
    const first = (await bench.request(`/v1/webhooks/${id}/deliveries?limit=2`)).body;
    assert.equal(await list(`limit=10&cursor=${first.next_cursor}`), newest.slice(2));
    const otherWebhook = await create();
    const refusal = await bench.request(`/v1/webhooks/${otherWebhook.id}/deliveries?cursor=${first.next_cursor}`);
    assert.equal([refusal.status, refusal.body.error.code], [400, 'cursor_invalid']);
    assert.is((await bench.request(`/v1/webhooks/${id}/deliveries?status=lost`)).status, 422);
  });

  test('deliveries are kept for 30 days', async () => {
    const { id } = await create();
    await post('/v1/webhooks/test', { webhook_id: id });
    await bench.drain();
    bench.advanceClock(30 * day);
    await bench.service.jobs.runSchedules();
    assert.is((await deliveryRows(id)).length, 1);
    bench.advanceClock(3_600_000);
    await bench.service.jobs.runSchedules();
    assert.is((await deliveryRows(id)).length, 0);
  });
});
