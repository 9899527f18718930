// Tokens of the program's own authorisation server: which JWTs the MCP endpoint accepts, and the grants and keys that they create.
import { createHmac } from 'node:crypto';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import * as assert from 'uvu/assert';
import type { Leash } from '../../core/index.ts';
import { type OAuthPluginOptions, oauthPlugin } from '../../plugins/oauth/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { ada, bob, type OAuthBench, openOAuthBench, startServer } from '../support/oauth-bench.ts';

const audience = 'https://api.northwind.example/mcp';
const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
const stranger = await generateKeyPair('ES256');
const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }] };
const base64 = (value: object | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

await twoDatabases('OAuth issuers', (test, database) => {
  let bench: OAuthBench;
  let requests: string[] = [];
  let isDown = false;
  const issuer = { url: '' };
  let server: Awaited<ReturnType<typeof startServer>>;
  /** The access that the program returns. A test may change it. */
  let accessOfMember: { scopes: string[]; sandbox: boolean; leash?: Leash };

  test.before(async () => {
    server = await startServer((request, response) => {
      requests.push(request.url ?? '');
      const json = (value: object) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
      if (isDown) response.writeHead(500).end();
      else if (request.url === '/auth/.well-known/openid-configuration')
        json({ issuer: issuer.url, jwks_uri: `${server.origin}/keys` });
      else if (request.url === '/keys') json(jwks);
      else response.writeHead(404).end();
    });
    issuer.url = `${server.origin}/auth`;
    const options: OAuthPluginOptions = {
      issuers: [
        {
          issuer: issuer.url,
          audience,
          access: ({ sub, org, ...rest }) =>
            typeof sub === 'string' && typeof org === 'string'
              ? { member: sub, workspaceId: org, ...accessOfMember, ...(rest as { scopes?: string[]; leash?: Leash }) }
              : undefined,
        },
      ],
    };
    bench = await openOAuthBench(database, options);
  });
  test.before.each(() => {
    accessOfMember = { scopes: ['workspace:read', 'brand:write'], sandbox: false };
    isDown = false;
  });
  test.after(async () => {
    await bench.close();
    await server.close();
  });

  const seconds = () => Math.floor(bench.now() / 1_000);
  const claims = (changes: object = {}) => ({
    iss: issuer.url,
    aud: audience,
    sub: ada.uid,
    org: bench.workspaceId,
    client_id: 'https://desk.example/client.json',
    iat: seconds(),
    exp: seconds() + 600,
    ...changes,
  });
  const sign = (changes: object = {}, header: object = {}, key = privateKey) =>
    new SignJWT(claims(changes)).setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: 'at+jwt', ...header }).sign(key);
  const expectAccepted = async (token: string, isAccepted = true) => {
    const { status, body } = await bench.call(token);
    assert.is(status, isAccepted ? 200 : 401, JSON.stringify(body));
  };

  test('the metadata names the issuer, and the built-in server is off', async () => {
    const { body } = await bench.fetch('/.well-known/oauth-protected-resource/v1/mcp');
    assert.equal(body.authorization_servers, [issuer.url]);
    for (const path of ['/.well-known/oauth-authorization-server', '/oauth/authorize'])
      assert.is((await bench.fetch(path)).status, 404, path);
    const registration = await bench.post('/oauth/register', {});
    assert.is(registration.status, 404);
    assert.ok(registration.body.error_description.includes(issuer.url), 'the answer tells clients where to register');
    const { headers } = await bench.call(undefined);
    assert.match(headers.get('www-authenticate') ?? '', /resource_metadata="/);
  });

  test('a token is verified with the published keys, which are fetched once', async () => {
    requests = [];
    await expectAccepted(await sign());
    await expectAccepted(await sign({ aud: ['https://else.example', audience] }, { typ: 'JWT' }));
    assert.equal(requests, ['/auth/.well-known/openid-configuration', '/keys']);
  });

  test('a token of another audience, issuer, key or kind, or an expired token, is refused', async () => {
    for (const aud of ['https://else.example', '', [], [''], undefined, null, `${audience}/`])
      await expectAccepted(await sign({ aud }), false);
    await expectAccepted(await sign({ iss: 'https://else.example' }), false);
    await expectAccepted(await sign({ iss: `${issuer.url}/` }), false);
    await expectAccepted(await sign({}, {}, stranger.privateKey), false);
    await expectAccepted(await sign({}, { kid: 'k2' }), false);
    await expectAccepted(await sign({}, { typ: 'logout+jwt' }), false);
    await expectAccepted(await sign({ exp: seconds() - 60 }), false);
    await expectAccepted(await sign({ exp: undefined }), false);
    await expectAccepted(await sign({ nbf: seconds() + 60 }), false);
    await expectAccepted(await sign({ cnf: { jkt: 'x' } }), false);
    await expectAccepted(await sign({ client_id: undefined }), false);
    await expectAccepted(await sign({ org: undefined }), false);
    await expectAccepted(await sign({ org: 'ws_01ARZ3NDEKTSV4RRFFQ69G5FAV' }), false);
    await expectAccepted(await sign({ sub: 'u_stranger' }), false);
    await expectAccepted(`${(await sign()).slice(0, -4)}AAAA`, false);
    await expectAccepted('a.b.c', false);
  });

  test('a token with alg none is refused, and so is HS256 with a public key as its secret', async () => {
    const body = base64(claims());
    await expectAccepted(`${base64({ alg: 'none', typ: 'at+jwt' })}.${body}.`, false);
    await expectAccepted(`${base64({ alg: 'None', typ: 'at+jwt' })}.${body}.AA`, false);
    for (const secret of [await exportSPKI(publicKey), JSON.stringify(jwks.keys[0])]) {
      const text = `${base64({ alg: 'HS256', kid: 'k1', typ: 'at+jwt' })}.${body}`;
      await expectAccepted(`${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`, false);
    }
  });

  test('a token has exactly the scopes that the program returns, and no scope over REST', async () => {
    accessOfMember.scopes = ['workspace:read', 'nothing:known'];
    const token = await sign();
    await expectAccepted(token);
    assert.is((await bench.call(token, 'create_brand', { name: 'Northwind' })).status, 403);
    accessOfMember.scopes = ['brand:write'];
    const answer = await bench.call(token, 'create_brand', { name: 'Northwind' });
    assert.is(answer.status, 200, 'a change of the access applies from the next call');
    const [entry] = await bench.audit('brand.create');
    assert.is(entry.actor.user, ada.uid);
    assert.is(entry.actor.client, 'https://desk.example/client.json');
    assert.is((await bench.request('/v1/workspace', { key: token })).status, 401);
    accessOfMember.scopes = ['nothing:known'];
    await expectAccepted(token, false);
  });

  test('two tokens of one client and member have their own scopes and leashes, even in simultaneous calls', async () => {
    const narrow = await sign({ client_id: 'two', scopes: ['workspace:read'] });
    const wide = await sign({ client_id: 'two', scopes: ['workspace:read', 'brand:write'] });
    const leashedToken = await sign({
      client_id: 'two',
      scopes: ['brand:write'],
      leash: { tools: ['read_workspace'] },
    });
    const create = (token: string, name: string) => bench.call(token, 'create_brand', { name });
    for (let round = 0; round < 4; round += 1) {
      const [refused, created, tied] = await Promise.all([
        create(narrow, `narrow ${round}`),
        create(wide, `wide ${round}`),
        create(leashedToken, `leashed ${round}`),
      ]);
      assert.is(refused?.status, 403, JSON.stringify(refused?.body));
      assert.is(created?.body.result.isError, undefined, JSON.stringify(created?.body));
      assert.is(tied?.body.result?.structuredContent.error.code, 'leash_exceeded', JSON.stringify(tied?.body));
    }
  });

  test('a token is refused if the program returns an invalid leash', async () => {
    const leashes = [{}, null, { sendsPerHour: -1 }, { sendsperhour: 5 }, { tools: ['no_such_tool'] }, 'none'];
    for (const leash of leashes) await expectAccepted(await sign({ client_id: 'faulty', leash }), false);
    await expectAccepted(await sign({ client_id: 'faulty', leash: { sendsPerHour: 5 } }));
    await expectAccepted(await sign({ client_id: 'faulty', leash: { expiresAt: '2001-01-01T00:00:00Z' } }), false);
  });

  test('a leash that the program sets for the key applies in addition to the leashes of the tokens', async () => {
    const of = { client_id: 'set', scopes: ['workspace:read', 'brand:write'] };
    const first = await sign({ ...of, leash: { sendsPerHour: 5 } });
    await expectAccepted(first);
    const grant = async () => (await bench.request('/v1/oauth/grants')).body.data[0];
    const { body } = await bench.request('/v1/keys');
    const keyId = body.data.find(({ name }: { name: string }) => name === 'set').id;
    await bench.service.keys.setLeash(bench.workspaceId, keyId, { tools: ['read_workspace'] });
    for (const token of [first, await sign({ ...of, leash: { sendsPerHour: 9 } }), await sign(of)]) {
      await expectAccepted(token);
      const { body: refused } = await bench.call(token, 'create_brand', { name: 'Never' });
      assert.is(refused.result.structuredContent.error.code, 'leash_exceeded', JSON.stringify(refused));
    }
    assert.equal((await grant()).leash, { tools: ['read_workspace'] });
    await bench.service.keys.setLeash(bench.workspaceId, keyId, null);
    assert.is((await bench.call(first, 'create_brand', { name: 'Again' })).body.result.isError, undefined);
    assert.equal((await grant()).leash, { sendsPerHour: 5 }, 'the key has the leash of the tokens again');
  });

  test('a revoked grant stays revoked for its tokens, but a later token creates a new grant', async () => {
    const token = await sign({ client_id: 'revoked' });
    await expectAccepted(token);
    const { body } = await bench.request('/v1/oauth/grants');
    const { grantId } = body.data[0];
    assert.is((await bench.request(`/v1/oauth/grants/${grantId}`, { method: 'DELETE' })).status, 200);
    await expectAccepted(token, false);
    await expectAccepted(await sign({ client_id: 'revoked', iat: undefined }), false);
    bench.advanceClock(2_000);
    await expectAccepted(await sign({ client_id: 'revoked' }));
    const grantsAfter = await bench.request('/v1/oauth/grants');
    assert.is.not(grantsAfter.body.data[0].grantId, grantId);
  });

  test('if the member leaves, the grant ends', async () => {
    const token = await sign({ client_id: 'left' });
    await expectAccepted(token);
    bench.members = [bob];
    await expectAccepted(token, false);
    bench.members = [ada, bob];
    await expectAccepted(token, false);
    const [entry] = await bench.audit('oauth.grant.revoke');
    assert.is(entry.metadata.reason, 'member_left');
  });

  test('if the keys cannot be fetched, the response reports an outage, not an invalid token', async () => {
    const withoutKeys = await openOAuthBench(database, {
      issuers: [{ issuer: issuer.url, audience, jwks: `${server.origin}/keys`, access: () => undefined }],
    });
    try {
      isDown = true;
      const { status, body } = await withoutKeys.call(await sign());
      assert.is(status, 503, JSON.stringify(body));
    } finally {
      await withoutKeys.close();
    }
  });

  test('an issuer without audience, over http, or with unknown options is refused, and so is a duplicate', () => {
    const validIssuer = { issuer: 'https://auth.example', audience, access: () => undefined };
    const faults: readonly (readonly [readonly object[], RegExp])[] = [
      [[{ ...validIssuer, audience: '' }], /audience/],
      [[{ ...validIssuer, audience: ' ' }], /audience/],
      [[{ ...validIssuer, issuer: 'http://auth.example' }], /https/],
      [[{ ...validIssuer, jwks: 'http://auth.example/keys' }], /https/],
      [[{ ...validIssuer, jwk: [] }], /jwk/],
      [[validIssuer, validIssuer], /twice/],
    ];
    for (const [issuers, words] of faults)
      assert.throws(() => oauthPlugin({ issuers } as unknown as OAuthPluginOptions), words);
  });
});
