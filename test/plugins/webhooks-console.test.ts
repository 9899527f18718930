// The webhooks page: access, the responses of its routes, and its actions.
import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assets } from '../../plugins/webhooks/assets.gen.ts';
import { assetsFile } from '../../plugins/webhooks/browser/build.ts';
import { openWebhooksBench, type WebhooksBench } from '../support/webhooks-bench.ts';

const test = suite('the page of webhooks');

async function withBench(
  options: Parameters<typeof openWebhooksBench>,
  run: (bench: WebhooksBench, ids: { webhook: string; delivery: string }) => Promise<void>,
): Promise<void> {
  const bench = await openWebhooksBench(...options);
  try {
    const webhook = await bench.subscribe({ description: 'Orders' });
    await run(bench, { webhook, delivery: await bench.deliver(webhook, 'order_paid') });
  } finally {
    await bench.close();
  }
}

/** Every route of the page, with its method. */
const routesOf = (
  { workspaceId }: WebhooksBench,
  { webhook, delivery }: { webhook: string; delivery: string },
): (readonly [string, string])[] => [
  ['GET', ''],
  ['GET', '/workspaces'],
  ['GET', `/webhooks?workspace=${workspaceId}`],
  ['GET', `/webhooks/${webhook}/deliveries?workspace=${workspaceId}`],
  ['GET', `/deliveries/${delivery}/body?workspace=${workspaceId}`],
  ['POST', `/deliveries/${delivery}/replay?workspace=${workspaceId}`],
  ['POST', `/webhooks/${webhook}/enable?workspace=${workspaceId}`],
];

async function expectShut(
  bench: WebhooksBench,
  ids: { webhook: string; delivery: string },
  request: { headers?: Record<string, string>; address?: string },
  [status, code]: readonly [number, string],
): Promise<void> {
  const before = bench.receiver.bodies.length;
  for (const [method, path] of routesOf(bench, ids)) {
    const answer = await bench.ask(path, { method, ...request });
    assert.is(answer.status, status, `${method} ${path}: ${answer.text.slice(0, 200)}`);
    if (path !== '' || status === 404) assert.is(answer.json.error.code, code, `${method} ${path}`);
    assert.is(answer.text.includes('order_paid'), false);
  }
  await bench.drain();
  assert.is(bench.receiver.bodies.length, before, 'something was posted again');
}

test('the page exists only if it is enabled', () =>
  withBench(['none'], (bench, ids) => expectShut(bench, ids, {}, [404, 'route_not_found'])));

test('in production there is no page without a sign-in', () =>
  withBench([{}, { environment: 'production' }], (bench, ids) => expectShut(bench, ids, {}, [404, 'route_not_found'])));

test('in development every route is available to this machine only', () =>
  withBench([{}], async (bench, ids) => {
    await expectShut(bench, ids, { address: '192.168.1.20' }, [403, 'webhooks_console_not_local']);
    await expectShut(bench, ids, { headers: { host: 'attacker.example' } }, [403, 'webhooks_console_not_local']);
    for (const [method, path] of routesOf(bench, ids)) {
      const { status, text } = await bench.ask(path, { method });
      assert.is(status, 200, `${method} ${path}: ${text}`);
    }
  }));

test('requests from other sites are refused, including reads', () =>
  withBench([{ authorize: () => ({ workspaces: 'all' }) }], async (bench, ids) => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
    await expectShut(bench, ids, { headers }, [403, 'webhooks_console_cross_site']);
    const posted = await bench.ask(`/deliveries/${ids.delivery}/replay?workspace=${bench.workspaceId}`, {
      method: 'POST',
      headers: { origin: 'https://attacker.example' },
    });
    assert.is(posted.json.error.code, 'webhooks_console_cross_site');
  }));

