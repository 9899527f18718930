// Hostile requests from reports about other authorisation servers. Each request either changes nothing or is refused.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { type OAuthBench, openOAuthBench, pkce } from '../support/oauth-bench.ts';

const callback = 'http://127.0.0.1:53111/callback';

await eachDatabase('hostile OAuth requests', (test, database) => {
  let bench: OAuthBench;
  test.before(async () => {
    bench = await openOAuthBench(database);
  });
  test.after(() => bench.close());
  test.before.each(() => bench.advanceClock(120_000));

  const authorize = (query: Readonly<Record<string, string | null>>) =>
    bench.fetch(bench.authorizeUrl(pkce().challenge, query));
  const form = (body: string, headers: Readonly<Record<string, string>> = {}, query = '') =>
    bench.fetch(`/oauth/token${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body,
    });
  const register = (metadata: object) =>
    bench.fetch('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    });

  // https://github.com/keycloak/keycloak/issues/47718, /49109, /48978, /33115, /9450
  test('a redirect URI that only a URL parser could confuse with the registered URI is refused without a redirect', async () => {
    const spellings = [
      ...['http://127.0.0.1:53111/x/../callback', 'http://127.0.0.1:53111/./callback', `${callback}/..;/callback`],
      ...['http://2130706433:53111/callback', 'http://127.1:53111/callback', 'http://0x7f.1/callback'],
      ...['http://127.0.0.1.:53111/callback', 'http://127.0.0.1:53111\\@evil.example/callback', `${callback}%00`],
      ...['http://127.0.0.1@evil.example/callback', 'http://127.0.0.1:80@evil.example/callback', `${callback}?`],
      ...['http://a@b@127.0.0.1:53111/callback', 'http://127.0.0.1:99999/callback', `${callback}/`, `${callback}#`],
      ...['http://127.0.0.1:53111//callback', 'http://127.0.0.1:53111/%63allback', 'http://127.0.0.1:/%2e/callback'],
      ...['https://127.0.0.1:53111/callback', 'http://[::1]:53111/callback', 'http://127.0.0.1:53111/CALLBACK'],
      ...[
        `${callback}?code=stolen`,
        `${callback};jsessionid=1`,
        `${callback} `,
        `\t${callback}`,
        `${callback}%0d%0aX: y`,
      ],
    ];
    for (const redirect_uri of spellings) {
      bench.advanceClock(2_000);
      const { status, headers } = await authorize({ redirect_uri });
      assert.equal([status, headers.get('location')], [400, null], redirect_uri);
    }
  });

  // https://github.com/keycloak/keycloak/issues/50347
  test('schemes that run code are refused at the registration, in any case and with blanks', async () => {
    for (const uri of ['JaVaScRiPt:alert(1)', 'java\nscript:alert(1)', ' javascript:alert(1)', 'DATA:text/html,x'])
      assert.is((await register({ redirect_uris: [uri] })).body.error, 'invalid_redirect_uri', uri);
  });

  test('the answer goes into the query of the redirect, even if the request has another response_mode', async () => {
    for (const response_mode of ['fragment', 'form_post', 'web_message']) {
      const back = await bench.consent(bench.authorizeUrl(pkce().challenge, { response_mode }));
      assert.is(back.hash, '');
      assert.ok(back.searchParams.has('code') && back.searchParams.has('iss'));
    }
  });

  test('no parameter gives a code without consent', async () => {
    const skips = [{ prompt: 'none' }, { approval_prompt: 'auto' }, { max_age: '0' }, { id_token_hint: 'x' }];
    await bench.tokens();
    for (const skip of skips) {
      const { status, headers } = await authorize(skip);
      assert.is(status, 303);
      assert.not.match(headers.get('location') ?? '', /code=/);
    }
    for (const by of [{ request_uri: 'https://evil.example/r' }, { request: 'e30.e30.' }]) {
      const target = new URL((await authorize(by)).headers.get('location') ?? '');
      assert.is(target.searchParams.get('error'), 'request_not_supported');
    }
  });

  // https://github.com/highflame-ai/zeroid/issues/326
  test('names of parameters are compared exactly, and a repeated parameter is refused', async () => {
    assert.is((await authorize({ redirect_uri: null, REDIRECT_URI: callback })).status, 400);
    assert.is((await authorize({ client_id: null, Client_Id: bench.clientId })).status, 400);
    const { code, verifier } = await bench.code();
    const fields = { grant_type: 'authorization_code', client_id: bench.clientId, code_verifier: verifier };
    const upper = new URLSearchParams({ ...fields, CODE: code });
    assert.is((await form(String(upper))).body.error, 'invalid_request');
    const repeated = `${new URLSearchParams({ ...fields, code })}&client_id=https%3A%2F%2Fevil.example%2Fc.json`;
    assert.is((await form(repeated)).body.error, 'invalid_request');
    assert.is((await form(String(new URLSearchParams({ ...fields, 'code[]': code })))).body.error, 'invalid_request');
    assert.is((await bench.exchange(code, verifier)).status, 200);
  });

  test('the token endpoint reads only a form in the body, not the URL and not JSON', async () => {
    const { code, verifier } = await bench.code();
    const fields = { grant_type: 'authorization_code', client_id: bench.clientId, code, code_verifier: verifier };
    const query = `?${new URLSearchParams(fields)}`;
    assert.is((await form('', {}, query)).status, 400);
    assert.ok([404, 405].includes((await bench.fetch(`/oauth/token${query}`)).status));
    const jsonAnswer = await form(JSON.stringify(fields), { 'content-type': 'application/json' });
    assert.ok(jsonAnswer.status >= 400 && jsonAnswer.status < 500, String(jsonAnswer.status));
    const answer = await bench.exchange(code, verifier);
    assert.equal([answer.status, answer.headers.get('cache-control')], [200, 'no-store']);
  });

  // https://github.com/Bike4Mind/bike4mind/pull/2661
  test('a verifier that is too short, too long or has other characters is refused, even if its hash matches', async () => {
    for (const verifier of ['a', 'x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(43)} `, `${'x'.repeat(43)}\u0000`]) {
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      const back = await bench.consent(bench.authorizeUrl(challenge));
      const { body } = await bench.exchange(back.searchParams.get('code') ?? '', verifier);
      assert.is(body.error, 'invalid_grant', JSON.stringify(verifier));
    }
    const { challenge } = pkce();
    const same = await bench.consent(bench.authorizeUrl(challenge));
    const { body } = await bench.exchange(same.searchParams.get('code') ?? '', challenge);
    assert.is(body.error, 'invalid_grant', 'the challenge was accepted as a verifier');
  });

  test('no secret is accepted in place of another kind of secret', async () => {
    const { access_token: access, refresh_token: refresh } = await bench.tokens();
    const { code, verifier } = await bench.code();
    for (const token of [refresh, code, access.toUpperCase(), `${access}=`, `${access} x`, access.slice(0, -1)])
      assert.is((await bench.call(token)).status, 401);
    for (const token of [access, code]) assert.is((await bench.refresh(token)).body.error, 'invalid_grant');
    for (const token of [access, refresh])
      assert.is((await bench.exchange(token, verifier)).body.error, 'invalid_grant');
    assert.is((await bench.call(access)).status, 200);
  });

  test('a refresh token of another client is refused, and so is its revocation; the grant of the token stays valid', async () => {
    const { access_token: access, refresh_token: refresh } = await bench.tokens();
    const client_id = 'https://evil.example/client.json';
    assert.is((await bench.refresh(refresh, { client_id })).body.error, 'invalid_grant');
    assert.is((await bench.post('/oauth/revoke', { token: refresh, client_id })).body.error, 'invalid_client');
    assert.is((await bench.call(access)).status, 200);
    assert.is((await bench.refresh(refresh)).status, 200);
  });

  test('a token is read only from a single Authorization header', async () => {
    const { access_token: token } = await bench.tokens();
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const call = (path: string, headers: Readonly<Record<string, string>>, body = message) =>
      bench.fetch(path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
    assert.is((await call(`/v1/mcp?access_token=${token}`, {})).status, 401);
    assert.is((await call('/v1/mcp', { cookie: `access_token=${token}` })).status, 401);
    assert.is((await call('/v1/mcp', { authorization: `Basic ${btoa(`${token}:`)}` })).status, 401);
    assert.is((await call('/v1/mcp', { authorization: `Bearer ${token}, Bearer ${token}` })).status, 401);
    assert.is((await call('/v1/mcp', { authorization: `Bearer ${token}` })).status, 200);
  });

  test('headers that name a host change neither the metadata nor the issuer', async () => {
    const forgedHeaders = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      forwarded: 'host=evil.example',
    };
    for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource']) {
      const { body } = await bench.fetch(path, { headers: forgedHeaders });
      assert.not.match(JSON.stringify(body), /evil/);
    }
    const { headers } = await bench.fetch('/v1/mcp', { method: 'POST', headers: forgedHeaders, body: '{}' });
    assert.not.match(headers.get('www-authenticate') ?? '', /evil/);
  });

  test('the name of a client is shown as plain text, and half a character in it breaks nothing', async () => {
    const names = ['<img src=x onerror=alert(1)>', '"><script>1</script>', '\ud800Desk', 'a\u0000b', '🦊'.repeat(200)];
    for (const client_name of names) {
      bench.advanceClock(3_600_000);
      const { status, body } = await register({ client_name, redirect_uris: [callback] });
      assert.is(status, 201, JSON.stringify(body));
      const { verifier, challenge } = pkce();
      const url = bench.authorizeUrl(challenge, { client_id: body.client_id });
      const first = await bench.fetch(url);
      const cookie = first.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
      const page = await bench.fetch(new URL(first.headers.get('location') ?? '', url).href, { headers: { cookie } });
      assert.not.match(String(page.body), /<img src=x|<script>1/);
      const code = (await bench.consent(url)).searchParams.get('code') ?? '';
      const tokens = await bench.exchange(code, verifier, { client_id: body.client_id });
      assert.is(tokens.status, 200, `${JSON.stringify(client_name)}: ${JSON.stringify(tokens.body)}`);
      assert.is((await bench.call(tokens.body.access_token)).status, 200);
    }
  });

  test('metadata of a registration with faulty or unexpected values is refused or ignored', async () => {
    bench.advanceClock(3_600_000);
    const refusedMetadata = [
      { redirect_uris: 'https://a.example/cb' },
      { redirect_uris: [['https://a.example/cb']] },
      { redirect_uris: { 0: callback, length: 1 } },
      { redirect_uris: Array.from({ length: 21 }, (_, index) => `https://a.example/${index}`) },
      { redirect_uris: [callback], client_name: { toString: 'x' } },
    ];
    for (const metadata of refusedMetadata) assert.is((await register(metadata)).status, 400, JSON.stringify(metadata));
    const extraFields = {
      client_id: 'cli_00000000000000000000000000',
      used: 1,
      client_secret: 'x',
      scope: 'keys:manage',
    };
    const { status, body } = await register({ redirect_uris: [callback], ...extraFields });
    assert.is(status, 201);
    assert.is.not(body.client_id, extraFields.client_id);
    assert.equal([body.client_secret, body.scope, body.token_endpoint_auth_method], [undefined, undefined, 'none']);
  });

  test('a metadata document is refused if it is compressed, redirects, or names its id twice', async () => {
    const validDocument = bench.document;
    const expectRefusal = async (document: Partial<OAuthBench['document']>) => {
      bench.document = { ...validDocument, ...document };
      bench.advanceClock(60_000);
      const { status, headers } = await authorize({});
      assert.equal([status, headers.get('location')], [400, null], JSON.stringify(document).slice(0, 80));
    };
    await expectRefusal({
      body: gzipSync('x'.repeat(1_000_000)).toString('latin1'),
      headers: { 'content-encoding': 'gzip' },
    });
    await expectRefusal({ status: 302, headers: { location: `${bench.url}/x.json` } });
    await expectRefusal({ status: 206 });
    await expectRefusal({
      body: validDocument.body.replace('{', '{"client_id":"x",').replace('}', ',"client_id":"https://evil.example/"}'),
    });
    await expectRefusal({ body: `[${validDocument.body}]` });
    await expectRefusal({ body: validDocument.body.replace(bench.redirectUri, 'https://a.example/#') });
    bench.document = validDocument;
    bench.advanceClock(60_000);
    assert.is((await authorize({})).status, 303);
  });
});
