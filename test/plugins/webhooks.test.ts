// Webhook subscriptions: event names, secrets, limits, and the effects of changes.
// full-run: slow
import * as assert from 'uvu/assert';
import type { Service } from '../../core/kernel/compose.ts';
import { eachDatabase } from '../support/databases.ts';
import { openShopBench, refusal, type ShopBench, shopUrl as url } from '../support/shop-webhooks.ts';

const day = 86_400_000;

await eachDatabase('webhooks', (test, database) => {
  let bench: ShopBench;
  test.before(async () => {
    bench = await openShopBench(database);
  });
  test.after(() => bench.close());

  const post: ShopBench['post'] = (...args) => bench.post(...args);
  const create: ShopBench['create'] = (body) => bench.create(body);
  const createWebhook: ShopBench['created'] = (body) => bench.created(body);
  const patch: ShopBench['patch'] = (id, body) => bench.patch(id, body);
  const readWebhook = async (id: string) => (await bench.request(`/v1/webhooks/${id}`)).body;
  const clear = async () => {
    for (const { id } of (await bench.request('/v1/webhooks?limit=100')).body.data)
      await bench.request(`/v1/webhooks/${id}`, { method: 'DELETE' });
  };
  const rows = async <T>(work: (service: Service) => Promise<T>): Promise<T> => work(bench.service as never);
  const interests = (subject: string): Promise<string[]> =>
    rows(async ({ core }) => {
      const interestRows = await (await core.database()).read(bench.workspaceId, ({ db }) =>
        db
          .selectFrom('event_interests')
          .select('pattern')
          .where('workspace_id', '=', bench.workspaceId)
          .where('consumer', '=', 'webhooks')
          .where('subject', '=', subject)
          .orderBy('pattern')
          .execute(),
      );
      return interestRows.map(({ pattern }) => pattern);
    });

  test('a webhook has exactly its fields, and its secret is complete at creation and masked afterwards', async () => {
    const webhook = await createWebhook({
      events: ['shop.opened', 'order paid', '*', 'shop.opened'],
      description: 'For orders',
    });
    assert.match(webhook.id, /^whk_\w{26}$/);
    assert.match(webhook.secret, /^whsec_[A-Za-z0-9+/]{40}$/);
    const at = new Date(bench.now()).toISOString();
    const expected = {
      id: webhook.id,
      sandbox: false,
      url,
      events: ['shop.opened', 'order paid', '*'],
      description: 'For orders',
      enabled: true,
      secret: `whsec_…${webhook.secret.slice(-4)}`,
      created_at: at,
      updated_at: at,
      disabled_at: null,
      disabled_reason: null,
    };
    assert.equal(webhook, { ...expected, secret: webhook.secret });
    assert.equal(await readWebhook(webhook.id), expected);
    assert.equal((await bench.request('/v1/webhooks')).body.data[0], expected);
    assert.equal((await patch(webhook.id, {})).body, expected);
  });

  test('no secret is stored or logged in plain text, neither in rows nor in later responses, audit or log', async () => {
    const webhook = await createWebhook();
    const rotation = (await post(`/v1/webhooks/${webhook.id}/rotate-secret`)).body;
    const texts = await rows(async ({ core }) => {
      const db = await core.database();
      const valueTexts: string[] = [];
      for (const [table, { tenant }] of core.registry.tables) {
        if (!tenant) continue;
        const all = await db.read(bench.workspaceId, (handle) =>
          handle.db
            .selectFrom(table as 'audit')
            .selectAll()
            .where('workspace_id', '=', bench.workspaceId)
            .execute(),
        );
        for (const row of all)
          for (const value of Object.values(row))
            valueTexts.push(Buffer.isBuffer(value) ? value.toString('latin1') : String(value));
      }
      return valueTexts;
    });
    const audit = JSON.stringify((await bench.request('/v1/audit?limit=100')).body);
    const lists = JSON.stringify((await bench.request('/v1/webhooks?limit=100')).body);
    for (const { secret } of [webhook, rotation]) {
      const inside = secret.slice('whsec_'.length, -4);
      for (const text of [...texts, audit, lists, ...bench.logged]) assert.is(text.includes(inside), false);
    }
    // This checks the test: the search finds plain text.
    assert.is(texts.includes(rotation.secret.slice(-4)), true);
    assert.is(lists.includes(`whsec_…${rotation.secret.slice(-4)}`), true);
  });

  test('a replayed creation returns the same secret', async () => {
    const headers = { 'idempotency-key': 'the same' };
    const body = { url, events: ['*'] };
    const first = await bench.request('/v1/webhooks', { body, headers });
    const replay = await bench.request('/v1/webhooks', { body, headers });
    assert.equal(replay.body, first.body);
    assert.is(replay.headers['Idempotent-Replay'], 'true');
  });

  test('an unknown name in a family of the service is refused, and the error lists the known names; any other name is accepted', async () => {
    for (const name of ['shop.close', 'shop', 'shop.order', 'shop.orders.*', 'shop.opened.*', 'webhook.enabled']) {
      const answer = await create({ events: ['*', name] });
      assert.equal(refusal(answer), [422, 'validation_failed', 'events.1'], name);
    }
    const { body } = await create({ events: ['shop.close'] });
    for (const event of ['shop.opened', 'shop.order.placed', 'shop.audited'])
      assert.is(body.error.message.includes(event), true, event);
    const events = ['order.paid', 'order.*', 'ORDER', '*', 'shop.*', 'shop.order.*', 'shopping.list', 'ein Ereignis €'];
    assert.equal((await createWebhook({ events })).events, events);
    assert.equal(
      (await patch((await createWebhook()).id, { events: ['shop.close'] })).body.error.details[0].code,
      'unknown_event',
    );
    for (const args of [[], [''], ['a\nb'], ['x'.repeat(201)], 'shop.opened', undefined, Array(101).fill('a')])
      assert.is((await create({ events: args })).status, 422);
    await clear();
  });

  test('events above the plan are refused, also in a family; * and mixed families omit them', async () => {
    for (const name of ['shop.audited', 'vault.opened', 'vault.*']) {
      const answer = await create({ events: ['shop.opened', name] });
      assert.equal([answer.status, answer.body.error.code], [403, 'plan_required'], name);
      assert.match(answer.body.error.message, 'scale');
      assert.match(answer.body.error.message, name);
    }
    const { id } = await createWebhook({ events: ['*', 'shop.*'] });
    assert.is((await patch(id, { events: ['vault.opened'] })).status, 403);
    assert.is((await post('/v1/webhooks/test', { webhook_id: id, event: 'vault.opened' })).status, 403);
    await bench.service.workspaces.update(bench.workspaceId, { plan: 'scale' });
    assert.is((await patch(id, { events: ['vault.opened'] })).status, 200);
    await bench.service.workspaces.update(bench.workspaceId, { plan: 'pro' });
  });

  test('a forbidden URL is refused with the reason, both at creation and at a change', async () => {
    const { id } = await createWebhook();
    for (const wrong of [
      'http://example.com/',
      'https://user:hunter2@example.com/',
      'https://10.0.0.1/',
      'ftp://a.b/',
      'x',
    ]) {
      for (const answer of [await create({ url: wrong }), await patch(id, { url: wrong })]) {
        assert.equal(refusal(answer), [422, 'webhook_url_refused', 'url'], wrong);
        assert.is(answer.body.error.message.includes('hunter2'), false);
        assert.is(answer.body.error.message.endsWith(answer.body.error.details[0].message), true);
      }
    }
    assert.is((await readWebhook(id)).url, url);
    assert.is((await patch(id, { url: `${url}?shop=1` })).body.url, `${url}?shop=1`);
  });

  test('the URL of a webhook of another workspace is not resolved', async () => {
    const foreign = await bench.service.as(bench.foreignWorkspaceId).webhooks.create({ url, events: ['*'] });
    const answer = await patch(foreign.id, { url: 'https://10.0.0.1/' });
    assert.equal([answer.status, answer.body.error.code], [404, 'webhook_not_found']);
  });

  test('an enabled webhook is registered for its events, and a disabled webhook for no event', async () => {
    const { id } = await createWebhook({ events: ['shop.order.*', 'order paid'] });
    assert.equal(await interests(id), ['order paid', 'shop.order.*']);
    await patch(id, { events: ['*'] });
    assert.equal(await interests(id), ['*']);
    await patch(id, { description: null });
    assert.equal(await interests(id), ['*']);
    await patch(id, { enabled: false });
    assert.equal(await interests(id), []);
    await patch(id, { events: ['shop.opened'] });
    assert.equal(await interests(id), []);
    await patch(id, { enabled: true });
    assert.equal(await interests(id), ['shop.opened']);
    await bench.request(`/v1/webhooks/${id}`, { method: 'DELETE' });
    assert.equal(await interests(id), []);
  });

  test('a disabled webhook has a time and a reason, and enabling the webhook removes both and its failures', async () => {
    const { id } = await createWebhook();
    bench.advanceClock(1_000);
    const disabledWebhook = (await patch(id, { enabled: false })).body;
    const at = new Date(bench.now()).toISOString();
    assert.equal(
      [
        disabledWebhook.enabled,
        disabledWebhook.disabled_at,
        disabledWebhook.disabled_reason,
        disabledWebhook.updated_at,
      ],
      [false, at, 'Disabled by request.', at],
    );
    bench.advanceClock(1_000);
    assert.is((await patch(id, { enabled: false })).body.disabled_at, at);
    await rows(async ({ core }) =>
      (await core.database()).transact(async (scope) => {
        await scope
          .handle(bench.workspaceId)
          .db.updateTable('webhooks')
          .set({ failing_since: 1 })
          .where('workspace_id', '=', bench.workspaceId)
          .where('id', '=', id)
          .execute();
      }),
    );
    const enabledWebhook = (await patch(id, { enabled: true })).body;
    assert.equal(
      [enabledWebhook.enabled, enabledWebhook.disabled_at, enabledWebhook.disabled_reason],
      [true, null, null],
    );
    const row = await rows(async ({ core }) =>
      (await core.database()).read(bench.workspaceId, ({ db }) =>
        db
          .selectFrom('webhooks')
          .selectAll()
          .where('workspace_id', '=', bench.workspaceId)
          .where('id', '=', id)
          .execute(),
      ),
    );
    assert.equal([row[0]?.failing_since, row[0]?.enabled], [null, 1]);
  });

  test('each side of a workspace has at most 50 webhooks, even with simultaneous creations', async () => {
    await clear();
    for (let index = 0; index < 45; index += 1) await createWebhook();
    const answers = await Promise.all(Array.from({ length: 12 }, () => create()));
    assert.is(answers.filter(({ status }) => status === 201).length, 5);
    const refusals = answers.filter(({ status }) => status !== 201);
    assert.equal([...new Set(refusals.map(({ body }) => body.error.code))], ['limit_reached']);
    const { data, next_cursor } = (await bench.request('/v1/webhooks?limit=100')).body;
    assert.equal([data.length, next_cursor], [50, null]);
    await bench.request(`/v1/webhooks/${data[0].id}`, { method: 'DELETE' });
    await createWebhook();
    assert.is((await create()).status, 409);
    const body = { url, events: ['*'] };
    assert.is(
      (await post('/v1/webhooks', body, { key: bench.testKey })).status,
      201,
      'live webhooks do not count in the sandbox',
    );
    await clear();
  });

  test('an old secret still signs for 24 hours after its rotation, and the number of rotations per day is limited', async () => {
    const { id, secret } = await createWebhook();
    const rotation = (await post(`/v1/webhooks/${id}/rotate-secret`)).body;
    assert.is.not(rotation.secret, secret);
    assert.is((await readWebhook(id)).secret, `whsec_…${rotation.secret.slice(-4)}`);
    for (let index = 0; index < 4; index += 1) assert.is((await post(`/v1/webhooks/${id}/rotate-secret`)).status, 200);
    const refusal = await post(`/v1/webhooks/${id}/rotate-secret`);
    assert.equal([refusal.status, refusal.body.error.code], [409, 'state_conflict']);
    bench.advanceClock(day - 1);
    assert.is((await post(`/v1/webhooks/${id}/rotate-secret`)).status, 409);
    bench.advanceClock(1);
    assert.is((await post(`/v1/webhooks/${id}/rotate-secret`)).status, 200);
  });

  test('simultaneous rotations keep every secret', async () => {
    const { id } = await createWebhook();
    const answers = await Promise.all([1, 2, 3].map(() => post(`/v1/webhooks/${id}/rotate-secret`)));
    assert.equal(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    for (let index = 0; index < 2; index += 1) await post(`/v1/webhooks/${id}/rotate-secret`);
    assert.is((await post(`/v1/webhooks/${id}/rotate-secret`)).status, 409);
  });

  test('read-only fields and values out of range are refused', async () => {
    const { id } = await createWebhook();
    for (const name of ['id', 'secret', 'secrets', 'workspace_id', 'failing_since', 'disabled_at', 'disabled_reason']) {
      assert.equal(refusal(await create({ [name]: 'mine' })), [422, 'validation_failed', name]);
      assert.equal(refusal(await patch(id, { [name]: 'mine' })), [422, 'validation_failed', name]);
    }
    assert.equal(refusal(await create({ enabled: false })), [422, 'validation_failed', 'enabled']);
    assert.is((await create({ description: 'x'.repeat(501) })).status, 422);
  });
});