test("the program's sign-in decides who sees which workspaces", async () => {
  await withBench([{ authorize: () => undefined }], (bench, ids) =>
    expectShut(bench, ids, {}, [401, 'webhooks_console_access_denied']),
  );
  let allowed: string[] = [];
  await withBench(
    [{ authorize: () => ({ workspaces: allowed }) }, { environment: 'production' }],
    async (bench, ids) => {
      allowed = [bench.foreignWorkspaceId];
      const otherMachine = { headers: { host: 'app.example.com' }, address: '203.0.113.7' };
      const { data } = (await bench.ask('/workspaces', otherMachine)).json;
      assert.equal(
        data.map(({ id }: { id: string }) => id),
        [bench.foreignWorkspaceId],
      );
      for (const [method, path] of routesOf(bench, ids).slice(2)) {
        const own = await bench.ask(path, { method, ...otherMachine });
        assert.equal([own.status, own.json.error.code], [404, 'workspace_not_found'], path);
        const foreignResponse = await bench.ask(path.replace(bench.workspaceId, bench.foreignWorkspaceId), {
          method,
          ...otherMachine,
        });
        if (!path.startsWith('/webhooks?')) assert.is(foreignResponse.status, 404, path);
        else assert.equal(foreignResponse.json.data, []);
      }
    },
  );
});

test('the page shows subscriptions with their health, and never a secret', () =>
  withBench([{}], async (bench, { webhook }) => {
    const { status, text, json } = await bench.ask(`/webhooks?workspace=${bench.workspaceId}`);
    assert.is(status, 200);
    const [listed] = json.data;
    assert.equal(
      [listed.id, listed.url, listed.description, listed.enabled, listed.failing_since],
      [webhook, bench.receiver.url, 'Orders', true, null],
    );
    assert.match(listed.secret, /^whsec_….{4}$/);
    assert.not.match(text, /whsec_[A-Za-z0-9+/]/);
  }));

test('the page lists deliveries by status and event, and returns the body as it was sent', () =>
  withBench([{}], async (bench, { webhook, delivery }) => {
    bench.receiver.answer = { status: 500, body: 'out of order' };
    bench.advanceClock(1_000);
    const failed = await bench.deliver(webhook, 'webhook.disabled');
    const list = async (query = '') => {
      const { status, text, json } = await bench.ask(
        `/webhooks/${webhook}/deliveries?workspace=${bench.workspaceId}${query}`,
      );
      assert.is(status, 200, text);
      return json.data;
    };
    const ids = async (query: string) => (await list(query)).map(({ id }: { id: string }) => id);
    assert.equal(await ids(''), [failed, delivery]);
    assert.equal(await ids('&status=failed'), [failed]);
    assert.equal(await ids('&status=delivered'), [delivery]);
    assert.equal(await ids('&event=order_paid'), [delivery]);
    assert.equal(await ids('&status=failed&event=order_paid'), []);
    const [{ attempts, created_at }] = await list();
    assert.is(created_at, new Date(bench.now()).toISOString());
    assert.equal(
      [attempts[0].status_code, attempts[0].response_excerpt, attempts[0].error],
      [500, 'out of order', 'The receiver answered 500.'],
    );
    const body = await bench.ask(`/deliveries/${delivery}/body?workspace=${bench.workspaceId}`);
    assert.is(body.text, bench.receiver.bodies[0]);
    assert.match(body.headers['Content-Type'] ?? '', 'text/plain');
    assert.match(body.headers['Content-Security-Policy'] ?? '', 'sandbox');
    assert.is((await bench.ask(`/webhooks/${webhook}/deliveries?workspace=${bench.workspaceId}&status=x`)).status, 422);
    assert.is((await bench.ask(`/webhooks?workspace=${bench.workspaceId}&surprise=1`)).status, 422);
  }));

