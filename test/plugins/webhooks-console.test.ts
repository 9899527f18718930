// The pages of webhooks in the console: who sees them, their contents, and their actions.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openWebhooksBench, type WebhooksBench } from '../support/webhooks-bench.ts';

const test = suite('the pages of webhooks');

/** Calls `run` with a webhook that has one delivery, which its receiver accepted */
async function withBench(
  run: (bench: WebhooksBench, ids: { webhook: string; delivery: string }) => Promise<void>,
): Promise<void> {
  const bench = await openWebhooksBench();
  try {
    const webhook = await bench.subscribe({ description: 'Orders' });
    await run(bench, { webhook, delivery: await bench.deliver(webhook, 'order_paid') });
  } finally {
    await bench.close();
  }
}

/** The paths of the pages, each with its actions */
const pagesOf = ({ webhook, delivery }: { webhook: string; delivery: string }) =>
  [
    ['/webhooks', ['create']],
    [`/webhooks/${webhook}`, ['test', 'disable', 'rotate', 'delete']],
    [`/webhooks/${webhook}/deliveries/${delivery}`, ['replay']],
  ] as const;

test('without the scope the console has no entry, no page and no action for webhooks', () =>
  withBench(async (bench, ids) => {
    assert.match((await bench.page('/webhooks')).text, 'title="Webhooks"');
    bench.person.scopes = ['audit:read'];
    for (const [path, actions] of pagesOf(ids)) {
      const { status, text } = await bench.page(path);
      assert.is(status, 403, path);
      assert.not.match(text, /title="Webhooks"|order_paid|whsec_/);
      for (const action of actions) assert.is((await bench.act(path, action)).status, 403, action);
    }
    await bench.drain();
    assert.is(bench.receiver.bodies.length, 1);
  }));

test('the list shows webhooks with their health, but never a secret', () =>
  withBench(async (bench, { webhook, delivery }) => {
    await bench.subscribe({ description: 'مرحبا <b>' });
    const { text } = await bench.page('/webhooks');
    assert.match(text, `/webhooks/${webhook}?side=live">Orders</a><span class="below">${bench.receiver.url}`);
    assert.match(text, 'مرحبا &lt;b&gt;');
    assert.match(text, '<span class="pill good">Enabled</span>');
    assert.match(text, '<span class="pill info">Enabled</span>');
    bench.receiver.answer = { status: 500, body: '' };
    bench.advanceClock(1_000);
    await bench.deliver(webhook, 'order_refunded');
    assert.match((await bench.page('/webhooks')).text, '<span class="pill wait">Failing</span>');
    assert.match((await bench.page(`/webhooks/${webhook}`)).text, 'The receiver answered 500.');
    for (const [path] of pagesOf({ webhook, delivery }))
      assert.not.match((await bench.page(path)).text, /whsec_[A-Za-z0-9+/]/, path);
  }));

test('on a side without webhooks, the page explains webhooks', () =>
  withBench(async (bench, { webhook }) => {
    assert.match((await bench.page('/webhooks?side=sandbox')).text, 'Create the first one above.');
    assert.is((await bench.page(`/webhooks/${webhook}?side=sandbox`)).status, 404);
  }));

test('a webhook can be created, and its secret is shown once', () =>
  withBench(async (bench) => {
    const creation = await bench.act('/webhooks', 'create', {
      url: bench.receiver.url,
      events: 'order_paid, order_refunded',
      description: '',
    });
    assert.is(creation.status, 200);
    assert.match(creation.text, 'Store the secret in the receiver now.');
    assert.match(creation.text, /<code class="id">whsec_[A-Za-z0-9+/]{20,}/);
    const { data } = await bench.service.as(bench.workspaceId).webhooks.list();
    assert.equal(data[0]?.events, ['order_paid', 'order_refunded']);
    assert.is(data[0]?.description, null);
    const refusal = await bench.act('/webhooks', 'create', { url: 'https://10.0.0.1/', events: '*' });
    assert.is(refusal.status, 422);
    assert.match(refusal.text, 'Nothing was changed. The webhook cannot be sent to this url');
  }));

