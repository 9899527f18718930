// Templates in the console: a person composes a template from a brief, writes its missing texts, publishes it, and rolls back to an
// earlier version.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ConsoleBench, openConsoleBench } from '../support/console-bench.ts';
import { formWith } from '../support/html-form.ts';

const test = suite<{ bench: ConsoleBench }>('templates in the console');

test.before.each(async (context) => {
  context.bench = await openConsoleBench();
});
test.after.each(({ bench }) => bench.close());

test('a template is composed from a brief, its missing texts are written, and it is published', async ({ bench }) => {
  assert.match((await bench.page('/templates')).text, 'New template from a brief');
  const creation = await bench.post('/templates', {
    action: 'compose',
    key: 'k1',
    brief: 'A newsletter with news of our spring course for bakers.',
    name: 'Spring <b>',
    category: '',
  });
  assert.is(creation.status, 303);
  const { data } = await bench.calls.templates.list({ status: 'draft' });
  const key = data[0]?.key ?? '';
  assert.match(creation.headers['Location'] ?? '', `templates/${key}`);
  const path = `/templates/${key}`;
  const { text } = await bench.page(path);
  assert.match(text, 'Spring &lt;b&gt;');
  assert.match(text, 'Write what is missing');
  assert.not.match(text, 'Publish the template');
  const form = Object.entries(formWith(text, 'action')).map(([name, value]) => [
    name,
    name === 'action' || name === 'key' ? value : 'Bread & <i>butter',
  ]);
  const stored = await bench.post(path, Object.fromEntries(form));
  assert.is(stored.status, 303);
  const kept = await bench.calls.templates.read({ key });
  assert.is(kept.subject, 'Bread & <i>butter');
  assert.match(kept.body, 'Bread &amp; &lt;i&gt;butter');
  assert.match(kept.text ?? '', 'Bread & <i>butter');
  const written = (await bench.page(path)).text;
  assert.not.match(written, 'Write what is missing');
  assert.match(written, /becomes version 1, which is sent from then on/);
  assert.is((await bench.post(path, { action: 'publish', key: 'k2' })).status, 303);
  assert.is((await bench.calls.templates.read({ key })).version, 1);
});

test('a person rolls back to an earlier version after a question', async ({ bench }) => {
  const { calls } = bench;
  await calls.templates.update({ key: 'order_receipt', subject: 'Receipt, new {{ order }}' });
  await calls.templates.publish({ key: 'order_receipt' });
  const path = '/templates/order_receipt';
  const { text } = await bench.page(path);
  assert.match(text, 'Version 1 of “Receipt” is sent from then on');
  assert.not.match(text, 'Version 2 of “Receipt” is sent');
  assert.is((await bench.post(path, { action: 'rollback', key: 'k1', version: '1' })).status, 303);
  assert.is((await calls.templates.read({ key: 'order_receipt' })).subject, 'Your receipt {{ order }}');
});

test('under a policy, a person who may not publish asks for an approval, and the page links to the waiting request', async ({
  bench,
}) => {
  const { calls } = bench;
  await calls.approvals.policySet({ surfaceKind: 'email_template', required: true });
  await calls.templates.update({ key: 'order_receipt', subject: 'Other {{ order }}' });
  const path = '/templates/order_receipt';
  bench.signIn.present = bench.member(['templates:read', 'approvals:submit', 'approvals:read']);
  const asking = (await bench.page(path)).text;
  assert.match(asking, 'Ask for the approval');
  assert.not.match(asking, 'Publish the template');
  assert.is((await bench.post(path, { action: 'ask', key: 'k1' })).status, 303);
  const waiting = (await bench.page(path)).text;
  assert.match(waiting, /A change waits for a decision\.[\s\S]*approvals\/apr_/);
  assert.not.match(waiting, 'Ask for the approval');
  bench.signIn.present = bench.member(['templates:read']);
  const plain = (await bench.page(path)).text;
  assert.not.match(plain, 'method="post"');
});

test.run();