test('the page can replay a delivery and enable a disabled webhook', () =>
  withBench([{}], async (bench, { webhook, delivery }) => {
    const at = `workspace=${bench.workspaceId}`;
    const replayed = await bench.ask(`/deliveries/${delivery}/replay?${at}`, { method: 'POST' });
    assert.equal([replayed.status, replayed.json.status], [200, 'pending']);
    const again = await bench.ask(`/deliveries/${delivery}/replay?${at}`, { method: 'POST' });
    assert.equal([again.status, again.json.error.code], [409, 'state_conflict']);
    await bench.drain();
    assert.is(bench.receiver.bodies.length, 2);
    assert.is(bench.receiver.bodies[1], bench.receiver.bodies[0]);

    await bench.service.as(bench.workspaceId).webhooks.update({ id: webhook, enabled: false });
    const enabled = await bench.ask(`/webhooks/${webhook}/enable?${at}`, { method: 'POST' });
    assert.equal([enabled.json.enabled, enabled.json.disabled_at, enabled.json.disabled_reason], [true, null, null]);
    const { data } = (await bench.request('/v1/audit?actor=dashboard')).body;
    assert.equal(
      data.map(({ action, actor }: { action: string; actor: { client: string } }) => [action, actor.client]),
      [
        ['webhook.update', 'webhooks-console'],
        ['webhook.replay', 'webhooks-console'],
      ],
    );
    const missing = `whk_${'0'.repeat(26)}`;
    for (const path of [
      `/webhooks/${missing}/enable?${at}`,
      `/deliveries/${missing}/replay?${at}`,
      `/deliveries/%00/replay?${at}`,
    ])
      assert.is((await bench.ask(path, { method: 'POST' })).status, 404, path);
  }));

test('the page shows the subscriptions of both sides, marked, and acts on the right side', () =>
  withBench([{}], async (bench, { webhook }) => {
    const { webhooks } = bench.service.as(bench.workspaceId, { sandbox: true });
    const { id } = await webhooks.create({ url: bench.receiver.url, events: ['*'], description: 'Tried out' });
    const { id: delivery } = await webhooks.test({ webhook_id: id, event: 'order_tried' });
    await bench.drain();
    const at = `workspace=${bench.workspaceId}`;
    const { data } = (await bench.ask(`/webhooks?${at}`)).json;
    assert.equal(Object.fromEntries(data.map((one: { id: string; sandbox: boolean }) => [one.id, one.sandbox])), {
      [webhook]: false,
      [id]: true,
    });
    const listed = (await bench.ask(`/webhooks/${id}/deliveries?${at}`)).json.data;
    assert.equal(
      listed.map((one: { id: string }) => one.id),
      [delivery],
    );
    assert.is((await bench.ask(`/deliveries/${delivery}/body?${at}`)).text, bench.receiver.bodies.at(-1));
    assert.is((await bench.ask(`/deliveries/${delivery}/replay?${at}`, { method: 'POST' })).status, 200);
    await bench.drain();
    assert.equal(
      bench.receiver.bodies.slice(-2).map((body) => JSON.parse(body).type),
      ['order_tried', 'order_tried'],
    );
    await webhooks.update({ id, enabled: false });
    assert.is((await bench.ask(`/webhooks/${id}/enable?${at}`, { method: 'POST' })).json.enabled, true);
    assert.is((await webhooks.read({ id })).enabled, true);
  }));

test("the page's files are up to date (npx tsx plugins/webhooks/browser/build.ts), small, and name no other host", async () => {
  assert.is(await readFile('plugins/webhooks/assets.gen.ts', 'utf8'), await assetsFile());
  for (const [name, { body }] of Object.entries(assets)) {
    assert.ok(Buffer.byteLength(body) < 40_000, name);
    const urls = [...body.matchAll(/(?:https?:)?\/\/[a-z0-9.-]+\.[a-z]{2,}[^\s"'`)]*/gi)].map(([url]) => url);
    assert.equal(
      urls.filter((url) => !/^(https?:)?\/\/www\.w3\.org\//.test(url)),
      [],
      name,
    );
  }
});

test('the page contains nothing inline, and only relative URLs', () =>
  withBench([{}], async (bench) => {
    for (const path of ['', '/']) {
      const { status, headers, text } = await bench.ask(path);
      assert.is(status, 200);
      assert.not.match(headers['Content-Security-Policy'] ?? 'unsafe', /unsafe|https?:|\*/);
      assert.not.match(text, /<style|<script(?![^>]* src=)|\son\w+=|\sstyle=/i);
      const addresses = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string);
      assert.is(addresses.length, 3);
      for (const address of addresses) {
        assert.not.match(address, /^(\/|\w+:)/);
        const { pathname, search } = new URL(address, `http://localhost/webhooks-console${path}`);
        assert.is((await bench.ask(pathname.replace('/webhooks-console', '') + search)).status, 200, address);
      }
    }
  }));

test.run();
