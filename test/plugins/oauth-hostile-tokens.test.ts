// Hostile tokens of the program's own authorisation server, from reports about other services: all of them are refused.
import { generateKeyPairSync } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { ada, type OAuthBench, openOAuthBench } from '../support/oauth-bench.ts';

await twoDatabases('hostile tokens of an issuer', (test, database) => {
  const issuer = 'https://auth.northwind.example';
  const audience = 'https://api.northwind.example/mcp';
  let bench: OAuthBench;
  let key: Awaited<ReturnType<typeof generateKeyPair>>;
  test.before(async () => {
    key = await generateKeyPair('ES256');
    const jwks = { keys: [{ ...(await exportJWK(key.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }] };
    const access = () => ({ member: ada.uid, workspaceId: bench.workspaceId, scopes: ['workspace:read'] });
    bench = await openOAuthBench(database, { issuers: [{ issuer, audience, jwks, access }] });
  });
  test.after(() => bench.close());

  const claims = (changes: object = {}) => {
    const iat = Math.floor(bench.now() / 1_000);
    return { iss: issuer, aud: audience, sub: ada.uid, client_id: 'desk', iat, exp: iat + 600, ...changes };
  };
  const sign = (changes: object, header: object = {}) =>
    new SignJWT(claims(changes))
      .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: 'at+jwt', ...header })
      .sign(key.privateKey);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test('keys and addresses in the header of a token are ignored', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const jwk = await exportJWK(publicKey);
    const headers = [
      { jwk },
      { jku: 'https://evil.example/keys' },
      { x5u: 'https://evil.example/c' },
      { kid: '../../k1' },
    ];
    for (const header of headers) {
      const token = await new SignJWT(claims())
        .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: 'at+jwt', ...header })
        .sign(privateKey);
      assert.is((await bench.call(token)).status, 401, JSON.stringify(header));
    }
  });

  test('an empty signature, a signature of zeros, and a signature of another algorithm are refused', async () => {
    const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const otherAlgorithm = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'RS256', kid: 'k1', typ: 'at+jwt' })
      .sign(rsa);
    const text = `${part({ alg: 'ES256', kid: 'k1', typ: 'at+jwt' })}.${part(claims())}`;
    // A signature of zeros: CVE-2022-21449.
    const zero = Buffer.alloc(64).toString('base64url');
    for (const token of [
      otherAlgorithm,
      `${text}.`,
      `${text}.${zero}`,
      `${text}.AA`,
      `${text}.${zero}.${zero}.${zero}`,
    ])
      assert.is((await bench.call(token)).status, 401);
  });

  test('claims of a wrong type, unknown critical headers, and tokens of other types are refused', async () => {
    const now = Math.floor(bench.now() / 1_000);
    const faulty: readonly object[] = [
      ...[{ exp: String(now + 600) }, { exp: -1 }, { iat: 'soon' }, { nbf: '0' }, { client_id: { id: 'desk' } }],
      ...[{ client_id: '' }, { iss: [issuer] }, { aud: { 0: audience } }, { aud: [[audience]] }],
    ];
    for (const changes of faulty) {
      const text = part({ alg: 'ES256', kid: 'k1', typ: 'at+jwt' });
      const token = await sign(changes).catch(() => `${text}.${part(claims(changes))}.AA`);
      assert.is((await bench.call(token)).status, 401, JSON.stringify(changes));
    }
    for (const typ of ['dpop+jwt', 'secevent+jwt', 'oauth-id-jag+jwt', 'id_token'])
      assert.is((await bench.call(await sign({}, { typ }))).status, 401, typ);
    const critical = `${part({ alg: 'ES256', kid: 'k1', crit: ['exp'], exp: 1 })}.${part(claims())}.AA`;
    assert.is((await bench.call(critical)).status, 401);
    assert.is((await bench.call(await sign({}))).status, 200);
  });
});
