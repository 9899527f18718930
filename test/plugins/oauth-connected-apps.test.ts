// The page of connected apps, without a browser: a member sees and ends their own grants.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { createGrant } from '../../plugins/oauth/grants/create-grant.ts';
import { type ConsentBench, openConsentBench } from '../support/consent-bench.ts';
import { ada, bob } from '../support/oauth-bench.ts';

const test = suite<{ bench: ConsentBench }>('the page of connected apps');

test.before.each(async (context) => {
  context.bench = await openConsentBench();
});
test.after.each(({ bench }) => bench.close());

/** Lets the client get a grant, and returns its tokens. */
async function connect(bench: ConsentBench): Promise<{ readonly access_token: string }> {
  const open = await bench.begin();
  const consent = await bench.send(open, await bench.form(open));
  return bench.exchange(consent.headers.get('location') ?? '', open.verifier);
}

/** The form that ends the first connection on the page. */
async function endForm(bench: ConsentBench): Promise<URLSearchParams> {
  const { text } = await bench.ask('/connected-apps');
  const fields = [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].slice(0, 3);
  return new URLSearchParams(fields.map(([, name = '', value = '']): [string, string] => [name, value]));
}

const send = (bench: ConsentBench, form: URLSearchParams, headers: Readonly<Record<string, string>> = {}) =>
  bench.ask('/connected-apps', { method: 'POST', headers, body: form });

const callStatus = async (bench: ConsentBench, token: string): Promise<number> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  return (await bench.ask('/v1/mcp', { method: 'POST', headers, body })).status;
};

test('a member sees their clients with workspace, side, rights, limits and last use, and can end a grant', async ({
  bench,
}) => {
  assert.match((await bench.ask('/connected-apps')).text, 'No program acts for you.');
  const { access_token } = await connect(bench);
  assert.is(await callStatus(bench, access_token), 200);
  const { text } = await bench.ask('/connected-apps');
  for (const words of [
    '<h2 dir="auto">Helper</h2>',
    'Unverified',
    'Under test',
    'Live',
    '20 messages per hour; 100 recipients per day',
    'See the workspace: its plan, limits, usage and members.',
  ])
    assert.match(text, words);
  const ended = await send(bench, await endForm(bench), { origin: new URL(bench.url).origin });
  assert.is(ended.status, 303);
  assert.is(ended.headers.get('location'), '?ended');
  assert.is(await callStatus(bench, access_token), 401);
  assert.match((await bench.ask('/connected-apps?ended')).text, 'The access has ended.');
  assert.equal(await bench.grants(), []);
  const { body } = await bench.request('/v1/audit?action=oauth.grant.revoke');
  assert.is(body.data[0].metadata.reason, 'member');
});

test('a member can neither see nor end grants of other members, or grants in workspaces that they may not see', async ({
  bench,
}) => {
  const { access_token } = await connect(bench);
  const form = await endForm(bench);
  bench.signIn.present = bench.memberAccess(bob.uid);
  assert.match((await bench.ask('/connected-apps')).text, 'No program acts for you.');
  assert.is((await send(bench, form)).status, 403, 'the token belongs to another member');
  bench.signIn.present = bench.memberAccess('u_ada', {
    workspaces: [{ id: bench.foreignWorkspaceId, scopes: 'full' }],
  });
  assert.match((await bench.ask('/connected-apps')).text, 'No program acts for you.');
  assert.is((await send(bench, form)).status, 404);
  form.set('workspace', bench.foreignWorkspaceId);
  assert.is((await send(bench, form)).status, 303, 'the other workspace has no such grant');
  assert.is(await callStatus(bench, access_token), 200);
});

test('grants of suspended workspaces can be seen and ended, and no grant is hidden if there are many workspaces or grants', async ({
  bench,
}) => {
  const { core, workspaces } = bench.service;
  const suspended = await workspaces.create({ name: 'Closed', defaultFrom: { email: 'a@b.example', name: '' } });
  const allow = async (workspaceId: string, name: string) =>
    inWorkspace(core, await readWorkspace(core, workspaceId), (ctx) =>
      createGrant(ctx, {
        client: { id: `https://${name}.example/client.json`, name, host: `${name}.example` },
        member: ada.uid,
        memberAddress: null,
        sandbox: false,
        scopes: ['workspace:read'],
        leash: undefined,
        resource: `${bench.url}/v1/mcp`,
        source: null,
        expiresAt: ctx.now + 86_400_000,
      }),
    );
  await allow(suspended.id, 'oldest');
  await workspaces.suspend(suspended.id);
  bench.advanceClock(1_000);
  for (let count = 0; count < 110; count += 1) await allow(bench.workspaceId, `client${count}`);
  const otherWorkspaces = Array.from({ length: 2_500 }, (_, index) => `ws_${String(index).padStart(26, '0')}`);
  bench.signIn.present = bench.memberAccess(ada.uid, {
    workspaces: [...otherWorkspaces, bench.workspaceId, suspended.id].map((id) => ({ id, scopes: 'full' as const })),
  });
  const first = (await bench.ask('/connected-apps')).text;
  const names = (text: string) => [...text.matchAll(/<h2 dir="auto">(\w+)<\/h2>/g)].map(([, name]) => name);
  assert.is(names(first).length, 100);
  const [, older = ''] = /<a href="(\?after=[^"]+)">Older<\/a>/.exec(first) ?? [];
  const second = (await bench.ask(`/connected-apps${older}`)).text;
  assert.is(names(second).length, 11);
  assert.is(new Set([...names(first), ...names(second)]).size, 111);
  assert.is(names(second).at(-1), 'oldest');
  assert.match(second, 'Suspended');
  assert.not.match(second, 'Older');
  const fields = [...second.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].slice(-3);
  const form = new URLSearchParams(fields.map(([, name = '', value = '']): [string, string] => [name, value]));
  assert.is((await send(bench, form)).status, 303);
  assert.is(names((await bench.ask(`/connected-apps${older}`)).text).at(-1), 'client0');
  for (const wrong of ['?after=', '?after=1', "?after=1-grt_'", `?after=${'9'.repeat(40)}-x`])
    assert.is(names((await bench.ask(`/connected-apps${wrong}`)).text).length, 100, wrong);
});

test('a form from another site, or without its token, ends no grant', async ({ bench }) => {
  const { access_token } = await connect(bench);
  const form = await endForm(bench);
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
    assert.is((await send(bench, form, headers)).status, 403);
  form.set('form_token', 'AAAA');
  assert.is((await send(bench, form)).status, 403);
  assert.is(await callStatus(bench, access_token), 200);
});

test.run();
