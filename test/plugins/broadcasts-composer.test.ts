// Drafts of broadcasts in the console: the mail as one contact gets it, a test to the team, and a scheduled broadcast that becomes a
// draft again.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openBroadcastsBench } from '../support/broadcasts-console-bench.ts';

const test = suite<{ open: Awaited<ReturnType<typeof openBroadcastsBench>> }>('the composer of broadcasts');

test.before.each(async (context) => {
  context.open = await openBroadcastsBench();
});
test.after.each(({ open }) => open.bench.close());

test('a draft is shown as a contact gets it, in a frame without scripts', async ({ open }) => {
  const { page, draft, calls, ask } = open;
  await calls.templates.update({
    key: 'news',
    subject: 'Hello',
    body: '<html><body><p>Dear {{ name }}</p><a href="%unsubscribe_url%">Unsubscribe</a></body></html>',
    variables: {
      type: 'object',
      properties: { name: { type: 'string', examples: ['Example'] } },
      required: ['name'],
    },
  });
  await calls.templates.publish({ key: 'news', allowBreaking: true });
  await calls.contacts.upsert({ email: 'zoe@example.com', attributes: { first: 'Zoe <b>' } });
  const id = await draft('News', { variables: { name: '{{ contact.attributes.first }}' } });
  const path = `/broadcasts/${id}`;
  assert.match(await page(path), /Variables show the examples[\s\S]*<iframe[^>]*preview\?side=live"[^>]* sandbox/);
  const asZoe = await page(`${path}?contact=zoe@example.com`);
  assert.match(asZoe, 'As zoe@example.com gets it.');
  assert.match(asZoe, 'preview?side=live&amp;contact=zoe%40example.com');
  assert.match(await page(`${path}?contact=<nobody>`), 'No contact has the address or the external id &lt;nobody&gt;.');
  const document = await ask(`${path}/preview?contact=zoe@example.com`);
  assert.match(document.text, 'Dear Zoe &lt;b&gt;');
  assert.match(document.headers['Content-Security-Policy'] ?? '', /sandbox$/);
  const incomplete = await ask(`${path}/preview?contact=reader1@example.com`);
  assert.is(incomplete.status, 200);
  assert.match(incomplete.text, '<title>No preview</title>');
});

test('a test mail leaves at once, is marked as a test, and is in no count', async ({ open }) => {
  const { page, act, draft, bench, calls } = open;
  const id = await draft('News');
  const path = `/broadcasts/${id}`;
  assert.match(await page(path), '“News” goes to these people now, with [Test] before its subject.');
  const sent = await act(path, 'test', { to: 'one@example.com, two@example.com' });
  assert.match(sent.text, 'The test was accepted.');
  await bench.drain();
  for (const to of ['one@example.com', 'two@example.com'])
    assert.match(bench.mail.lastTo(to)?.subject ?? '', '[Test] News');
  assert.is((await calls.broadcasts.read({ broadcastId: id })).counts.accepted, 0);
  assert.match((await act(path, 'test', { to: '' })).text, 'Choose a member or write an address.');
  assert.match((await act(path, 'test', { to: 'a@elsewhere.example' })).text, 'Nothing was changed.');
  open.signIn.scopes = ['broadcasts:read', 'broadcasts:write'];
  assert.not.match(await page(path), 'Send the test');
});

test('a scheduled broadcast becomes a draft again', async ({ open }) => {
  const { page, act, draft, calls } = open;
  const id = await draft('Later', { sendAt: '2026-06-01T09:00:00Z' });
  await calls.broadcasts.schedule({ broadcastId: id });
  const path = `/broadcasts/${id}`;
  assert.match(await page(path), '“Later” becomes a draft again');
  assert.match((await act(path, 'unschedule')).text, 'The broadcast is a draft again.');
  assert.is((await calls.broadcasts.read({ broadcastId: id })).status, 'draft');
  assert.not.match(await page(path), 'value="unschedule"');
});

test('the preview of a broadcast of another workspace is not found', async ({ open }) => {
  const { bench, ask } = open;
  const { broadcastId } = await bench.service.as(bench.foreignWorkspaceId).broadcasts.create({ name: 'Theirs' });
  assert.is((await ask(`/broadcasts/${broadcastId}/preview`)).status, 404);
});

test.run();
