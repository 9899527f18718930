// The example with better-auth: a person signs in to the program and allows an agent, which then calls tools. The person’s browser is
// simulated by a cookie jar.
// full-run: slow
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProgram } from '../../examples/oauth-better-auth/program.ts';
import { createBrowser } from '../support/cookie-browser.ts';
import { freePort } from '../support/free-port.ts';
import { pkce } from '../support/oauth-bench.ts';

const test = suite('the example with better-auth');

const ada = { name: 'Ada', email: 'ada@example.com', password: 'tea and maps' };

/** The form of the consent page with everything that is on, and the live side. */
function approvedForm(page: string): URLSearchParams {
  const form = new URLSearchParams({ decision: 'allow' });
  for (const [input] of page.matchAll(/<input[^>]*>/g)) {
    const [, name = ''] = /\bname="([^"]*)"/.exec(input) ?? [];
    const [, value = ''] = /\bvalue="([^"]*)"/.exec(input) ?? [];
    if (!/type="(checkbox|radio)"/.test(input) || / checked/.test(input)) form.append(name, value);
  }
  form.set('side', 'live');
  return form;
}

test('a person signs in with better-auth, allows an agent, and the agent acts for them until they end it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-better-auth-'));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const secret = 'a secret for this test only, of 32 characters';
  const program = await createProgram({ filename: join(folder, 'app.sqlite'), origin, secret });
  const server = program.app.listen(port, 'localhost');
  try {
    await program.addPerson(ada);
    const browser = createBrowser(origin);
    const redirectUri = 'http://127.0.0.1/callback';
    const metadata = (await (await fetch(`${origin}/.well-known/oauth-authorization-server/messaging`)).json()) as {
      registration_endpoint: string;
      token_endpoint: string;
      authorization_endpoint: string;
    };
    const registration = await fetch(metadata.registration_endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Agent', redirect_uris: [redirectUri] }),
    });
    const { client_id: clientId } = (await registration.json()) as { client_id: string };
    const { verifier, challenge } = pkce();
    const authorizationQuery = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state: 's',
    });

    const signedOut = await browser(`${metadata.authorization_endpoint}?${authorizationQuery}`);
    const signIn = signedOut.location;
    assert.ok(signIn.startsWith('/sign-in?return_to=%2Fmessaging%2Foauth%2Fauthorize'), signIn);
    assert.is((await browser(signIn, new URLSearchParams({ email: ada.email, password: 'wrong' }))).status, 401);
    const back = await browser(signIn, new URLSearchParams(ada));
    assert.is(back.status, 303);
    const open = await browser(back.location);
    const consent = new URL(open.location, metadata.authorization_endpoint).href;
    const { body: page } = await browser(consent);
    assert.match(page, /Agent<\/span> wants to use Postrider/);
    const callbackUrl = new URL((await browser(consent, approvedForm(page))).location);
    const tokens = await fetch(metadata.token_endpoint, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: clientId,
        code: callbackUrl.searchParams.get('code') ?? '',
        code_verifier: verifier,
        redirect_uri: redirectUri,
      }),
    });
    const { access_token: token } = (await tokens.json()) as { access_token: string };
    const call = async () =>
      fetch(`${origin}/messaging/v1/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'read_workspace', arguments: {} },
        }),
      });
    const answer = (await (await call()).json()) as { result: { structuredContent: { name: string } } };
    assert.is(answer.result.structuredContent.name, 'Acme');

    // A person who may end the access of every app is redirected to the page of the console.
    let path = '/messaging/connected-apps';
    let apps = await browser(path);
    for (let steps = 0; apps.location !== '' && steps < 4; steps += 1) {
      const url = new URL(apps.location, `${origin}${path}`);
      path = `${url.pathname}${url.search}`;
      apps = await browser(path);
    }
    assert.match(path, '/messaging/console/');
    assert.match(apps.body, '<span class="name" dir="auto">Agent</span>');
    const [form = ''] = /<form class="card" method="post">.*?<\/form>/s.exec(apps.body) ?? [];
    assert.is((await browser(path, approvedForm(form))).status, 303);
    assert.is((await call()).status, 401);
    await browser('/sign-out');
    assert.match((await browser('/messaging/connected-apps')).location, /^\/sign-in\?/);
  } finally {
    server.close();
    server.closeAllConnections();
    await program.close();
    await rm(folder, { recursive: true });
  }
});

test('the same people see the console after they signed in', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-better-auth-console-'));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const secret = 'a secret for this test only, of 32 characters';
  const program = await createProgram({ filename: join(folder, 'app.sqlite'), origin, secret });
  const server = program.app.listen(port, 'localhost');
  try {
    await program.addPerson(ada);
    const browser = createBrowser(origin);
    const { location: signIn } = await browser('/messaging/console');
    assert.is(signIn, '/sign-in?return_to=%2Fmessaging%2Fconsole');
    const { location: back } = await browser(signIn, new URLSearchParams(ada));
    assert.is(back, '/messaging/console');
    const first = new URL((await browser(back)).location, `${origin}${back}`);
    assert.match((await browser(first.pathname + first.search)).body, '<p dir="auto">Ada</p><a href="/sign-out">');
    await browser('/sign-out');
    assert.match((await browser('/messaging/console')).location, /^\/sign-in\?/);
  } finally {
    server.close();
    server.closeAllConnections();
    await program.close();
    await rm(folder, { recursive: true });
  }
});

test.run();
