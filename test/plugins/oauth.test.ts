// The authorisation server for the MCP endpoint: the whole flow and its refusals, over real HTTP, below a mount.
import * as assert from 'uvu/assert';
import { approvalsPlugin } from '../../plugins/approvals/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { ada, bob, type OAuthBench, type OAuthHttpResponse, openOAuthBench, pkce } from '../support/oauth-bench.ts';

const hour = 3_600_000;
const day = 24 * hour;

await twoDatabases('OAuth', (test, database) => {
  let bench: OAuthBench;
  test.before(async () => {
    bench = await openOAuthBench(database);
  });
  test.after(() => bench.close());

  const expectError = ({ status, body }: OAuthHttpResponse, error: string, wanted = 400) => {
    assert.is(body.error, error, JSON.stringify(body));
    assert.is(status, wanted);
    assert.type(body.error_description, 'string');
  };

  test('a client without a token gets the address of the metadata and the scopes to request', async () => {
    const { status, headers } = await bench.call(undefined);
    assert.is(status, 401);
    const challenge = headers.get('www-authenticate') ?? '';
    const metadata = `${bench.url}/.well-known/oauth-protected-resource/v1/mcp`;
    assert.ok(challenge.includes(`resource_metadata="${metadata}"`), challenge);
    const [, scope = ''] = /scope="([^"]*)"/.exec(challenge) ?? [];
    assert.equal(scope.split(' '), bench.service.core.registry.scopes.preset('read'));
    assert.not.ok(challenge.includes('error='), 'a request without a token has made no error');
  });

  test('the metadata of the resource is served below the mount, with and without the path of the endpoint', async () => {
    for (const path of ['', '/v1/mcp']) {
      const { status, body } = await bench.fetch(`/.well-known/oauth-protected-resource${path}`);
      assert.is(status, 200);
      assert.is(body.resource, `${bench.url}/v1/mcp`);
      assert.equal(body.authorization_servers, [bench.url]);
    }
  });

  test('the metadata of the server names endpoints below the mount, PKCE, documents and iss', async () => {
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      const { status, headers, body } = await bench.fetch(`/.well-known/${name}`);
      assert.is(status, 200);
      assert.is(headers.get('access-control-allow-origin'), '*');
      assert.is(body.issuer, bench.url);
      for (const field of ['authorization', 'token', 'revocation', 'registration'])
        assert.ok(body[`${field}_endpoint`].startsWith(`${bench.url}/oauth/`), field);
      assert.equal(body.code_challenge_methods_supported, ['S256']);
      assert.is(body.client_id_metadata_document_supported, true);
      assert.is(body.authorization_response_iss_parameter_supported, true);
    }
  });

  test('a member allows a client by its metadata document, and the client calls tools', async () => {
    const { verifier, challenge } = pkce();
    const back = await bench.consent(bench.authorizeUrl(challenge));
    assert.is(
      back.origin + back.pathname,
      'http://127.0.0.1:53111/callback',
      'the port of a loopback address may differ',
    );
    assert.is(back.searchParams.get('state'), 'st_1');
    assert.is(back.searchParams.get('iss'), bench.url);
    const { status, headers, body } = await bench.exchange(back.searchParams.get('code') ?? '', verifier);
    assert.is(status, 200, JSON.stringify(body));
    assert.is(headers.get('cache-control'), 'no-store');
    assert.is(body.token_type, 'Bearer');
    assert.is(body.expires_in, 900);
    const answer = await bench.call(body.access_token);
    assert.is(answer.status, 200, JSON.stringify(answer.body));
    assert.is(answer.body.result.structuredContent.id, bench.workspaceId);
  });

  test('if a member refuses, the client gets an error', async () => {
    const back = await bench.consent(bench.authorizeUrl(pkce().challenge), { decision: 'deny' });
    assert.is(back.searchParams.get('error'), 'access_denied');
    assert.is(back.searchParams.get('state'), 'st_1');
    assert.is(back.searchParams.get('iss'), bench.url);
  });

  test('a client without a document can register as a public client', async () => {
    const redirectUri = 'https://app.example.com/callback';
    const { status, body } = await bench.fetch('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'Desk',
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_basic',
      }),
    });
    assert.is(status, 201, JSON.stringify(body));
    assert.is(body.token_endpoint_auth_method, 'none');
    assert.is(body.client_secret, undefined);
    const of = { client_id: body.client_id, redirect_uri: redirectUri };
    const { code, verifier } = await bench.code(of);
    const tokens = await bench.exchange(code, verifier, of);
    assert.is(tokens.status, 200, JSON.stringify(tokens.body));
    const { body: keys } = await bench.request('/v1/keys');
    assert.equal(keys.data[0].client, { id: body.client_id, name: 'Desk', host: null });
  });

  test('the resource may end with a slash, and any other resource is refused', async () => {
    const codeWithSlash = await bench.code({ resource: `${bench.url}/v1/mcp/` });
    const { status, body } = await bench.exchange(codeWithSlash.code, codeWithSlash.verifier, {
      resource: `${bench.url}/v1/mcp`,
    });
    assert.is(status, 200);
    const refreshed = await bench.refresh(body.refresh_token, { resource: `${bench.url}/v1/mcp/` });
    assert.is(refreshed.status, 200, 'the new token has the same resource');
    assert.is((await bench.call(refreshed.body.access_token)).status, 200);
    expectError(
      await bench.refresh(refreshed.body.refresh_token, { resource: 'https://other.example/mcp' }),
      'invalid_target',
    );
    const bare = await bench.tokens({ resource: null });
    assert.is((await bench.call(bare.access_token)).status, 200, 'clients of older revisions name no resource');
    const { headers } = await bench.fetch(
      bench.authorizeUrl(pkce().challenge, { resource: 'https://other.example/mcp' }),
    );
    assert.is(new URL(headers.get('location') ?? '').searchParams.get('error'), 'invalid_target');
    const wrong = await bench.code();
    expectError(
      await bench.exchange(wrong.code, wrong.verifier, { resource: 'https://other.example/mcp' }),
      'invalid_target',
    );
  });

  test('missing, plain or malformed PKCE and a too long state are refused', async () => {
    const faults: readonly Readonly<Record<string, string | null>>[] = [
      { code_challenge: null },
      { code_challenge_method: null },
      { code_challenge_method: 'plain' },
      { code_challenge: 'short' },
      { state: 'x'.repeat(1_001) },
    ];
    for (const fault of faults) {
      const { status, headers } = await bench.fetch(bench.authorizeUrl(pkce().challenge, fault));
      assert.is(status, 303);
      const back = new URL(headers.get('location') ?? '');
      assert.is(back.origin, 'http://127.0.0.1:53111');
      assert.is(back.searchParams.get('error'), 'invalid_request', JSON.stringify(fault));
      assert.is(back.searchParams.get('iss'), bench.url);
    }
    const answer = await bench.fetch(bench.authorizeUrl(pkce().challenge, { response_type: 'token' }));
    assert.match(answer.headers.get('location') ?? '', /error=unsupported_response_type/);
  });

  test('a code without its verifier, with another verifier, of another client or for another redirect URI is refused', async () => {
    const { code, verifier } = await bench.code();
    const form = { grant_type: 'authorization_code', client_id: bench.clientId, code };
    expectError(await bench.post('/oauth/token', form), 'invalid_request');
    expectError(await bench.exchange(code, pkce().verifier), 'invalid_grant');
    expectError(
      await bench.exchange(code, verifier, { client_id: 'https://other.example/client.json' }),
      'invalid_grant',
    );
    expectError(await bench.exchange(code, verifier, { redirect_uri: 'http://127.0.0.1:9/callback' }), 'invalid_grant');
    expectError(await bench.exchange(`${code.slice(0, -1)}_`, verifier), 'invalid_grant');
    expectError(await bench.post('/oauth/token', { ...form, grant_type: 'password' }), 'unsupported_grant_type');
    const repeated = new URLSearchParams({ ...form, code_verifier: verifier });
    repeated.append('code', code);
    expectError(await bench.post('/oauth/token', repeated), 'invalid_request');
    assert.is((await bench.exchange(code, verifier)).status, 200, 'the correct exchange still works');
  });

  test('a code is refused after a minute', async () => {
    const { code, verifier } = await bench.code();
    bench.advanceClock(60_001);
    expectError(await bench.exchange(code, verifier), 'invalid_grant');
  });

  test('a replayed code is refused, and a replay with the right verifier ends the grant', async () => {
    const { code, verifier } = await bench.code();
    const first = await bench.exchange(code, verifier);
    expectError(await bench.exchange(code, verifier), 'invalid_grant');
    assert.is(
      (await bench.call(first.body.access_token)).status,
      200,
      'a client that repeats its request at once keeps its tokens',
    );
    bench.advanceClock(30_000);
    expectError(await bench.exchange(code, pkce().verifier), 'invalid_grant');
    assert.is((await bench.call(first.body.access_token)).status, 200, 'a code alone does not prove who sent it');
    expectError(await bench.exchange(code, verifier), 'invalid_grant');
    assert.is((await bench.call(first.body.access_token)).status, 401);
    const [entry] = await bench.audit('oauth.grant.revoke');
    assert.is(entry.metadata.reason, 'code_reused');
  });

  test('an access token works for 15 minutes, and a refresh token gives the next pair', async () => {
    const first = await bench.tokens();
    bench.advanceClock(899_000);
    assert.is((await bench.call(first.access_token)).status, 200);
    bench.advanceClock(1_000);
    const expiredCall = await bench.call(first.access_token);
    assert.is(expiredCall.status, 401);
    assert.match(expiredCall.headers.get('www-authenticate') ?? '', /error="invalid_token".*resource_metadata=/);
    const { status, body } = await bench.refresh(first.refresh_token);
    assert.is(status, 200);
    assert.is.not(body.refresh_token, first.refresh_token);
    assert.is(body.scope, first.scope);
    assert.is((await bench.call(body.access_token)).status, 200);
  });

  test('a second use of a refresh token ends the whole grant, and the audit records the event', async () => {
    const first = await bench.tokens();
    const second = await bench.refresh(first.refresh_token);
    expectError(await bench.refresh(first.refresh_token), 'invalid_grant');
    assert.is((await bench.call(second.body.access_token)).status, 401);
    expectError(await bench.refresh(second.body.refresh_token), 'invalid_grant');
    const [entry] = await bench.audit('oauth.grant.revoke');
    assert.is(entry.metadata.reason, 'refresh_token_reused');
    assert.match(entry.target.id, /^grt_/);
  });

  test('a refresh token expires after 30 days without use, and each use extends the grant', async () => {
    const first = await bench.tokens();
    bench.advanceClock(29 * day);
    const second = await bench.refresh(first.refresh_token);
    assert.is(second.status, 200);
    bench.advanceClock(29 * day);
    const third = await bench.refresh(second.body.refresh_token);
    assert.is(third.status, 200);
    assert.is((await bench.call(third.body.access_token)).status, 200, 'the key of the grant stays valid, too');
    bench.advanceClock(30 * day);
    expectError(await bench.refresh(third.body.refresh_token), 'invalid_grant');
  });

  test('a refresh cannot add scopes', async () => {
    const tokens = await bench.tokens({ scope: 'brand:write' });
    assert.is(tokens.scope, 'brand:write');
    expectError(await bench.refresh(tokens.refresh_token, { scope: 'brand:write keys:manage' }), 'invalid_scope');
    const { status, body } = await bench.refresh(tokens.refresh_token, { scope: 'brand:read offline_access' });
    assert.is(status, 200, 'a scope that another scope implies needs no new consent');
    assert.is(body.scope, 'brand:read', 'the answer lists the scopes of the token');
    assert.is((await bench.call(body.access_token, 'create_brand', { name: 'Narrow' })).status, 403);
    const fullRefresh = await bench.refresh(body.refresh_token);
    assert.is(fullRefresh.body.scope, 'brand:write', 'the refresh token keeps all scopes of the grant');
    assert.is((await bench.call(fullRefresh.body.access_token, 'create_brand', { name: 'Whole' })).status, 200);
    expectError(
      await bench.refresh(fullRefresh.body.refresh_token, { client_id: 'https://other.example/c' }),
      'invalid_grant',
    );
  });

  test('a client that refreshes in a loop is rate-limited, but other clients are not', async () => {
    let token = (await bench.tokens()).refresh_token;
    const otherTokens = await bench.tokens();
    for (let round = 0; round < 30; round += 1) token = (await bench.refresh(token)).body.refresh_token;
    const { status, headers } = await bench.refresh(token);
    assert.is(status, 429);
    assert.ok(Number(headers.get('retry-after')) > 0);
    assert.is((await bench.refresh(otherTokens.refresh_token)).status, 200);
    bench.advanceClock(60_000);
    assert.is((await bench.refresh(token)).status, 200, 'the refused refresh has not used the token');
  });

  test('a client cannot choose another name for the audit log', async () => {
    const { access_token: token } = await bench.tokens({ scope: 'brand:write' });
    const clientInfo = { name: 'Somebody else', version: '1' };
    const params = {
      name: 'create_brand',
      arguments: { name: 'Named' },
      _meta: { 'io.modelcontextprotocol/clientInfo': clientInfo },
    };
    const { status } = await bench.fetch('/v1/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    assert.is(status, 200);
    const [entry] = await bench.audit('brand.create');
    assert.is(entry.actor.client, 'Helper');
  });

  test('a call without its scope is refused with 403 and the scopes to request', async () => {
    const { access_token: token } = await bench.tokens({ scope: 'workspace:read' });
    const { status, headers, body } = await bench.call(token, 'list_api_keys');
    assert.is(status, 403);
    const challenge = headers.get('www-authenticate') ?? '';
    assert.match(challenge, /error="insufficient_scope"/);
    assert.match(challenge, /scope="keys:read"/);
    assert.match(challenge, /resource_metadata="/);
    assert.is(body.error.data.error.code, 'insufficient_scope');
    const key = await bench.call(await bench.keyWith(['workspace:read']), 'list_api_keys');
    assert.is(key.status, 200, 'with a key, the tool returns the error');
    assert.is(key.body.result.isError, true);
  });

  test('the challenge names one scope if any of several scopes is sufficient', async () => {
    const otherBench = await openOAuthBench(database, undefined, { plugins: [approvalsPlugin()] });
    try {
      const { access_token: token } = await otherBench.tokens({ scope: 'workspace:read' });
      const args = { request_id: 'apr_01ARZ3NDEKTSV4RRFFQ69G5FAV' };
      const { status, headers, body } = await otherBench.call(token, 'withdraw_approval', args);
      assert.is(status, 403, JSON.stringify(body));
      assert.match(headers.get('www-authenticate') ?? '', /scope="approvals:submit"/);
    } finally {
      await otherBench.close();
    }
  });

  test('unknown scopes are ignored, and a request with only unknown scopes is refused', async () => {
    const tokens = await bench.tokens({ scope: 'workspace:read mail:everything offline_access' });
    assert.is(tokens.scope, 'workspace:read');
    const { headers } = await bench.fetch(bench.authorizeUrl(pkce().challenge, { scope: 'mail:everything' }));
    assert.match(headers.get('location') ?? '', /error=invalid_scope/);
  });

  test('tokens are refused over REST', async () => {
    const { access_token: token, refresh_token: refresh } = await bench.tokens();
    for (const key of [token, refresh])
      for (const path of ['/v1/workspace', '/v1/oauth/grants', '/v1/openapi.json'])
        assert.is((await bench.request(path, { key })).status, 401, path);
    assert.is((await bench.call(refresh)).status, 401, 'a refresh token is not accepted as an access token');
  });

  test('if a member leaves, the grant ends, both at the call and at the refresh', async () => {
    const [first, second] = [await bench.tokens(), await bench.tokens()];
    bench.members = [bob];
    assert.is((await bench.call(first.access_token)).status, 401);
    expectError(await bench.refresh(second.refresh_token), 'invalid_grant');
    bench.members = [ada, bob];
    assert.is((await bench.call(first.access_token)).status, 401, 'the grant stays ended');
    assert.is((await bench.call(second.access_token)).status, 401);
    const entries = await bench.audit('oauth.grant.revoke');
    assert.equal(
      entries.slice(0, 2).map(({ metadata }) => metadata.reason),
      ['member_left', 'member_left'],
    );
  });

  test('a code is refused if its member has left meanwhile', async () => {
    const { code, verifier } = await bench.code();
    bench.members = [];
    expectError(await bench.exchange(code, verifier), 'invalid_grant');
    bench.members = [ada, bob];
  });

  test('if a client revokes an access token, only this token ends; if it revokes a refresh token, the grant ends', async () => {
    const tokens = await bench.tokens();
    const of = { client_id: bench.clientId };
    expectError(
      await bench.post('/oauth/revoke', { token: tokens.refresh_token, client_id: 'https://x.example/c' }),
      'invalid_client',
      401,
    );
    assert.is((await bench.post('/oauth/revoke', { ...of, token: 'unknown' })).status, 200);
    assert.is((await bench.post('/oauth/revoke', { ...of, token: tokens.access_token })).status, 200);
    assert.is((await bench.call(tokens.access_token)).status, 401);
    const next = await bench.refresh(tokens.refresh_token);
    assert.is(next.status, 200);
    assert.is((await bench.post('/oauth/revoke', { ...of, token: next.body.refresh_token })).status, 200);
    assert.is((await bench.call(next.body.access_token)).status, 401);
    const [entry] = await bench.audit('oauth.grant.revoke');
    assert.is(entry.metadata.reason, 'client');
  });

  test('the audit of a call names the key, the client and the member', async () => {
    const { access_token: token } = await bench.tokens({ scope: 'brand:write' });
    const { body } = await bench.call(token, 'create_brand', { name: 'Northwind' });
    assert.not.ok(body.result.isError, JSON.stringify(body));
    const [entry] = await bench.audit();
    assert.is(entry.actor.kind, 'mcp');
    assert.match(entry.actor.key_id, /^key_/);
    assert.is(entry.actor.client, 'Helper');
    assert.is(entry.actor.user, ada.uid);
    const { body: key } = await bench.request(`/v1/keys/${entry.actor.key_id}`);
    assert.is(key.mode, 'mcp');
    assert.equal(key.members, [ada.uid]);
    assert.match(key.grant_id, /^grt_/);
    assert.is(key.client.id, bench.clientId);
  });
});
