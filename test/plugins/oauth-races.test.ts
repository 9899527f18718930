// Races of the authorisation server, on every database: of many simultaneous requests, one gets tokens, and one grant is created.
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { ada, type OAuthBench, openOAuthBench } from '../support/oauth-bench.ts';

const issuer = 'https://auth.northwind.example';
const audience = 'https://api.northwind.example/mcp';
const { publicKey, privateKey } = await generateKeyPair('ES256');
const jwks = { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256' }] };

await eachDatabase('OAuth races', (test, database) => {
  let bench: OAuthBench;
  test.before(async () => {
    bench = await openOAuthBench(database);
  });
  test.after(() => bench.close());

  test('if 20 requests exchange one code at the same time, only one gets a pair of tokens', async () => {
    const { code, verifier } = await bench.code();
    const answers = await Promise.all(Array.from({ length: 20 }, () => bench.exchange(code, verifier)));
    const pairs = answers.filter(({ status }) => status === 200);
    assert.is(pairs.length, 1, answers.map(({ status, body }) => `${status} ${body.error}`).join());
    for (const { status, body } of answers) if (status !== 200) assert.is(body.error, 'invalid_grant');
    assert.is((await bench.call(pairs[0]?.body.access_token)).status, 200);
  });

  test('of 20 simultaneous refreshes at most one gets tokens, and the grant ends', async () => {
    const first = await bench.tokens();
    const answers = await Promise.all(Array.from({ length: 20 }, () => bench.refresh(first.refresh_token)));
    const pairs = answers.filter(({ status }) => status === 200);
    assert.is(pairs.length, 1, answers.map(({ status }) => status).join());
    assert.is((await bench.call(pairs[0]?.body.access_token)).status, 401);
  });

  test('20 simultaneous calls with new tokens of one client and member create one grant', async () => {
    const ownBench = await openOAuthBench(database, {
      issuers: [
        {
          ...{ issuer, audience, jwks },
          access: () => ({ member: ada.uid, workspaceId: ownBench.workspaceId, scopes: ['workspace:read'] }),
        },
      ],
    });
    try {
      const now = Math.floor(ownBench.now() / 1_000);
      const sign = (index: number) =>
        new SignJWT({ client_id: 'desk', jti: String(index), iat: now, exp: now + 600 + index })
          .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
          .setIssuer(issuer)
          .setAudience(audience)
          .sign(privateKey);
      const tokens = await Promise.all(Array.from({ length: 20 }, (_, index) => sign(index)));
      const answers = await Promise.all(tokens.map((token) => ownBench.call(token)));
      assert.equal([...new Set(answers.map(({ status }) => status))], [200]);
      const { body } = await ownBench.request('/v1/oauth/grants');
      assert.is(body.data.length, 1);
      assert.is(body.data[0].expiresAt, new Date((now + 619) * 1_000).toISOString(), 'the latest token sets the leash');
    } finally {
      await ownBench.close();
    }
  });
});
