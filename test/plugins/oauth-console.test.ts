// The page of connected apps in the console: the apps of a workspace with their rights in words, who may end their access, and the
// redirect from the earlier address.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectApp } from '../support/connected-app.ts';
import { browserHeaders, type ConsoleBench, formHeaders, openConsoleBench } from '../support/console-bench.ts';
import { pageRequester } from '../support/page-requester.ts';

const test = suite<{ bench: ConsoleBench }>('connected apps in the console');

test.before.each(async (context) => {
  context.bench = await openConsoleBench({
    members: [
      { uid: 'u_sue', name: 'Sue', email: 'sue@example.com', role: 'Owner' },
      { uid: 'u_ada', name: 'Ada <b>', email: 'ada@example.com', role: 'Author' },
    ],
  });
});
test.after.each(({ bench }) => bench.close());

const idsOf = async ({ calls }: ConsoleBench) => (await calls.oauth.grants()).data.map(({ grantId }) => grantId);

test('the list shows each app with the member who connected it, its rights in words, its limits and its times', async ({
  bench,
}) => {
  assert.match((await bench.page('/connected-apps')).text, 'No app is connected.');
  await connectApp(bench, 'Claude');
  bench.advanceClock(3 * 3_600_000);
  await connectApp(bench, 'Nobody', {
    client: { id: 'c_1', name: 'Nobody', host: null },
    member: 'u_gone',
    sandbox: true,
    scopes: ['workspace:read'],
    leash: undefined,
  });
  const { text } = await bench.page('/connected-apps');
  const [, newest = '', oldest = ''] = text.split('<tr role="row"><td');
  for (const words of ['Nobody', 'Unverified', 'Sandbox', 'u_gone', 'One right', 'Limits: None', 'just now', 'Never'])
    assert.match(newest, words);
  for (const words of [
    'Claude',
    'claude.example',
    'Live',
    'Sue',
    '2 rights',
    'See the workspace: its plan, limits, usage and members.',
    'See which API keys exist. Never their secrets.',
    'Limits: 20 messages per hour',
    '3 h ago',
    'End access',
  ])
    assert.match(oldest, words);
  assert.match((await bench.page('/search?q=Cla')).text, /href="[^"]*connected-apps[^"]*"[^>]*>.*Claude/);
});

test('the access of an app ends after a question that names the app and its member, and other apps keep their access', async ({
  bench,
}) => {
  const kept = await connectApp(bench, 'Kept');
  const ended = await connectApp(bench, 'Ended', { member: 'u_ada' });
  const { text } = await bench.page('/connected-apps');
  assert.match(text, 'The app “<bdi>Ended</bdi>” stops acting for <bdi>Ada &lt;b&gt;</bdi> (Live) at its next call.');
  const form = { action: 'end', key: 'k1', grantId: ended };
  const done = await bench.post('/connected-apps', form);
  assert.is(done.status, 303);
  assert.match((await bench.page('/connected-apps?done=end')).text, 'The access has ended.');
  assert.equal(await idsOf(bench), [kept]);
  const again = await bench.post('/connected-apps', { ...form, key: 'k2' });
  assert.is(again.status, 422);
  assert.match(again.text, 'Nothing was changed.');
  const { data } = await bench.calls.audit.list({ action: 'oauth.grant.revoke' });
  assert.equal(
    data.map(({ target, actor }) => [target?.id, actor.kind]),
    [[ended, 'dashboard']],
  );
});

