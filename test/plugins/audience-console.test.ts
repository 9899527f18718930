// The pages of lists, segments, topics, suppressions and API keys in the console: who sees them, what they show, and their actions.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ConsoleBench, openConsoleBench } from '../support/console-bench.ts';

const test = suite<{ bench: ConsoleBench }>('the audience in the console');

test.before.each(async (context) => {
  context.bench = await openConsoleBench();
});
test.after.each(({ bench }) => bench.close());

/** Creates two lists: News with Ada as a confirmed member, and Careful, with double opt-in, with Grace as an unconfirmed member. */
async function listWithMembers({ calls, ada, grace, drain }: ConsoleBench) {
  const news = await calls.lists.create({ name: 'News <b>weekly</b>', description: 'Every Monday.' });
  await calls.lists.membersAdd({ listId: news.listId, contactIds: [ada.id] });
  const careful = await calls.lists.create({ name: 'Careful', optin: 'double' });
  await calls.lists.membersAdd({ listId: careful.listId, contactIds: [grace.id] });
  await drain();
  return { news, careful };
}

test('lists show their members by status, and each member leads to the contact', async ({ bench }) => {
  const { news, careful } = await listWithMembers(bench);
  const { text } = await bench.page('/lists');
  assert.match(text, 'News &lt;b&gt;weekly&lt;/b&gt;');
  assert.match(text, /Careful[\s\S]*After a confirmation/);
  const one = await bench.page(`/lists/${news.listId}`);
  assert.match(one.text, new RegExp(`href="[^"]*contacts/${bench.ada.id}\\?side=live">ada@example\\.com`));
  assert.match(one.text, /Confirmed 1<\/a>[\s\S]*Your program/);
  assert.match((await bench.page(`/lists/${news.listId}?status=unconfirmed`)).text, 'Nobody is here.');
  assert.match((await bench.page(`/lists/${careful.listId}?status=unconfirmed`)).text, 'grace@example.com');
});

test('a segment shows its contacts and its filter, and says why a contact is in it or not', async ({ bench }) => {
  const filter = { path: 'contact.attributes.plan', op: 'eq', value: 'pro' } as const;
  const { segmentId } = await bench.calls.segments.create({ name: 'On <pro>', filter });
  assert.match((await bench.page('/segments')).text, 'On &lt;pro&gt;');
  const { text } = await bench.page(`/segments/${segmentId}`);
  assert.match(text, new RegExp(`contacts/${bench.ada.id}\\?side=live">ada@example\\.com`));
  assert.not.match(text, 'grace@example.com');
  assert.match(text, '&quot;path&quot;: &quot;contact.attributes.plan&quot;');
  const ask = async (contact: string) =>
    (await bench.page(`/segments/${segmentId}?contact=${encodeURIComponent(contact)}`)).text;
  assert.match(await ask('ada@example.com'), /ada@example\.com is in this segment\.[\s\S]*plan is &#39;pro&#39; ✓/);
  assert.match(await ask('user_1'), 'ada@example.com is in this segment.');
  assert.match(await ask('grace@example.com'), /grace@example\.com is not in this segment\.[\s\S]*✗/);
  assert.match(await ask('<nobody>'), 'No contact has the address or the external id &lt;nobody&gt;.');
});

test('topics are listed in the order in which recipients see them', async ({ bench }) => {
  await bench.calls.topics.create({ key: 'offers', name: 'Offers <now>', default: 'unsubscribed' });
  const { text } = await bench.page('/topics');
  assert.match(text, /Offers &lt;now&gt;[\s\S]*<code>offers<\/code>[\s\S]*Unsubscribed[\s\S]*Always/);
});

test('the list of suppressions gives the reasons and links to the mail, and addresses can be added and removed', async ({
  bench,
}) => {
  const { text } = await bench.page('/suppressions');
  assert.match(text, /grace@example\.com[\s\S]*The address does not exist[\s\S]*All mail/);
  assert.match((await bench.page('/suppressions?reason=complaint')).text, 'No suppression matches these filters.');
  const firstAnswer = await bench.post('/suppressions', {
    action: 'add',
    key: 'k1',
    email: 'New@Example.com',
    note: '<asked>',
  });
  assert.is(firstAnswer.status, 303);
  assert.match(
    (await bench.page('/suppressions?email=new@example.com')).text,
    /new@example\.com[\s\S]*&lt;asked&gt;[\s\S]*Added by hand/,
  );
  const refusal = await bench.post('/suppressions', { action: 'add', key: 'k2', email: '*@example.com' });
  assert.equal([refusal.status, /Nothing was changed\..*one address/.test(refusal.text)], [422, true]);
  assert.is((await bench.post('/suppressions', { action: 'remove', key: 'k3', email: 'new@example.com' })).status, 303);
  assert.match((await bench.page('/suppressions?email=new@example.com')).text, 'No suppression matches these filters.');
});

test('API keys show their state and scopes, never a secret', async ({ bench }) => {
  const { service, workspaceId } = bench;
  const key = await service.keys.create({ workspaceId, name: 'Shop <1>', preset: 'send' });
  const revokedKey = await service.keys.create({ workspaceId, name: 'Old', scopes: ['sends:read'] });
  await service.keys.revoke(workspaceId, revokedKey.id);
  const { text } = await bench.page('/keys');
  assert.match(text, /Shop &lt;1&gt;[\s\S]*Active[\s\S]*Send, \d+ scopes[\s\S]*Never/);
  assert.match(text, /Old<\/span>[\s\S]*Revoked/);
  for (const secret of [key.secret, revokedKey.secret]) assert.not.match(text, secret);
});

test('a person who has only the scope contacts:read sees no page of the audience, and each form needs the scope of its operation', async ({
  bench,
}) => {
  bench.signIn.present = bench.member(['contacts:read']);
  for (const path of ['/lists', '/segments', '/topics', '/suppressions', '/keys'])
    assert.is((await bench.page(path)).status, 403, path);
  bench.signIn.present = bench.member(['suppressions:read']);
  const { text } = await bench.page('/suppressions');
  assert.not.match(text, 'method="post"');
  const refusal = await bench.post('/suppressions', { action: 'remove', key: 'k', email: 'grace@example.com' });
  assert.is(refusal.status, 422);
});

test('ids of another workspace are not found', async ({ bench }) => {
  const foreign = bench.service.as(bench.foreignWorkspaceId);
  const { listId } = await foreign.lists.create({ name: 'Theirs' });
  const { segmentId } = await foreign.segments.create({
    name: 'Theirs',
    filter: { path: 'contact.email', op: 'exists', value: true },
  });
  for (const path of [`/lists/${listId}`, `/segments/${segmentId}`]) {
    const { status, text } = await bench.page(path);
    assert.equal([status, text.includes('Theirs')], [404, false], path);
  }
});

test.run();
