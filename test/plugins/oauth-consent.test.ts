// The consent page, without a browser: its visitors, its contents, and each request and form that it refuses.
import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ConsentBench, type ConsentBenchOptions, openConsentBench } from '../support/consent-bench.ts';
import { bob, pkce } from '../support/oauth-bench.ts';

const test = suite<{ bench: ConsentBench }>('the consent page');

test.before(async (context) => {
  context.bench = await openConsentBench();
});
test.before.each(({ bench }) => {
  bench.signIn.present = bench.memberAccess('u_ada');
});
test.after(({ bench }) => bench.close());

async function withBench(options: ConsentBenchOptions, work: (bench: ConsentBench) => Promise<void>): Promise<void> {
  const bench = await openConsentBench(options);
  try {
    await work(bench);
  } finally {
    await bench.close();
  }
}

const location = ({ headers }: { readonly headers: Headers }): string => headers.get('location') ?? '';

test('a signed-in member sees the client, and the client gets a code for the allowed scopes', async ({ bench }) => {
  const open = await bench.begin();
  const { status, text } = await bench.show(open);
  assert.is(status, 200);
  assert.match(text, /<span dir="auto">Helper<\/span> wants to use Postrider/);
  assert.match(text, 'This program is unverified.');
  assert.match(text, 'The access goes to a program on your device.');
  assert.match(text, new URL(bench.redirectUri).host);
  assert.match(text, 'Ada Lovelace');
  const form = await bench.form(open);
  form.append('scope', 'suppressions:write');
  form.set('sendsPerHour', '5');
  const consent = await bench.send(open, form);
  assert.is(consent.status, 303, consent.text);
  const back = new URL(location(consent));
  assert.is(back.origin + back.pathname, bench.redirectUri);
  assert.is(back.searchParams.get('state'), 'st_1');
  assert.match(consent.headers.get('set-cookie') ?? '', /^postrider_consent=; .*Max-Age=0/);
  await bench.exchange(back.href, open.verifier);
  const [grant] = await bench.grants();
  assert.equal([grant.client.name, grant.member, grant.sandbox], ['Helper', 'u_ada', false]);
  assert.equal([...grant.scopes].sort(), ['brand:read', 'brand:write', 'suppressions:write', 'workspace:read']);
  assert.equal(grant.leash, { sendsPerHour: 5, recipientsPerDay: 100 });
});

test('risky scopes are listed separately with their risk, and are not checked', async ({ bench }) => {
  const { text } = await bench.show(await bench.begin());
  const [, risky = ''] = text.split('Risky: off until you allow it');
  for (const scope of ['suppressions:write', 'webhooks:manage']) {
    assert.match(risky, `value="${scope}">`);
    assert.not.match(text, `value="${scope}" checked`);
  }
  assert.match(risky, 'An address that it takes off the list gets mail again.');
  assert.match(text, 'value="brand:write" checked');
});

test('if a member refuses, the client gets access_denied and its state', async ({ bench }) => {
  const open = await bench.begin();
  const form = await bench.form(open);
  form.set('decision', 'deny');
  const back = new URL(location(await bench.send(open, form)));
  assert.equal([back.searchParams.get('error'), back.searchParams.get('state')], ['access_denied', 'st_1']);
  assert.is(back.searchParams.get('code'), null);
});

test('a member may choose another workspace and its sandbox', async ({ bench }) => {
  const both = [bench.workspaceId, bench.foreignWorkspaceId].map((id) => ({ id, scopes: 'full' as const }));
  bench.signIn.present = bench.memberAccess('u_ada', { workspaces: both });
  const open = await bench.begin();
  const { text } = await bench.show(open, `?workspace=${bench.foreignWorkspaceId}`);
  assert.match(text, `<option value="${bench.foreignWorkspaceId}" selected>Foreign</option>`);
  const form = await bench.form(open);
  form.set('workspace', bench.foreignWorkspaceId);
  form.set('side', 'sandbox');
  const consent = await bench.send(open, form);
  const { scope } = await bench.exchange(location(consent), open.verifier);
  assert.match(scope, 'brand:write');
  assert.not.ok(
    (await bench.grants()).some(({ sandbox }) => sandbox),
    'the grant is in the other workspace',
  );
});

