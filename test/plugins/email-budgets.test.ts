// The monthly send budget: which sends count, the exact limit, and the renewal.
// full-run: slow
import * as assert from 'uvu/assert';
import { eachDatabase, type TestDatabase } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

const variables = { name: 'Ada' };
const limit = 10;

async function withBudget(database: TestDatabase, run: (bench: MailBench) => Promise<void>): Promise<void> {
  const bench = await openMailBench(database, { plans: { pro: { monthlySendBudget: limit } } });
  try {
    await bench.publish('receipt');
    await run(bench);
  } finally {
    await bench.close();
  }
}

const send = (bench: MailBench, to = 'ada@example.org', body: object = {}, key = bench.liveKey) =>
  bench.send('receipt', { to, variables, ...body }, { key });

const used = async (bench: MailBench): Promise<number> =>
  (await bench.request('/v1/workspace')).body.usage.sends_this_month;

await eachDatabase('the send budget', (test, database) => {
  test('the budget is used up exactly at its limit, and then the error says when it renews', () =>
    withBudget(database, async (bench) => {
      for (let count = 0; count < limit; count += 1) assert.is((await send(bench)).status, 202, `send ${count + 1}`);
      const { status, body } = await send(bench);
      assert.is(status, 402);
      assert.is(body.error.type, 'billing_error');
      assert.is(body.error.code, 'send_budget_exhausted');
      assert.match(body.error.message, '2026-02-01T00:00:00.000Z');
      assert.is(await used(bench), limit);
      const { body: sends } = await bench.request('/v1/sends?limit=100');
      assert.is(sends.data.length, limit, 'a refused send left a row');
    }));

  test('the budget is exact for simultaneous sends', () =>
    withBudget(database, async (bench) => {
      const answers = await Promise.all(
        Array.from({ length: 4 * limit }, (_, index) => send(bench, `u${index}@example.org`)),
      );
      const count = (status: number) => answers.filter((answer) => answer.status === status).length;
      assert.equal([count(202), count(402)], [limit, 3 * limit]);
      assert.is(await used(bench), limit);
    }));

  test('a failed send returns its share of the budget, even if other sends wait for it', () =>
    withBudget(database, async (bench) => {
      const answers = await Promise.all(
        Array.from({ length: 4 * limit }, (_, index) =>
          bench.request('/v1/templates/receipt/send', {
            body: { to: 'ada@example.org', variables },
            headers: { 'idempotency-key': `place-${index}`, ...(index % 2 === 0 ? { 'dry-run': 'true' } : {}) },
          }),
        ),
      );
      const real = answers.filter(({ status, headers }) => status === 202 && headers['Dry-Run'] === undefined);
      assert.is(real.length, limit);
      assert.is(await used(bench), limit);
    }));

  test('the budget causes one webhook at 80 and another at 100 percent, and no webhook in the sandbox', async () => {
    const receiver = await WebhookReceiver.start();
    const options = { plans: { pro: { monthlySendBudget: limit } }, outgoing: { allow: ['127.0.0.1'] } };
    const bench = await openMailBench(database, options);
    try {
      const { operations } = bench.service.core.registry;
      for (const id of ['email.batch', 'email.send', 'email.send_alias'])
        assert.ok(operations.get(id)?.emits.includes('budget.reached'), id);
      await bench.publish('receipt');
      for (const sandbox of [false, true])
        await bench.service
          .as(bench.workspaceId, { sandbox })
          .webhooks.create({ url: `${receiver.url}/${sandbox ? 'sandbox' : 'live'}`, events: ['budget.reached'] });
      for (let count = 0; count < limit + 2; count += 1) {
        await send(bench);
        await send(bench, 'ada@example.org', {}, bench.testKey);
        await bench.drain();
        // A job that was too early runs again after a second.
        bench.advanceClock(1_500);
        await bench.drain();
      }
      const notices = receiver.received.map(({ path, body }) => [path, JSON.parse(body).data]);
      const budgetData = { budget: 'sends', limit, month: '2026-01' };
      assert.equal(notices, [
        [receiver.received[0]?.path, { ...budgetData, percent: 80, used: 8 }],
        [receiver.received[0]?.path, { ...budgetData, percent: 100, used: limit }],
      ]);
      assert.match(receiver.received[0]?.path ?? '', /live$/);
    } finally {
      await bench.close();
      await receiver.close();
    }
  });

  test('the budget renews when the month changes, in UTC', () =>
    withBudget(database, async (bench) => {
      for (let count = 0; count < limit; count += 1) await send(bench);
      bench.advanceClock(31 * 86_400_000 - 1);
      assert.is(new Date(bench.now()).toISOString(), '2026-01-31T23:59:59.999Z');
      assert.is((await send(bench)).status, 402);
      bench.advanceClock(1);
      assert.is(await used(bench), 0);
      assert.is((await send(bench)).status, 202);
      assert.is(await used(bench), 1);
    }));

  test('sandbox sends, suppressed sends, refused sends and dry runs do not count', () =>
    withBudget(database, async (bench) => {
      const suppression = { body: { email: 'gone@example.org' }, headers: { 'idempotency-key': 'gone' } };
      await bench.request('/v1/suppressions', suppression);
      for (let count = 0; count < 2 * limit; count += 1) {
        assert.is((await send(bench, 'ada@example.org', {}, bench.testKey)).status, 202);
        assert.is((await send(bench, 'gone@example.org')).body.status, 'suppressed');
        assert.is((await send(bench, 'no address')).status, 422);
        const dry = { headers: { 'dry-run': 'true' } };
        assert.is((await bench.send('receipt', { to: 'ada@example.org', variables }, dry)).status, 202);
      }
      assert.is(await used(bench), 0);
    }));

  test('the budget also limits tools and calls in process, and a larger plan raises it at once', () =>
    withBudget(database, async (bench) => {
      const args = { template: 'receipt', to: 'ada@example.org', variables };
      const calls = bench.service.as(bench.workspaceId);
      for (let count = 0; count < limit; count += 1) await calls.email.send(args);
      const tool = await bench.tool('send_transactional', { ...args, idempotency_key: 'over' });
      assert.equal([tool.isError, tool.body.error.code], [true, 'send_budget_exhausted']);
      let refusal: unknown;
      await calls.email.send(args).catch((error: unknown) => {
        refusal = error;
      });
      assert.is((refusal as { code?: string } | undefined)?.code, 'send_budget_exhausted');
      await bench.service.workspaces.update(bench.workspaceId, { plan: 'scale' });
      assert.is((await calls.email.send(args)).status, 'sent');
    }));

  test('merging the rows of the budget does not change the total', async () => {
    const bench = await openMailBench(database, { plans: { pro: { monthlySendBudget: 600 } } });
    await bench.publish('receipt');
    const calls = bench.service.as(bench.workspaceId);
    const args = { template: 'receipt', to: 'ada@example.org', variables };
    for (let batch = 0; batch < 11; batch += 1) {
      await Promise.all(Array.from({ length: 50 }, () => calls.email.send(args)));
      bench.advanceClock(2_001);
    }
    await calls.email.send(args);
    await bench.service.drain({ limit: 1 });
    const db = await bench.service.core.database();
    const rows = await db.read(bench.workspaceId, (handle) =>
      handle.db.selectFrom('budgets').selectAll().where('budget', '=', 'sends').execute(),
    );
    assert.is(rows.length, 1);
    assert.is(await used(bench), 551);
    await bench.close();
  });
});
