// Delivering an event to its subscribers: recipients, body, signature, and the effect of the receiver's response. The receiver is real
// and on loopback; only the time is simulated.
// full-run: slow
import { Webhook } from 'standardwebhooks';
import * as assert from 'uvu/assert';
import { verifyWebhook } from '../../core/webhooks/verify.ts';
import { type TestDatabase, twoDatabases } from '../support/databases.ts';
import { contact, openWebhookBench, type WebhookBench } from '../support/webhook-bench.ts';
import { delayedResponse, type ScriptedResponse, WebhookReceiver } from '../support/webhook-receiver.ts';

const second = 1_000;
const hour = 3_600_000;
const day = 24 * hour;

const withWebhooks =
  (database: TestDatabase) =>
  async (work: (bench: WebhookBench) => Promise<void>, answer: ScriptedResponse = 200) => {
    const bench = await openWebhookBench(database, answer);
    try {
      await work(bench);
    } finally {
      await bench.close();
    }
  };

/** Advances the clock, and runs the due jobs. */
async function passTime(bench: WebhookBench, milliseconds: number): Promise<void> {
  bench.test.advanceClock(milliseconds);
  await bench.test.drain();
}

await twoDatabases('deliveries of webhooks', (test, database) => {
  const withBench = withWebhooks(database);

  test('an event is posted once to each matching subscription, and to no other', () =>
    withBench(async (bench) => {
      const all = await bench.subscribe(['*'], `${bench.receiver.url}/all`);
      const family = await bench.subscribe(['parcel.*', 'parcel.moved', '*'], `${bench.receiver.url}/family`);
      const otherSubscription = await bench.subscribe(['order.paid'], `${bench.receiver.url}/other`);
      const id = await bench.emit();
      await bench.test.drain();
      assert.equal(bench.receiver.received.map(({ path }) => path).sort(), ['/hook/all', '/hook/family']);
      for (const webhook of [all, family]) {
        const delivery = await bench.delivery(webhook.id);
        assert.is(delivery.status, 'delivered');
        assert.is(delivery.event_id, id);
        assert.is(delivery.next_attempt_at, null);
        assert.equal(
          delivery.attempts.map(({ status_code }) => status_code),
          [200],
        );
      }
      assert.equal(await bench.deliveries(otherSubscription.id), []);
    }));

  test("the body has the documented form, and both the package's verifier and the public library accept it", () =>
    withBench(async (bench) => {
      const webhook = await bench.subscribe();
      const id = await bench.emit('B-7');
      await bench.test.drain();
      const [request] = bench.receiver.received;
      assert.ok(request !== undefined);
      const { headers, body } = request;
      assert.equal(JSON.parse(body), {
        id,
        type: 'parcel.moved',
        timestamp: new Date(bench.test.now()).toISOString(),
        workspace_id: bench.test.workspaceId,
        source: 'service',
        data: { parcel: 'B-7' },
      });
      assert.is(headers['content-type'], 'application/json');
      assert.is(headers['x-postrider-event'], 'parcel.moved');
      assert.is(headers['x-postrider-delivery'], (await bench.delivery(webhook.id)).id);
      assert.is(headers['x-postrider-timestamp'], String(bench.test.now() / second));
      const now = bench.test.now();
      assert.is(verifyWebhook({ body, headers, secret: webhook.secret, now }).id, id);
      // The clock of the public library cannot be set, so only the signature is compared.
      const stamp = String(Math.floor(Date.now() / second));
      const standard = new Webhook(webhook.secret);
      assert.is(
        headers['webhook-signature'],
        standard.sign(headers['webhook-id'] ?? '', new Date(bench.test.now()), body),
      );
      assert.is.not(stamp, headers['webhook-timestamp']);
    }));

  test('a test event is sent once, with any result, even to a disabled subscription', () =>
    withBench(async (bench) => {
      const { id } = await bench.subscribe(['order.paid']);
      const calls = bench.test.service.as(bench.test.workspaceId);
      await calls.webhooks.update({ id, enabled: false });
      const { id: deliveryId } = await calls.webhooks.test({ webhook_id: id });
      await passTime(bench, 0);
      await passTime(bench, day);
      assert.is(bench.receiver.received.length, 1);
      const body = JSON.parse(bench.receiver.received[0]?.body ?? '{}');
      assert.equal([body.type, body.source, body.synthetic], ['order.paid', 'custom', true]);
      const delivery = await bench.delivery(id);
      assert.equal([delivery.id, delivery.status], [deliveryId, 'failed']);
    }, 500));

  test('emitting a custom event returns the number of matching subscriptions', () =>
    withBench(async (bench) => {
      await bench.subscribe(['order.paid']);
      await bench.subscribe(['order.*']);
      await bench.subscribe(['order.refunded']);
      assert.is(await bench.emitCustom('order.paid', { total: 5 }), 2);
      assert.is(await bench.emitCustom('order.shipped.late'), 1);
      assert.is(await bench.emitCustom('nobody.cares'), 0);
      await bench.test.drain();
      assert.is(bench.receiver.received.length, 3);
      const paidEvent = bench.receiver.received
        .map(({ body }) => JSON.parse(body))
        .find(({ type }) => type === 'order.paid');
      assert.equal([paidEvent.source, paidEvent.data.metadata], ['custom', { total: 5 }]);
    }));

  test('a custom event with a name in the catalogue reaches only subscriptions for all events', () =>
    withBench(async (bench) => {
      await bench.subscribe(['parcel.moved']);
      await bench.subscribe(['parcel.*']);
      const all = await bench.subscribe(['*']);
      assert.is(await bench.emitCustom('parcel.moved'), 1);
      assert.is(await bench.emitCustom('parcel.invented'), 1);
      await bench.test.drain();
      assert.is((await bench.deliveries(all.id)).length, 2);
      assert.is(bench.receiver.received.length, 2);
    }));

  test('an event above the plan is not delivered, even to subscriptions for all events', () =>
    withBench(async (bench) => {
      const { id } = await bench.subscribe(['*']);
      await bench.emit('A-1', 'parcel.lost');
      await bench.test.drain();
      assert.equal(await bench.deliveries(id), []);
    }));

  test('redirects are not followed, and count as failures', () =>
    withBench(
      async (bench) => {
        const { id } = await bench.subscribe();
        await bench.emit();
        await bench.test.drain();
        assert.is(bench.receiver.received.length, 1);
        const [attempt] = (await bench.delivery(id)).attempts;
        assert.is(attempt?.status_code, 302);
        assert.match(attempt?.error ?? '', /redirect/);
      },
      (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
    ));

  test('only the first 500 characters of a response are stored', () =>
    withBench(
      async (bench) => {
        const { id } = await bench.subscribe();
        await bench.emit();
        await bench.test.drain();
        const [attempt] = (await bench.delivery(id)).attempts;
        assert.is(attempt?.status_code, 500);
        assert.is((attempt?.response_excerpt ?? '').length, 500, "in JavaScript's units, and no emoji is cut");
      },
      (response) => {
        response.statusCode = 500;
        response.end('é\u0000😀'.repeat(1_000));
      },
    ));

  test('a 410 disables the subscription and emits webhook.disabled', () =>
    withBench(async (bench) => {
      const watching = await bench.subscribe(['webhook.disabled'], `${bench.receiver.url}/watch`);
      const { id } = await bench.subscribe(['parcel.*']);
      bench.receiver.answer = (response, { path }) => {
        response.statusCode = path === '/hook' ? 410 : 200;
        response.end();
      };
      await bench.emit();
      await bench.emit();
      await bench.test.drain();
      const webhook = await bench.test.service.as(bench.test.workspaceId).webhooks.read({ id });
      assert.is(webhook.enabled, false);
      assert.match(webhook.disabled_reason ?? '', /410/);
      assert.is((await bench.deliveries(id)).filter(({ status }) => status === 'failed').length, 2);
      const lastDelivery = await bench.delivery(watching.id);
      assert.is(lastDelivery.event_type, 'webhook.disabled');
      const body = bench.receiver.received.find(({ path }) => path === '/hook/watch')?.body ?? '{}';
      assert.equal([JSON.parse(body).data.id, JSON.parse(body).data.enabled], [id, false]);
      assert.not.match(body, /whsec_[A-Za-z0-9+/]{8}/);
      await bench.emit();
      await bench.test.drain();
      assert.is((await bench.deliveries(id)).length, 2, 'a disabled subscription gets no deliveries');
    }));

  test('five days of failures disable a subscription, and a success between them starts the count again', () =>
    withBench(async (bench) => {
      const { id } = await bench.subscribe();
      const calls = bench.test.service.as(bench.test.workspaceId);
      const failingDays = async (days: number) => {
        for (let hours = 0; hours < days * 24; hours += 6) {
          await bench.emit();
          await passTime(bench, 6 * hour);
        }
      };
      await failingDays(4);
      bench.receiver.answer = 200;
      await passTime(bench, day);
      await bench.emit();
      await passTime(bench, 0);
      bench.receiver.answer = 503;
      await failingDays(4);
      assert.is((await calls.webhooks.read({ id })).enabled, true);
      await failingDays(2);
      const webhook = await calls.webhooks.read({ id });
      assert.is(webhook.enabled, false);
      assert.match(webhook.disabled_reason ?? '', /five days/);
      const enabled = await calls.webhooks.update({ id, enabled: true });
      assert.equal([enabled.disabled_at, enabled.disabled_reason], [null, null]);
      await bench.emit();
      await passTime(bench, 0);
      assert.is((await calls.webhooks.read({ id })).enabled, true, 'the count has started again');
    }, 503));

  test('replays and tests never disable a subscription', () =>
    withBench(async (bench) => {
      const { id } = await bench.subscribe();
      const calls = bench.test.service.as(bench.test.workspaceId);
      bench.receiver.answer = 200;
      await bench.emit();
      await bench.test.drain();
      bench.receiver.answer = 410;
      const { id: deliveryId } = await bench.delivery(id);
      await calls.webhooks.replay({ deliveryId });
      await calls.webhooks.test({ webhook_id: id, event: 'parcel.moved' });
      await bench.test.drain();
      assert.is((await calls.webhooks.read({ id })).enabled, true);
      bench.receiver.answer = 500;
      await calls.webhooks.replay({ deliveryId });
      for (let days = 0; days < 9; days += 1) await passTime(bench, day);
      await calls.webhooks.replay({ deliveryId });
      await passTime(bench, 0);
      assert.is((await calls.webhooks.read({ id })).enabled, true);
    }));

  test('a replay posts the same bytes, signed with the current secrets, and has its own attempts', () =>
    withBench(async (bench) => {
      const { id, secret } = await bench.subscribe();
      const calls = bench.test.service.as(bench.test.workspaceId);
      await bench.emit();
      await bench.test.drain();
      const { secret: newer } = await calls.webhooks.rotate({ id });
      await calls.webhooks.update({ id, enabled: false });
      const first = await bench.delivery(id);
      bench.receiver.answer = 500;
      await calls.webhooks.replay({ deliveryId: first.id });
      await assertConflict(calls.webhooks.replay({ deliveryId: first.id }));
      await passTime(bench, 0);
      bench.receiver.answer = 200;
      await passTime(bench, 6 * second);
      const [one, two, three] = bench.receiver.received;
      assert.is(bench.receiver.received.length, 3);
      assert.equal([two?.body, three?.body], [one?.body, one?.body]);
      assert.is(three?.headers['x-postrider-delivery'], one?.headers['x-postrider-delivery']);
      const now = bench.test.now();
      for (const valid of [secret, newer]) {
        const { body = '', headers = {} } = three ?? {};
        assert.is(verifyWebhook({ body, headers, secret: valid, now }).type, 'parcel.moved');
      }
      const delivery = await bench.delivery(id);
      assert.equal(
        delivery.attempts.map(({ status_code }) => status_code),
        [200, 500, 200],
      );
      assert.is(delivery.status, 'delivered');
    }));

  test('deleting or disabling a subscription ends its deliveries', () =>
    withBench(async (bench) => {
      const calls = bench.test.service.as(bench.test.workspaceId);
      const removedSubscription = await bench.subscribe(['*'], `${bench.receiver.url}/gone`);
      const disabledSubscription = await bench.subscribe(['*'], `${bench.receiver.url}/disabled`);
      await bench.emit();
      await passTime(bench, 0);
      const before = bench.receiver.received.length;
      await calls.webhooks.delete({ id: removedSubscription.id });
      await calls.webhooks.update({ id: disabledSubscription.id, enabled: false });
      for (let count = 0; count < 4; count += 1) await passTime(bench, hour);
      assert.equal([before, bench.receiver.received.length], [2, 2]);
      const delivery = await bench.delivery(disabledSubscription.id);
      assert.is(delivery.status, 'failed');
      assert.match(delivery.attempts.at(-1)?.error ?? '', /disabled/);
      assert.equal(await bench.test.service.jobs.list({ state: 'failed' }), []);
    }, 500));

  test('if a receiver cannot be reached, the delivery records the reason', () =>
    withBench(async (bench) => {
      const closedReceiver = await WebhookReceiver.start();
      const { url } = closedReceiver;
      await closedReceiver.close();
      const { id } = await bench.subscribe(['*'], url);
      await bench.emit();
      await bench.test.drain();
      const [attempt] = (await bench.delivery(id)).attempts;
      assert.is(attempt?.status_code, null);
      assert.match(attempt?.error ?? '', /connect|refused/i);
    }));

  test('erasing a person removes their data from recorded responses, and the delivery is not posted again', () =>
    withBench(
      async (bench) => {
        const { id } = await bench.subscribe(['order.paid']);
        await bench.emitCustom('order.paid', { buyer: 'ada@example.org' });
        await bench.test.drain();
        assert.match((await bench.delivery(id)).attempts[0]?.response_excerpt ?? '', /ada@example.org/);
        const { service, workspaceId } = bench.test;
        await service.personalData.erase(workspaceId, { personId: contact.id });
        await passTime(bench, hour);
        const delivery = await bench.delivery(id);
        assert.not.match(JSON.stringify(delivery), /ada@/);
        assert.equal([delivery.status, delivery.attempts[0]?.status_code], ['failed', 500]);
        assert.match(delivery.attempts.at(-1)?.error ?? '', /no longer exists/);
        assert.is(bench.receiver.received.length, 1);
      },
      (response, { body }) => {
        response.statusCode = 500;
        response.end(body);
      },
    ));

  test('a response that arrives during an erasure is erased, too', async () => {
    const hold = delayedResponse();
    await withBench(async (bench) => {
      const { id } = await bench.subscribe(['order.paid']);
      await bench.emitCustom('order.paid', { buyer: 'ada@example.org' });
      const delivering = bench.test.drain();
      await hold.arrived;
      const { service, workspaceId } = bench.test;
      await service.personalData.erase(workspaceId, { personId: contact.id });
      hold.answer();
      await delivering;
      assert.match((await bench.delivery(id)).attempts[0]?.response_excerpt ?? '', /ada@example.org/);
      for (let round = 0; round < 2; round += 1) await passTime(bench, hour);
      const delivery = await bench.delivery(id);
      assert.not.match(JSON.stringify(delivery), /ada@/);
      assert.is(delivery.attempts[0]?.status_code, 500);
    }, hold.respond);
  });

  test('events of another workspace are not delivered', () =>
    withBench(async (bench) => {
      const foreign = await bench.test.service
        .as(bench.test.foreignWorkspaceId)
        .webhooks.create({ url: bench.receiver.url, events: ['*'] });
      await bench.emit();
      await bench.emitCustom('order.paid');
      await bench.test.drain();
      assert.is(bench.receiver.received.length, 0);
      assert.ok(foreign.id.startsWith('whk_'));
    }));
});

async function assertConflict(call: Promise<unknown>): Promise<void> {
  const code = await call.then(
    () => 'nothing',
    (error: { code?: string }) => error.code,
  );
  assert.is(code, 'state_conflict');
}