test('only one side can be chosen in a workspace on the plan sandbox, and by a member of one side', async ({
  bench,
}) => {
  bench.signIn.present = bench.memberAccess('u_ada', {
    workspaces: [{ id: bench.workspaceId, scopes: 'full', sides: ['sandbox'] }],
  });
  const open = await bench.begin();
  const { text } = await bench.show(open);
  assert.match(text, /value="sandbox" required checked/);
  assert.not.match(text, 'value="live"');
  const form = await bench.form(open);
  form.set('side', 'live');
  assert.is((await bench.send(open, form)).status, 403);
});

test('a scope that the member lacks is not offered, and a form with this scope is refused', async ({ bench }) => {
  bench.signIn.present = bench.memberAccess('u_ada', { workspaces: [{ id: bench.workspaceId, scopes: 'read' }] });
  const open = await bench.begin();
  const { text } = await bench.show(open);
  assert.not.match(text, 'value="brand:write"');
  assert.match(text, 'It also asked for 3 rights that you do not have here');
  for (const scope of ['brand:write', 'keys:read', 'no:such']) {
    const form = await bench.form(open);
    form.append('scope', scope);
    const refusal = await bench.send(open, form);
    assert.is(refusal.status, 403, scope);
    assert.match(refusal.text, `You cannot allow ${scope}`);
  }
});

test('a workspace is refused if the member may not see it, or if its list of members lacks the member', async ({
  bench,
}) => {
  const open = await bench.begin();
  const form = await bench.form(open);
  form.set('workspace', bench.foreignWorkspaceId);
  assert.is((await bench.send(open, form)).status, 403);
  bench.signIn.present = bench.memberAccess('u_eve');
  const otherPage = await bench.begin();
  const refusal = await bench.send(otherPage, await bench.form(otherPage));
  assert.is(refusal.status, 403);
  assert.match(refusal.text, 'You are not a member of Under test');
  bench.signIn.present = bench.memberAccess('u_ada', { workspaces: [] });
  assert.is((await bench.show(await bench.begin())).status, 403);
});

test('a request of another member is refused', async ({ bench }) => {
  const open = await bench.begin();
  const form = await bench.form(open);
  bench.signIn.present = bench.memberAccess(bob.uid);
  for (const answer of [await bench.show(open), await bench.send(open, form)]) {
    assert.is(answer.status, 403);
    assert.match(answer.text, 'Somebody else started this request.');
  }
});

test('an altered, expired or missing cookie is refused', async ({ bench }) => {
  const open = await bench.begin();
  const [name = '', value = ''] = open.cookie.split('=');
  const [text = '', mac = ''] = value.split('.');
  const forgedCookie = Buffer.from('{"member":"u_ada"}').toString('base64url');
  for (const wrong of [
    '',
    `${text.slice(0, -4)}_-_-.${mac}`,
    `${text}.${mac.slice(0, -2)}`,
    `${forgedCookie}.${mac}`,
    text,
  ])
    assert.is((await bench.show({ cookie: `${name}=${wrong}` })).status, 400, wrong);
  assert.is((await bench.show({ cookie: 'other=1' })).status, 400);
  const form = await bench.form(open);
  bench.advanceClock(600_000);
  assert.match((await bench.show(open)).text, 'The request has expired');
  assert.is((await bench.send(open, form)).status, 400);
});

test('a form is refused if it comes from another site, lacks its token, or belongs to an older request', async ({
  bench,
}) => {
  const open = await bench.begin();
  const form = await bench.form(open);
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])
    assert.is((await bench.send(open, form, headers)).status, 403, JSON.stringify(headers));
  for (const token of ['', 'AAAA', `${form.get('form_token')}A`]) {
    const wrong = new URLSearchParams(form);
    wrong.set('form_token', token);
    assert.is((await bench.send(open, wrong)).status, 403, token);
  }
  const newer = await bench.begin();
  const refusal = await bench.send(newer, form);
  assert.is(refusal.status, 403);
  assert.match(refusal.text, 'which a newer one has replaced');
});