test('the page of a webhook lists its deliveries, filtered by state and event', () =>
  withBench(async (bench, { webhook, delivery }) => {
    bench.receiver.answer = { status: 500, body: 'out of order' };
    bench.advanceClock(1_000);
    const failedId = await bench.deliver(webhook, 'webhook.disabled');
    const listedIds = async (query: string) => {
      const { text } = await bench.page(`/webhooks/${webhook}${query}`);
      return [failedId, delivery].filter((id) => text.includes(`deliveries/${id}?side=live`));
    };
    assert.equal(await listedIds(''), [failedId, delivery]);
    assert.equal(await listedIds('?status=failed'), [failedId]);
    assert.equal(await listedIds('?status=delivered'), [delivery]);
    assert.equal(await listedIds('?event=order_paid'), [delivery]);
    assert.equal(await listedIds('?status=failed&event=order_paid'), []);
    assert.match((await bench.page(`/webhooks/${webhook}?status=pending`)).text, 'No delivery matches these filters.');
    for (let count = 0; count < 25; count += 1)
      await bench.service.as(bench.workspaceId).webhooks.test({ webhook_id: webhook, event: 'order_paid' });
    const first = await bench.page(`/webhooks/${webhook}`);
    const [, next] = /rel="next" href="[^"]*cursor=([^"]+)"/.exec(first.text) ?? [];
    assert.match((await bench.page(`/webhooks/${webhook}?cursor=${next}`)).text, delivery);
  }));

test('the page of a delivery shows its attempts, and the response as plain text', () =>
  withBench(async (bench, { webhook, delivery }) => {
    bench.receiver.answer = { status: 500, body: '<b>out of order</b>' };
    const failedId = await bench.deliver(webhook, 'order_refunded');
    const { text } = await bench.page(`/webhooks/${webhook}/deliveries/${failedId}`);
    assert.match(text, 'It was not delivered, in one attempt. The receiver answered 500.');
    assert.match(text, /500 after \d+ ms/);
    assert.match(text, '<code>&lt;b&gt;out of order&lt;/b&gt;</code>');
    assert.match(text, `/webhooks/${webhook}?side=live">Orders</a>`);
    const deliveryPage = await bench.page(`/webhooks/${webhook}/deliveries/${delivery}`);
    assert.match(deliveryPage.text, 'The receiver accepted it.');
    const otherId = await bench.subscribe({ description: 'Other' });
    for (const path of [`${otherId}/deliveries/${delivery}`, `${webhook}/deliveries/dlv_none`, 'whk_none'])
      assert.is((await bench.page(`/webhooks/${path}`)).status, 404, path);
  }));

test('a person can replay a delivery and enable a webhook, and the audit names the person', () =>
  withBench(async (bench, { webhook, delivery }) => {
    const path = `/webhooks/${webhook}/deliveries/${delivery}`;
    const { webhooks } = bench.service.as(bench.workspaceId);
    const replay = await bench.act(path, 'replay');
    assert.is(replay.status, 303);
    assert.match(replay.headers['Location'] ?? '', /done=replay$/);
    assert.not.match((await bench.page(path)).text, 'value="replay"');
    await bench.drain();
    assert.is(bench.receiver.bodies.length, 2);
    assert.is(bench.receiver.bodies[1], bench.receiver.bodies[0]);

    await bench.act(`/webhooks/${webhook}`, 'disable');
    const webhookPage = (await bench.page(`/webhooks/${webhook}`)).text;
    assert.match(webhookPage, 'Nothing is posted: the webhook is disabled.');
    assert.match(webhookPage, 'Disabled by request.');
    await bench.act(`/webhooks/${webhook}`, 'enable');
    assert.is((await webhooks.read({ id: webhook })).enabled, true);
    const { data } = await bench.service.as(bench.workspaceId).audit.list();
    const dashboardEntries = data.filter(({ actor }) => actor.kind === 'dashboard');
    assert.equal(
      dashboardEntries.map(({ action }) => action),
      ['webhook.update', 'webhook.update', 'webhook.replay'],
    );
    assert.match(JSON.stringify(dashboardEntries[0]), 'u_sue');
  }));

test('a person can send a test and rotate the secret, and after deleting a webhook returns to the list', () =>
  withBench(async (bench, { webhook }) => {
    const path = `/webhooks/${webhook}`;
    const { webhooks } = bench.service.as(bench.workspaceId);
    assert.is((await bench.act(path, 'test', { event: 'order_lost' })).status, 303);
    await bench.drain();
    assert.is(JSON.parse(bench.receiver.bodies.at(-1) ?? '').type, 'order_lost');
    const before = (await webhooks.read({ id: webhook })).secret;
    const rotation = await bench.act(path, 'rotate');
    assert.match(rotation.text, /<code class="id">whsec_[A-Za-z0-9+/]{20,}/);
    assert.match(rotation.text, 'For 24 hours, deliveries are signed with the old secret, too.');
    assert.is.not((await webhooks.read({ id: webhook })).secret, before);
    const deletion = await bench.act(path, 'delete');
    assert.is(deletion.status, 200);
    assert.match(deletion.text, '/webhooks?side=live">All webhooks');
    assert.is((await bench.page(path)).status, 404);
  }));

test('the old address redirects to the page', () =>
  withBench(async (bench, { webhook, delivery }) => {
    const go = async (query: string) => {
      const { status, headers } = await bench.service.dispatch({
        method: 'GET',
        url: `/webhooks-console${query}`,
        headers: { host: 'localhost' },
        body: undefined,
        address: '127.0.0.1',
      });
      assert.is(status, 303);
      return new URL(headers['Location'] ?? '', 'http://localhost/webhooks-console').searchParams.get('page');
    };
    assert.is(await go(''), 'webhooks');
    assert.is(await go(`?workspace=${bench.workspaceId}&webhook=${webhook}`), `webhooks/${webhook}`);
    assert.is(await go(`?webhook=${webhook}&delivery=${delivery}`), `webhooks/${webhook}/deliveries/${delivery}`);
  }));

test.run();
