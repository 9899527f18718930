// The console: who sees which page, the contents of the pages, and the effects of their forms.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assets } from '../../plugins/console/assets.gen.ts';
import { assetsFile } from '../../plugins/console/browser/build.ts';
import { root } from '../support/bundle.ts';
import { browserHeaders, type ConsoleBench, openConsoleBench } from '../support/console-bench.ts';

const test = suite<{ bench: ConsoleBench }>('the console');

test.before(async (context) => {
  context.bench = await openConsoleBench();
});
test.after(({ bench }) => bench.close());
test.before.each(({ bench }) => {
  bench.signIn.present = bench.member();
});

const titleOf = (text: string): string | undefined => /<h1[^>]*>([^<]*)</.exec(text)?.[1];

test('the address of the console redirects to the first page that the person may see', async ({ bench }) => {
  const first = await bench.ask('', browserHeaders);
  assert.is(first.status, 303);
  assert.is(first.headers['Location'], `console/${bench.workspaceId}/overview?side=live`);
  assert.is((await bench.page('')).headers['Location'], `./${bench.workspaceId}/overview?side=live`);
  bench.signIn.present = bench.member(['templates:read']);
  assert.is((await bench.page('')).headers['Location'], `./${bench.workspaceId}/templates?side=live`);
  bench.signIn.present = { ...bench.member(), workspaces: [] };
  assert.match((await bench.ask('', browserHeaders)).text, 'There is no workspace that you may see.');
});

test('from the address of a customer, links lead to the reason for an unsent mail', async ({ bench }) => {
  const list = await bench.page('/contacts?search=grace@example.com');
  assert.match(list.text, `${bench.workspaceId}/contacts/${bench.grace.id}?side=live`);
  assert.not.match(list.text, bench.ada.id);
  const contact = await bench.page(`/contacts/${bench.grace.id}`);
  assert.is(titleOf(contact.text), 'grace@example.com');
  assert.match(contact.text, /conclusion bad"><p dir="auto">No mail reaches grace@example\.com: .*suppress/i);
  assert.match(contact.text, `sends/${bench.kept.id}?side=live`);
  const send = await bench.page(`/sends/${bench.kept.id}`);
  assert.match(send.text, 'It was not sent. The recipient is suppressed: hard_bounce');
  assert.match(send.text, `contacts/${bench.grace.id}?side=live`);
  assert.match(send.text, 'templates/order_receipt?side=live');
  const template = await bench.page('/templates/order_receipt');
  assert.match(template.text, 'sends?side=live&amp;template=order_receipt');
  const sends = await bench.page('/sends?template=order_receipt');
  assert.match(sends.text, bench.kept.id);
  assert.match(sends.text, bench.delivered.id);
});

test('a send of a broadcast links to the broadcast, if the person may see broadcasts', async ({ bench }) => {
  const { id } = await bench.send('ada@example.com', { metadata: { broadcastId: 'brc_1' } });
  const link = `href="../../${bench.workspaceId}/broadcasts/brc_1?side=live"`;
  assert.match((await bench.page(`/sends/${id}`)).text, link);
  bench.signIn.present = bench.member(['sends:read']);
  const without = (await bench.page(`/sends/${id}`)).text;
  assert.not.match(without, '/broadcasts');
  assert.match(without, '<code class="id">brc_1</code>');
});

test('the page of a contact says that mail reaches them, and can check another template', async ({ bench }) => {
  const contact = await bench.page(`/contacts/${bench.ada.id}`);
  assert.match(contact.text, /conclusion good"><p dir="auto">Mail reaches ada@example\.com\./);
  assert.match(contact.text, '<dt>plan</dt><dd dir="auto">pro</dd>');
  const answer = await bench.page(`/contacts/${bench.grace.id}?template=order_receipt`);
  assert.match(answer.text, /does not reach grace@example\.com/);
  assert.match((await bench.page(`/contacts/${bench.ada.id}?template=none`)).text, 'cannot be checked');
});

test('lists can be filtered by their address, say when nothing matches, and link to older entries', async ({
  bench,
}) => {
  assert.match((await bench.page('/sends?status=suppressed')).text, bench.kept.id);
  assert.not.match((await bench.page('/sends?status=suppressed')).text, bench.delivered.id);
  assert.match((await bench.page('/sends?to=ada@example.com')).text, bench.delivered.id);
  assert.match((await bench.page('/sends?to=nobody@example.com')).text, 'No send matches these filters.');
  assert.match((await bench.page('/sends?status=sent&template=order_receipt')).text, 'Clear filters');
  assert.match((await bench.page('/contacts?search=user_1')).text, bench.ada.id);
  assert.match((await bench.page('/templates?category=marketing')).text, 'No template matches these filters.');
  for (let count = 0; count < 51; count += 1) await bench.calls.contacts.upsert({ external_id: `many_${count}` });
  const first = await bench.page('/contacts');
  const [, next] = /rel="next" href="[^"]*cursor=([^"]+)"/.exec(first.text) ?? [];
  const second = await bench.page(`/contacts?cursor=${next}`);
  assert.match(second.text, bench.ada.id);
  assert.match(second.text, '>Newest</a>');
});

test('the preview is a document that has no scripts and loads nothing', async ({ bench }) => {
  const page = await bench.page('/templates/order_receipt');
  assert.match(
    page.text,
    /<iframe class="document" src="[^"]*templates\/order_receipt\/preview\?side=live"[^>]* sandbox/,
  );
  const preview = await bench.page('/templates/order_receipt/preview');
  assert.is(preview.status, 200);
  assert.match(preview.text, '<p>Thank you');
  const policy = preview.headers['Content-Security-Policy'] ?? '';
  assert.match(policy, "default-src 'none'");
  assert.match(policy, 'img-src data:;');
  assert.match(policy, /; sandbox$/);
});

test('a scheduled send is canceled once, in the name of the person', async ({ bench }) => {
  const { id } = await bench.send('ada@example.com', { send_at: '2026-11-21T12:00:00Z' });
  const page = await bench.page(`/sends/${id}`);
  const [, key = ''] = /name="key" value="([^"]+)"/.exec(page.text) ?? [];
  assert.match(page.text, 'to ada@example.com is not sent then');
  for (let count = 0; count < 2; count += 1) {
    const answer = await bench.post(`/sends/${id}`, { action: 'cancel', key });
    assert.is(answer.status, 303);
    assert.match(answer.headers['Location'] ?? '', new RegExp(`/sends/${id}\\?side=live&done=cancel$`));
  }
  assert.match((await bench.page(`/sends/${id}?done=cancel`)).text, 'The send was canceled.');
  assert.is((await bench.calls.sends.read({ id })).status, 'canceled');
  const { data } = await bench.calls.audit.list({ action: 'transactional.cancel' });
  assert.is(data.length, 1);
  assert.match(JSON.stringify(data[0]), /"kind":"dashboard".*u_sue|u_sue.*"kind":"dashboard"/);
  const secondAnswer = await bench.post(`/sends/${id}`, { action: 'cancel', key: 'another-key' });
  assert.is(secondAnswer.status, 422);
  assert.match(secondAnswer.text, 'Nothing was changed. The send is canceled and can no longer be canceled.');
});