test('apps of another workspace are not shown, and their access cannot be ended', async ({ bench }) => {
  const foreign = await connectApp(bench, 'Foreign', { workspaceId: bench.foreignWorkspaceId });
  const { text } = await bench.page('/connected-apps');
  assert.not.match(text, 'Foreign');
  assert.not.match((await bench.page('/search?q=Foreign')).text, 'foreign.example');
  const answers = await Promise.all(
    [foreign, 'grt_01KQ1ZJ5T8V6W3X9Y2A4B7C8D9'].map(async (grantId) => {
      const answer = await bench.post('/connected-apps', { action: 'end', key: grantId, grantId });
      return [answer.status, answer.text.replaceAll(grantId, '').replace(/value="[^"]*"|req_\w+/g, '')];
    }),
  );
  assert.equal(answers[0], answers[1], 'the answer is the same as for a missing app');
  const other = bench.service.as(bench.foreignWorkspaceId);
  assert.is((await other.oauth.grants()).data.length, 1);
});

test('the sandbox side shows the live apps, too, but can end only the access of its own apps', async ({ bench }) => {
  const live = await connectApp(bench, 'Alive');
  const sandbox = await connectApp(bench, 'Tried', { sandbox: true });
  const { text } = await bench.page('/connected-apps?side=sandbox');
  assert.match(text, 'Change to live to end it');
  assert.not.match(text, `value="${live}"`);
  const refused = await bench.post('/connected-apps?side=sandbox', { action: 'end', key: 'k1', grantId: live });
  assert.is(refused.status, 422);
  await bench.post('/connected-apps?side=sandbox', { action: 'end', key: 'k2', grantId: sandbox });
  assert.equal(await idsOf(bench), [live]);
});

test('a person who may only read sees a link to their own apps instead of a button; a person who may not read gets no page', async ({
  bench,
}) => {
  const grantId = await connectApp(bench, 'Claude', { member: 'u_ada' });
  bench.signIn.present = bench.member(['keys:read']);
  const { text } = await bench.page('/connected-apps');
  assert.match(text, 'Claude');
  assert.not.match(text, 'End the access');
  assert.match(text, /You can end <a href="[^"]*\/connected-apps">your own connected apps<\/a>/);
  assert.is((await bench.post('/connected-apps', { action: 'end', key: 'k', grantId })).status, 422);
  bench.signIn.present = bench.member(['contacts:read']);
  const other = await bench.page('/contacts');
  assert.match(other.text, 'Your connected apps');
  assert.is((await bench.page('/connected-apps')).status, 403);
  assert.is((await bench.post('/connected-apps', { action: 'end', key: 'k', grantId })).status, 403);
  assert.equal(await idsOf(bench), [grantId]);
});

test('the access of an app to a suspended workspace can be ended', async ({ bench }) => {
  const grantId = await connectApp(bench, 'Claude');
  await bench.service.workspaces.suspend(bench.workspaceId);
  assert.match((await bench.page('/connected-apps')).text, 'Claude');
  assert.is((await bench.post('/connected-apps', { action: 'end', key: 'k', grantId })).status, 303);
  assert.equal(await idsOf(bench), []);
});

test('the earlier address redirects to the console, but shows people who may not end every access their own apps', async ({
  bench,
}) => {
  assert.match((await bench.movedTo('/connected-apps')) ?? '', `${bench.workspaceId}/connected-apps?side=live`);
  assert.match((await bench.movedTo('/connected-apps?side=sandbox')) ?? '', 'connected-apps?side=sandbox');
  await connectApp(bench, 'Claude');
  const ask = pageRequester(bench.service, '');
  bench.signIn.present = bench.member(['keys:read']);
  const ownApps = await ask('/connected-apps', browserHeaders);
  assert.is(ownApps.status, 200);
  assert.match(ownApps.text, 'Programs that act for <span dir="auto">Sue</span>');
  assert.match(ownApps.text, 'Claude');
  const full = bench.member();
  const other = { id: bench.foreignWorkspaceId, scopes: ['contacts:read'] } as const;
  bench.signIn.present = { ...full, workspaces: [...full.workspaces, other] };
  assert.is((await ask('/connected-apps', browserHeaders)).status, 200);
  const posted = await ask('/connected-apps', formHeaders, 'POST', 'grant=x');
  assert.is(posted.status, 403);
});

test('names that look like HTML are shown as text', async ({ bench }) => {
  const evil = '"><script>alert(1)</script>';
  await connectApp(bench, evil, {
    client: { id: evil, name: evil, host: evil },
    member: evil,
    scopes: [evil, 'keys:read'],
  });
  const { text } = await bench.page('/connected-apps');
  assert.is(text.match(/<script/g)?.length, 1);
  assert.match(text, '&quot;&gt;&lt;script&gt;');
});

test.run();