test('no other site can frame or read a page, and no page is cached', async ({ bench }) => {
  const open = await bench.begin();
  const consent = await bench.send(open, await bench.form(open));
  const pages = [
    await bench.show(await bench.begin()),
    await bench.show({ cookie: '' }),
    await bench.ask('/connected-apps'),
    await bench.ask('/oauth/authorize?client_id=none'),
    consent,
  ];
  for (const { headers } of pages) {
    assert.match(headers.get('content-security-policy') ?? '', "frame-ancestors 'none'");
    assert.is(headers.get('x-frame-options'), 'DENY');
    assert.is(headers.get('cache-control'), 'no-store');
    assert.is(headers.get('access-control-allow-origin'), null);
  }
  const framedHeaders = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
  assert.is((await bench.ask('/connected-apps', { headers: framedHeaders })).status, 403);
});

test('the cookie is SameSite, HttpOnly, and Secure if the service uses TLS', async ({ bench }) => {
  const { challenge } = pkce();
  const { headers } = await bench.ask(bench.authorizePath(challenge));
  assert.match(headers.get('set-cookie') ?? '', /; HttpOnly; SameSite=Lax; Max-Age=600$/);
  await withBench({ publicUrl: 'https://app.example/messaging' }, async (other) => {
    const answer = await other.ask(other.authorizePath(challenge));
    assert.match(answer.headers.get('set-cookie') ?? '', /; SameSite=Lax; Max-Age=600; Secure$/);
  });
});

test("the state is only returned as a parameter of the client's own redirect", async ({ bench }) => {
  for (const state of ['https://evil.example/', '&redirect_uri=https://evil.example', '"><script>']) {
    const open = await bench.begin({ state });
    const form = await bench.form(open);
    form.set('redirect_uri', 'https://evil.example/');
    form.set('return_to', 'https://evil.example/');
    const back = new URL(location(await bench.send(open, form)));
    assert.is(back.origin + back.pathname, bench.redirectUri);
    assert.is(back.searchParams.get('state'), state);
  }
});

test('without a sign-in page, the page asks a signed-out visitor to sign in, and a redirect does not lose their form', async ({
  bench,
}) => {
  const open = await bench.begin();
  const form = await bench.form(open);
  bench.signIn.present = null;
  assert.is((await bench.ask('/connected-apps')).status, 401);
  bench.signIn.present = { signInUrl: '/sign-in' };
  const lateAnswer = await bench.send(open, form);
  assert.is(lateAnswer.status, 401);
  assert.match(lateAnswer.text, 'go back and send the form again');
  await withBench({ hasAccess: false }, async (other) => {
    const { status, text } = await other.ask('/connected-apps');
    assert.is(status, 401);
    assert.match(text, 'set the option access');
  });
});

test("errors are shown beside their fields, and the member's choices are kept", async ({ bench }) => {
  const open = await bench.begin();
  const form = await bench.form(open);
  form.delete('side');
  form.delete('scope');
  form.set('sendsPerHour', '-1');
  form.set('recipientDomains', 'example.com, nonsense');
  form.set('tools', 'no_such_tool');
  form.set('expiresIn', '400');
  const { status, text } = await bench.send(open, form);
  assert.is(status, 422);
  for (const words of [
    'Choose live or sandbox.',
    'Allow at least one thing',
    'Enter a whole number',
    'nonsense is not a domain.',
    'no_such_tool is not a tool of this service.',
    'Choose one of the times.',
    'value="example.com, nonsense"',
  ])
    assert.match(text, words);
  assert.match(text, /<details open>/);
  assert.not.match(text, 'value="brand:read" checked');
});