test('both sides are separate, and the address contains the side', async ({ bench }) => {
  const sandbox = await bench.page('/contacts?side=sandbox');
  assert.not.match(sandbox.text, 'ada@example.com');
  assert.match(sandbox.text, 'class="chip">Sandbox');
  assert.not.match((await bench.page('/contacts')).text, 'class="chip">Sandbox');
  assert.is((await bench.page(`/contacts/${bench.ada.id}?side=sandbox`)).status, 404);
});

test('the other pages keep the workspace in their links, and only pages within the scopes are linked', async ({
  bench,
}) => {
  const all = (await bench.page('/sends')).text;
  assert.match(all, `href="../../inbox?workspace=${bench.workspaceId}&amp;side=live"`);
  assert.match(all, 'href="../../docs"');
  bench.signIn.present = bench.member(['contacts:read']);
  assert.not.match((await bench.page('/contacts')).text, '/inbox');
});

test('the files of the console are up to date, and small', async () => {
  assert.is(await readFile('plugins/console/assets.gen.ts', 'utf8'), await assetsFile());
  assert.ok((assets['console.js']?.body.length ?? Number.POSITIVE_INFINITY) < 60_000);
});

test('each operation whose permission a page checks exists', async ({ bench }) => {
  const ids = new Set(bench.service.core.ports.operations.list().map(({ id }) => id));
  const unknown: string[] = [];
  for (const file of await readdir(join(root, 'plugins'), { recursive: true })) {
    if (!/\/console\/.*\.ts$/.test(file)) continue;
    const source = await readFile(join(root, 'plugins', file), 'utf8');
    for (const [, id = ''] of source.matchAll(/mayCall\('([^']+)'\)/g))
      if (!ids.has(id)) unknown.push(`${file}: ${id}`);
  }
  assert.equal(unknown, []);
});

test.run();
