// Stored responses: secrets in them are sealed, and operations with a preparation first take a lease.
import * as assert from 'uvu/assert';
import { keyReservationMs } from '../../core/pipeline/idempotency.ts';
import { eachDatabase } from '../support/databases.ts';
import { openShop, type ShopService } from './shop-service.ts';

await eachDatabase('stored answers', (test, database) => {
  let shop: ShopService;
  test.before(async () => {
    shop = await openShop(database);
  });
  test.after(() => shop.close());

  const call = (path: string, key: string, body: object = {}) =>
    shop.request(path, { method: 'POST', key: shop.testKey, body, headers: { 'idempotency-key': key } });
  const records = async () => {
    const db = await shop.service.core.database();
    return db.read(shop.workspaceId, (handle) =>
      handle.db.selectFrom('idempotency').selectAll().where('workspace_id', '=', shop.workspaceId).execute(),
    );
  };

  test('a response with a secret is stored sealed and opened for its replay', async () => {
    const { status, body } = await call('/v1/secrets', 'mint');
    assert.is(status, 201);
    const [record] = (await records()).filter(({ key }) => key === 'mint');
    assert.is(record?.answer, null);
    const sealedBytes = Buffer.from(record?.sealed ?? []);
    assert.is(sealedBytes.includes(body.secret), false);
    assert.is(sealedBytes.includes('whsec_'), false);
    const replay = await call('/v1/secrets', 'mint');
    assert.equal([replay.status, replay.body, replay.headers['Idempotent-Replay']], [201, body, 'true']);
  });

  test('a sealed response opens only under its own key', async () => {
    await call('/v1/secrets', 'moved');
    const db = await shop.service.core.database();
    await db.transact(async (scope) => {
      const { db: rows, workspaceId } = scope.handle(shop.workspaceId);
      const ownRow = rows.updateTable('idempotency').where('workspace_id', '=', workspaceId);
      await ownRow.set({ key: 'elsewhere' }).where('key', '=', 'moved').execute();
    });
    assert.is((await call('/v1/secrets', 'elsewhere')).body.error.code, 'internal_error');
  });

  test('a plain response is stored as it was sent', async () => {
    const { body } = await call('/v1/purchases', 'plain', { price: 0 });
    const [record] = (await records()).filter(({ key }) => key === 'plain');
    assert.equal([record?.status, JSON.parse(record?.answer ?? ''), record?.sealed], [201, body, null]);
    assert.is(record?.expires_at, shop.now() + 86_400_000);
  });

  test('a missing body and an empty body are the same request', async () => {
    const headers = { 'idempotency-key': 'empty' };
    const first = await shop.request('/v1/prepared', { method: 'POST', key: shop.testKey, headers });
    const second = await shop.request('/v1/prepared', { method: 'POST', key: shop.testKey, headers, body: {} });
    assert.equal([second.status, second.body], [200, first.body]);
  });

  test('a prepared operation prepares once per idempotency key', async () => {
    const before = shop.prepares();
    const first = await call('/v1/prepared', 'prepared');
    const replay = await call('/v1/prepared', 'prepared');
    assert.equal([replay.body, replay.headers['Idempotent-Replay']], [first.body, 'true']);
    assert.is(shop.prepares(), before + 1);
    const otherBody = await call('/v1/prepared', 'prepared', { fails: 'handler' });
    assert.is(otherBody.body.error.code, 'idempotency_key_mismatch');
  });

  for (const fails of ['prepare', 'handler'] as const) {
    test(`if the ${fails} of a prepared operation fails, its idempotency key is released at once`, async () => {
      for (let count = 0; count < 2; count += 1) {
        assert.is((await call('/v1/prepared', `failed-${fails}`, { fails })).body.error.code, 'internal_error');
      }
      assert.is(
        (await records()).some(({ key }) => key === `failed-${fails}`),
        false,
      );
      assert.is((await call('/v1/prepared', `failed-${fails}`)).status, 200);
    });
  }

  test('of simultaneous calls with one key, one prepares; the others get its answer or an error that asks them to retry', async () => {
    const before = shop.prepares();
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('/v1/prepared', 'contested')));
    assert.is(shop.prepares(), before + 1);
    const ids = new Set<string>();
    for (const { status, body, headers } of answers) {
      if (status === 200) ids.add(body.id);
      else assert.equal([status, body.error.code, headers['Retry-After']], [409, 'idempotency_key_in_progress', '1']);
    }
    assert.is(ids.size, 1);
  });

  test('an abandoned lease expires after 15 s', async () => {
    assert.is(keyReservationMs, 15_000);
    const before = shop.prepares();
    await call('/v1/prepared', 'crashed');
    const db = await shop.service.core.database();
    const until = shop.now() + keyReservationMs;
    // The row that a process would leave if it died in the middle
    await db.transact(async (scope) => {
      const { db: rows, workspaceId } = scope.handle(shop.workspaceId);
      const abandonedLease = { lease_token: 'lease_of_the_dead', status: null, answer: null, expires_at: until };
      await rows
        .updateTable('idempotency')
        .set(abandonedLease)
        .where('workspace_id', '=', workspaceId)
        .where('key', '=', 'crashed')
        .execute();
    });
    assert.is((await call('/v1/prepared', 'crashed')).body.error.code, 'idempotency_key_in_progress');
    shop.advanceClock(keyReservationMs - 1);
    assert.is((await call('/v1/prepared', 'crashed')).status, 409);
    shop.advanceClock(1);
    assert.is((await call('/v1/prepared', 'crashed')).status, 200);
    assert.is(shop.prepares(), before + 2);
  });
});