test('the chosen leash cannot exceed the ceiling of the program', async () => {
  const ceiling = {
    sendsPerHour: 10,
    recipientDomains: ['example.com', 'example.org'],
    tools: ['read_workspace', 'read_brand'],
    expiresAt: '2026-03-01T00:00:00.000Z',
    holdAbove: { recipients: 50 },
  };
  await withBench({ ceiling }, async (bench) => {
    const open = await bench.begin();
    const form = await bench.form(open);
    assert.equal([form.get('sendsPerHour'), form.get('holdAbove')], ['10', '50']);
    for (const [name, value] of [
      ['sendsPerHour', '11'],
      ['holdAbove', '51'],
      ['recipientDomains', 'example.net'],
      ['tools', 'list_brands'],
    ] as const) {
      const wrong = new URLSearchParams(form);
      wrong.set(name, value);
      const { status, text } = await bench.send(open, wrong);
      assert.is(status, 422, name);
      assert.match(text, / (is not )?possible here\./);
    }
    // An empty field gets the ceiling, and the end is never later than the ceiling.
    for (const name of ['sendsPerHour', 'holdAbove', 'recipientDomains']) form.set(name, '');
    form.set('tools', 'read_brand');
    form.set('expiresIn', '90');
    await bench.exchange(location(await bench.send(open, form)), open.verifier);
    const [grant] = await bench.grants();
    assert.equal(grant.leash, { ...ceiling, tools: ['read_brand'], recipientsPerDay: 100 });
  });
  // The ceiling is stored in its canonical form.
  const spelt = { recipientDomains: ['EXAMPLE.com'], expiresAt: '2027-01-01T01:00:00+01:00' };
  await withBench({ ceiling: spelt }, async (bench) => {
    const open = await bench.begin();
    await bench.exchange(location(await bench.send(open, await bench.form(open))), open.verifier);
    const [grant] = await bench.grants();
    const { recipientDomains, expiresAt } = grant.leash;
    assert.equal([recipientDomains, expiresAt], [['example.com'], '2027-01-01T00:00:00.000Z']);
  });
  await withBench({ ceiling: {} }, async () => undefined);
  try {
    await openConsentBench({ ceiling: JSON.parse('{"sendsPerDay":1}') as { readonly sendsPerHour?: number } });
    assert.unreachable();
  } catch (error) {
    assert.match(String(error), 'consent.ceiling is not valid');
  }
});

test('a request that is too long for a cookie is refused', async ({ bench }) => {
  const long = randomBytes(4_000).toString('base64url');
  await withBench({ change: (asked) => ({ ...asked, redirectUri: `${asked.redirectUri}?${long}` }) }, async (other) => {
    const { status, text } = await other.ask(other.authorizePath(pkce().challenge));
    assert.is(status, 400);
    assert.match(text, 'too long');
  });
  const state = randomBytes(750).toString('base64url');
  assert.is((await bench.show(await bench.begin({ state }))).status, 200);
});

test('the page shows the host and the logo of a verified client, and the host of the redirect if it is another host', async () => {
  const change: ConsentBenchOptions['change'] = (asked) => ({
    ...asked,
    client: {
      ...asked.client,
      name: 'Helper <b>Inc.</b>',
      host: 'helper.example',
      verified: true,
      logoUri: 'https://helper.example/logo.png',
    },
    redirectKind: 'https',
    redirectHost: 'elsewhere.example',
  });
  await withBench({ change }, async (bench) => {
    const { text, headers } = await bench.show(await bench.begin());
    assert.match(text, 'Helper &lt;b&gt;Inc.&lt;/b&gt;');
    assert.match(text, '<strong dir="auto">helper.example</strong>');
    assert.not.match(text, 'This program is unverified.');
    assert.match(text, 'helper.example describes the program, and elsewhere.example receives the access.');
    assert.match(text, 'src="https://helper.example/logo.png" alt="" referrerpolicy="no-referrer"');
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, 'img-src data: https://helper.example');
    assert.match(policy, "form-action 'self' https:;");
  });
});

test('the page warns of an app with a private scheme', async () => {
  const change: ConsentBenchOptions['change'] = (asked) => ({
    ...asked,
    redirectUri: 'com.example.helper:/callback',
    redirectKind: 'private',
    redirectHost: 'com.example.helper:',
  });
  await withBench({ change }, async (bench) => {
    const { text, headers } = await bench.show(await bench.begin());
    assert.match(text, /Any app that opens <code>com\.example\.helper:<\/code> links could pose as/);
    assert.match(headers.get('content-security-policy') ?? '', "form-action 'self' com.example.helper:;");
  });
});

test.run();
