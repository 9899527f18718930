// The example with better-auth as the authorisation server: an agent finds the server from the refusal of the MCP endpoint, registers
// there, and calls tools with its token. The person’s browser is simulated by a cookie jar.
// full-run: slow
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createIssuerProgram } from '../../examples/oauth-better-auth/issuer.ts';
import type { ParsedJson } from '../../hosts/testing/test-service.ts';
import { createBrowser } from '../support/cookie-browser.ts';
import { freePort } from '../support/free-port.ts';
import { pkce } from '../support/oauth-bench.ts';
import { codeBlocks } from './documents.ts';

const test = suite('the example with better-auth as issuer');

const ada = { name: 'Ada', email: 'ada@example.com', password: 'tea and maps' };
const redirectUri = 'http://127.0.0.1:53111/callback';
const jsonOf = async (sent: Promise<Response>): Promise<ParsedJson> => {
  const response = await sent;
  assert.ok(response.ok, `${response.url} responds ${response.status}`);
  return response.json() as Promise<ParsedJson>;
};

test('an agent registers at better-auth, a person allows it, and the MCP endpoint accepts its tokens only', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-issuer-'));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const secret = 'a secret for this test only, of 32 characters';
  const program = await createIssuerProgram({ filename: join(folder, 'app.sqlite'), origin, secret });
  const server = program.app.listen(port, 'localhost');
  try {
    await program.addPerson(ada);
    const browser = createBrowser(origin);
    const ask = (token: string | undefined, method: string, params: object = {}) =>
      fetch(`${origin}/messaging/v1/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });

    // As clients do: from the refusal to the metadata of the resource, and from the metadata to its server.
    const refusal = await ask(undefined, 'tools/list');
    assert.is(refusal.status, 401);
    const [, metadataUrl = ''] =
      /resource_metadata="([^"]+)"/.exec(refusal.headers.get('www-authenticate') ?? '') ?? [];
    const { resource, authorization_servers, scopes_supported } = await jsonOf(fetch(metadataUrl));
    assert.equal(authorization_servers, [`${origin}/api/auth`]);
    const metadata = await jsonOf(fetch(`${origin}/.well-known/oauth-authorization-server/api/auth`));
    assert.is(metadata.issuer, `${origin}/api/auth`);
    const { client_id: clientId } = await jsonOf(
      fetch(metadata.registration_endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          client_name: '<Agent>',
          redirect_uris: [redirectUri],
          token_endpoint_auth_method: 'none',
          application_type: 'native',
        }),
      }),
    );

    const scope = [...scopes_supported, 'templates:send', 'offline_access'].join(' ');
    const authorizationUrl = (scopes: Readonly<Record<string, string>>, challenge: string) =>
      browser(
        `${metadata.authorization_endpoint}?${new URLSearchParams({
          response_type: 'code',
          client_id: clientId,
          redirect_uri: redirectUri,
          code_challenge: challenge,
          code_challenge_method: 'S256',
          state: 's',
          ...scopes,
        })}`,
      );
    const token = (fields: Readonly<Record<string, string>>) =>
      jsonOf(
        fetch(metadata.token_endpoint, {
          method: 'POST',
          body: new URLSearchParams({ client_id: clientId, ...fields }),
        }),
      );
    const filledForm = async (consent: string) => {
      const { body: page } = await browser(consent);
      const form = new URLSearchParams({ decision: 'allow' });
      for (const [, value = ''] of page.matchAll(/value="([^"]+)" checked/g)) form.append('scope', value);
      return { page, form };
    };
    const exchange = (callback: URL, verifier: string, more: Readonly<Record<string, string>>) => {
      assert.is(`${callback.origin}${callback.pathname}`, redirectUri);
      return token({
        grant_type: 'authorization_code',
        code: callback.searchParams.get('code') ?? '',
        code_verifier: verifier,
        redirect_uri: redirectUri,
        ...more,
      });
    };

    const { verifier, challenge } = pkce();
    const { location: signIn } = await authorizationUrl({ scope, resource }, challenge);
    assert.match(signIn, /\/sign-in\?/);
    assert.is((await browser(signIn, new URLSearchParams({ email: ada.email, password: 'wrong' }))).status, 401);
    const { location: consent } = await browser(signIn, new URLSearchParams(ada));
    assert.match(consent, /\/consent\?/);
    const { page, form } = await filledForm(consent);
    assert.match(page, '&#60;Agent&#62; wants to use Acme');
    assert.match(page, /value="workspace:read" checked/);
    assert.match(page, /value="templates:send">/, 'a permission with a risk is off by default');
    assert.is((await browser(consent.replace('scope=', 'scope=keys%3Amanage+'), form)).status, 403);
    const tokens = await exchange(new URL((await browser(consent, form)).location), verifier, { resource });
    assert.is(decodeProtectedHeader(tokens.access_token).typ, 'at+jwt');
    assert.is(decodeJwt(tokens.access_token).aud, `${origin}/messaging/v1/mcp`);

    const { result: list } = await jsonOf(ask(tokens.access_token, 'tools/list'));
    const names = list.tools.map(({ name }: { name: string }) => name);
    assert.ok(names.includes('read_workspace'), names.join());
    assert.not.ok(names.includes('send_transactional'), 'the person did not allow the agent to send');
    const readCall = { name: 'read_workspace', arguments: {} };
    const { result } = await jsonOf(ask(tokens.access_token, 'tools/call', readCall));
    assert.is(result.structuredContent.name, 'Acme');

    const renewedTokens = await token({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
    assert.is(
      (await ask(renewedTokens.access_token, 'tools/call', readCall)).status,
      200,
      'a renewed token has the same audience',
    );

    const second = pkce();
    const { location } = await authorizationUrl({ scope }, second.challenge);
    const { form: secondForm } = await filledForm(location);
    const opaque = await exchange(new URL((await browser(location, secondForm)).location), second.verifier, {});
    assert.is(
      (await ask(opaque.access_token, 'tools/list')).status,
      401,
      'a token request without a resource is refused',
    );
  } finally {
    server.close();
    server.closeAllConnections();
    await program.close();
    await rm(folder, { recursive: true });
  }
});

test('docs/oauth.md has the overrides that this repository installs', async () => {
  const [block = ''] = await codeBlocks('docs/oauth.md', 'json');
  const packageName = '@better-auth/oauth-provider';
  const { overrides } = JSON.parse(await readFile('package.json', 'utf8')) as { overrides: Record<string, object> };
  assert.equal(JSON.parse(block).overrides[packageName], overrides[packageName]);
});

test.run();
