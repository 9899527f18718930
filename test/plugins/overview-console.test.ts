// The overview of the console: its parts for each person, its links, and parts that other plugins add.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { definePlugin, defineScopes, type MemberAccess } from '../../core/index.ts';
import { html } from '../../core/unstable.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { browserHeaders, type ConsoleBench, openConsoleBench } from '../support/console-bench.ts';
import { pageRequester } from '../support/page-requester.ts';
import { openWebhooksBench } from '../support/webhooks-bench.ts';

const test = suite<{ bench: ConsoleBench }>('the overview of the console');

test.before(async (context) => {
  context.bench = await openConsoleBench();
});
test.after(({ bench }) => bench.close());
test.before.each(({ bench }) => {
  bench.signIn.present = bench.member();
});

const overviewOf = async ({ page }: ConsoleBench, query = '') => (await page(`/overview${query}`)).text;

test('the overview is the first page of a workspace, and the first entry of the navigation', async ({ bench }) => {
  assert.match((await bench.page('')).headers['Location'] ?? '', /\/overview\?side=live$/);
  const text = await overviewOf(bench);
  assert.match(text, /<nav aria-label="Areas"><h2>Overview<\/h2><ul><li><a href="[^"]*\/overview\?side=live"/);
  assert.match(text, /aria-current="page">[^\n]*?<span>Overview<\/span>/);
});

test('the overview shows the plan, the reputation and waiting requests', async ({ bench }) => {
  const text = await overviewOf(bench);
  assert.match(text, '<dt>Plan</dt><dd dir="auto">pro</dd>');
  assert.match(text, '<dt>Sends</dt><dd dir="auto">1 of 50,000</dd>');
  assert.match(text, /<h2>Reputation<\/h2>.*class="pill good">Good</);
  assert.match(text, 'Nothing waits for a decision.');
  assert.not.match(await overviewOf(bench, '?side=sandbox'), '<h2>Reputation</h2>');
});

test('sends are shown as a chart by day, and as a table with the same figures', async ({ bench }) => {
  const text = await overviewOf(bench);
  assert.match(text, /<img class="chart" src="data:image\/svg\+xml;base64,/);
  const cells = (row: string) => [...row.matchAll(/<span>([^<]*)<\/span>/g)].map(([, value]) => value);
  const [, today = ''] = /<tr role="row">(<td role="cell" data-head="Day"><span>2026-11-20<.*?)<\/tr>/.exec(text) ?? [];
  assert.equal(cells(today), ['2026-11-20', '2', '0', '0', '0']);
  assert.match(await overviewOf(bench, '?side=sandbox'), 'No mail was accepted in the last 30 days.');
});

test('waiting requests link to their pages', async ({ bench }) => {
  await bench.calls.templates.create({
    key: 'receipt_note',
    name: 'Receipt',
    mode: 'html',
    subject: 'Hello',
    body: '<p>Hello</p>',
  });
  const { requestId } = await bench.calls.approvals.submit({ surfaceKind: 'email_template', targetId: 'receipt_note' });
  const text = await overviewOf(bench);
  assert.match(text, new RegExp(`approvals/${requestId}\\?side=live">[^<]*receipt_note`));
});

test('parts that the person may not read are omitted, and without any part there is no overview', async ({ bench }) => {
  bench.signIn.present = bench.member(['approvals:read']);
  const text = await overviewOf(bench);
  assert.match(text, '<h2>Waiting approvals</h2>');
  assert.not.match(text, /<h2>(Reputation|This month|First steps)<\/h2>/);
  bench.signIn.present = bench.member(['templates:read']);
  assert.is((await bench.page('/overview')).status, 404);
  assert.not.match((await bench.page('/templates')).text, 'Overview');
});

test('a new workspace shows its first steps until they are done', async () => {
  const bench = await openConsoleBench();
  const steps = async () => /<ul class="steps">.*?<\/ul>/.exec(await overviewOf(bench))?.[0] ?? '';
  assert.match(await steps(), /Done<\/span> <a href="[^"]*templates\?side=live">Publish a template</);
  assert.match(await steps(), /Open<\/span> <a href="[^"]*webhooks\?side=live">Create a webhook</);
  bench.advanceClock(31 * 86_400_000);
  assert.is(await steps(), '');
  await bench.close();
});

test('failing webhooks are named with their error', async () => {
  const bench = await openWebhooksBench();
  const overview = async () => (await bench.page('/overview')).text;
  const webhook = await bench.subscribe({ description: '<i>Orders</i>' });
  await bench.deliver(webhook, 'order_paid');
  assert.match(await overview(), 'No webhook fails.');
  bench.receiver.answer = { status: 500, body: '' };
  bench.advanceClock(1_000);
  await bench.deliver(webhook, 'order_refunded');
  const failing = await overview();
  assert.match(
    failing,
    `webhooks/${webhook}?side=live">&lt;i&gt;Orders&lt;/i&gt;</a><span class="below">The receiver answered 500`,
  );
  assert.not.match(failing, 'No webhook fails.');
  await bench.close();
});

test('a plugin of the program can add a part, and if the API refuses a call, this part remains', async () => {
  const ids: string[] = [];
  const signIn: { scopes: MemberAccess['workspaces'][number]['scopes'] } = { scopes: ['notes:read'] };
  const notes = definePlugin({
    id: 'notes',
    scopes: defineScopes([{ scope: 'notes:read', description: 'Read notes.' }]),
    contributes: {
      'console.overview': () => ({
        scopes: ['notes:read'],
        render: async ({ calls }) => html`<h2>Notes of ${(await calls.workspace.read()).name}</h2>`,
      }),
    },
  });
  const bench = await createTestService({
    plugins: [...standardPlugins, notes],
    access: () => ({ member: 'u_ada', name: 'Ada', workspaces: ids.map((id) => ({ id, scopes: signIn.scopes })) }),
  });
  ids.push(bench.workspaceId);
  const ask = pageRequester(bench.service, `/console/${bench.workspaceId}`);
  const refusal = await ask('/overview', browserHeaders);
  assert.is(refusal.status, 200);
  assert.match(refusal.text, /workspace:read/);
  signIn.scopes = ['notes:read', 'workspace:read'];
  assert.match((await ask('/overview', browserHeaders)).text, '<h2>Notes of ');
  await bench.close();
});

test.run();
