// The live and the sandbox side of webhooks: which subscription gets which event, and which key can use which subscription.
// full-run: slow
import * as assert from 'uvu/assert';
import { eachDatabase, type TestDatabase } from '../support/databases.ts';
import { openWebhookBench, type WebhookBench } from '../support/webhook-bench.ts';
import type { ScriptedResponse } from '../support/webhook-receiver.ts';

interface Sides {
  readonly live: string;
  readonly sandbox: string;
}

/** Subscribes to everything on each side, each with its own path at the receiver. */
const withSides =
  (database: TestDatabase) =>
  async (work: (bench: WebhookBench, ids: Sides) => Promise<void>, answer: ScriptedResponse = 200) => {
    const bench = await openWebhookBench(database, answer);
    const subscribe = async (side: keyof Sides) =>
      (await callsOf(bench, side).create({ url: `${bench.receiver.url}/${side}`, events: ['*'] })).id;
    try {
      await work(bench, { live: await subscribe('live'), sandbox: await subscribe('sandbox') });
    } finally {
      await bench.close();
    }
  };

const callsOf = ({ test }: WebhookBench, side: keyof Sides) =>
  test.service.as(test.workspaceId, { sandbox: side === 'sandbox' }).webhooks;

/** The requests since the last call: the side, the event type, and whether the event is synthetic */
function takeRequests({ receiver }: WebhookBench): string[] {
  const seen = receiver.received.splice(0).map(({ path, body }) => {
    const { type, synthetic } = JSON.parse(body) as { type: string; synthetic?: boolean };
    return `${path.split('/').at(-1)} ${type}${synthetic === true ? ' synthetic' : ''}`;
  });
  return seen.sort();
}

await eachDatabase('the sides of webhooks', (test, database) => {
  const withBench = withSides(database);

  test('live subscriptions get live events, and sandbox subscriptions get events that the sandbox causes or that concern the sandbox', () =>
    withBench(async (bench) => {
      const emit = (sandbox: boolean, synthetic: boolean) =>
        bench.write(sandbox, async (ctx) => void ctx.emit('parcel.moved', { parcel: 'A-1' }, { synthetic }));
      await emit(false, false);
      await bench.test.drain();
      assert.equal(takeRequests(bench), ['live parcel.moved']);
      await emit(true, false);
      await bench.test.drain();
      assert.equal(takeRequests(bench), ['sandbox parcel.moved synthetic']);
      await emit(false, true);
      await bench.test.drain();
      assert.equal(takeRequests(bench), ['sandbox parcel.moved synthetic'], 'a live call about a sandbox object');
    }));

  test('a custom event is counted and delivered on its own side', () =>
    withBench(async (bench, { live }) => {
      assert.is(await bench.emitCustom('order.paid', {}, true), 1);
      await bench.test.drain();
      assert.equal(takeRequests(bench), ['sandbox order.paid synthetic']);
      await callsOf(bench, 'live').delete({ id: live });
      assert.is(await bench.emitCustom('order.paid'), 0);
      await bench.test.drain();
      assert.equal(takeRequests(bench), []);
    }));

  test('a test event reaches only the named subscription on its side, and is always synthetic', () =>
    withBench(async (bench, ids) => {
      for (const side of ['live', 'sandbox'] as const) {
        await callsOf(bench, side).test({ webhook_id: ids[side], event: 'parcel.moved' });
        await bench.test.drain();
        assert.equal(takeRequests(bench), [`${side} parcel.moved synthetic`]);
      }
    }));

  test('a key can see, change and test only subscriptions of its own side, and others are not found', () =>
    withBench(async (bench, ids) => {
      const { request, liveKey, testKey } = bench.test;
      await bench.emit();
      await bench.emitCustom('order.paid', {}, true);
      await bench.test.drain();
      const keys = { live: liveKey, sandbox: testKey };
      let count = 0;
      for (const [ownSide, otherSide] of [
        ['live', 'sandbox'],
        ['sandbox', 'live'],
      ] as const) {
        const ask = (method: string, path: string, body?: object) => {
          count += 1;
          const headers = { 'idempotency-key': `ask-${count}` };
          return request(path, { method, key: keys[ownSide], headers, ...(body === undefined ? {} : { body }) });
        };
        const webhooks = (await ask('GET', '/v1/webhooks')).body.data;
        assert.equal(
          webhooks.map(({ id, sandbox }: { id: string; sandbox: boolean }) => [id, sandbox]),
          [[ids[ownSide], ownSide === 'sandbox']],
        );
        const [delivery] = (await callsOf(bench, otherSide).deliveries({ id: ids[otherSide] })).data;
        const at = `/v1/webhooks/${ids[otherSide]}`;
        for (const [method, path, body] of [
          ['GET', at],
          ['PATCH', at, { enabled: false }],
          ['DELETE', at],
          ['GET', `${at}/deliveries`],
          ['POST', `${at}/rotate-secret`],
          ['POST', '/v1/webhooks/test', { webhook_id: ids[otherSide] }],
          ['POST', `/v1/webhooks/deliveries/${delivery?.id}/replay`],
        ] as const) {
          const { status, body: answer } = await ask(method, path, body);
          assert.is(status, 404, `${ownSide}: ${method} ${path} ${JSON.stringify(answer)}`);
        }
        assert.is((await ask('GET', `/v1/webhooks/${ids[ownSide]}`)).status, 200);
      }
      for (const side of ['live', 'sandbox'] as const)
        assert.is((await callsOf(bench, side).read({ id: ids[side] })).enabled, true);
    }));

  test('a 410 disables the subscription on its side, and only that side gets the event', () =>
    withBench(async (bench, ids) => {
      await bench.emitCustom('order.paid', {}, true);
      bench.receiver.answer = (response, { path }) => response.writeHead(path.endsWith('sandbox') ? 410 : 200).end();
      await callsOf(bench, 'sandbox').create({ url: `${bench.receiver.url}/other`, events: ['webhook.disabled'] });
      await bench.test.drain();
      assert.equal(takeRequests(bench), ['other webhook.disabled synthetic', 'sandbox order.paid synthetic']);
      assert.is((await callsOf(bench, 'sandbox').read({ id: ids.sandbox })).enabled, false);
      assert.is((await callsOf(bench, 'live').read({ id: ids.live })).enabled, true);
    }));

  test('the plan sandbox has only the sandbox side, with any key', () =>
    withBench(async (bench, ids) => {
      await bench.test.service.workspaces.update(bench.test.workspaceId, { plan: 'sandbox' });
      const { data } = (await bench.test.request('/v1/webhooks')).body;
      assert.equal(
        data.map(({ id }: { id: string }) => id),
        [ids.sandbox],
      );
    }));
});
