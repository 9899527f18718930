// The leash of agents with tokens of the program's own authorisation server that register there again and again: a new client id gives no
// new limits, on every database.
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { ada, bob, type OAuthBench, openOAuthBench } from '../support/oauth-bench.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const composed = new Set(['workspace', 'keys', 'audit', 'brand', 'oauth']);
const issuer = 'https://auth.northwind.example';
const audience = 'https://api.northwind.example/mcp';
const { publicKey, privateKey } = await generateKeyPair('ES256');
const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }] };

await eachDatabase('leashes of agents that register again at an issuer', (test, database) => {
  let bench: OAuthBench;
  let sent = 0;

  test.before.each(async () => {
    const access = ({ sub, client_name: name }: Readonly<Record<string, unknown>>) => ({
      member: String(sub),
      workspaceId: bench.workspaceId,
      scopes: ['workspace:read', 'templates:send'],
      leash: { sendsPerHour: 10 },
      ...(typeof name === 'string' ? { clientName: name } : {}),
    });
    bench = await openOAuthBench(
      database,
      { issuers: [{ issuer, audience, jwks, access }] },
      { plugins: bareStandardPlugins.filter(({ id }) => !composed.has(id)) },
    );
    const template = { key: 'receipt', mode: 'html', subject: 'Hello', body: '<p>Hello</p>' };
    assert.is((await bench.request('/v1/templates', { body: template })).status, 201);
    assert.is((await bench.request('/v1/templates/receipt/publish', { body: {} })).status, 200);
  });
  test.after.each(() => bench.close());

  const tokenOf = (claims: { client_id: string; sub?: string; client_name?: string }): Promise<string> => {
    const iat = Math.floor(bench.now() / 1_000);
    return new SignJWT({ iss: issuer, aud: audience, sub: ada.uid, iat, exp: iat + 600, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: 'at+jwt' })
      .sign(privateKey);
  };
  /** The number of accepted sends among several simultaneous sends. Any refusal except that of the leash fails the test. */
  const countAccepted = async (token: string, times: number): Promise<number> => {
    const answers = Array.from({ length: times }, async () => {
      sent += 1;
      const args = { template: 'receipt', to: `a-${sent}@example.org`, variables: {}, idempotency_key: `a-${sent}` };
      const { status, body } = await bench.call(token, 'send_transactional', args);
      assert.is(status, 200, JSON.stringify(body));
      if (body.result.isError !== true) return true;
      assert.is(body.result.structuredContent.error.code, 'leash_exceeded', JSON.stringify(body));
      return false;
    });
    return (await Promise.all(answers)).filter(Boolean).length;
  };

  test('a client that registers again has only the remaining sends, if its name is the same or it has no name', async () => {
    let [named, unnamed] = [0, 0];
    for (const id of ['c1', 'c2', 'c3']) {
      named += await countAccepted(await tokenOf({ client_id: id, client_name: id === 'c2' ? 'desk ' : 'Desk' }), 5);
      unnamed += await countAccepted(await tokenOf({ client_id: `${id}-unnamed` }), 5);
    }
    assert.equal([named, unnamed], [10, 10]);
    const { structuredContent } = (await bench.call(await tokenOf({ client_id: 'c4' }))).body.result;
    assert.is(structuredContent.leash.left.sendsPerHour.amount, 0);
  });

  test('documents of one host count as one client', async () => {
    let total = 0;
    for (const path of ['a.json', 'b.json', 'c.json'])
      total += await countAccepted(await tokenOf({ client_id: `https://desk.example/${path}` }), 5);
    assert.is(total, 10);
    assert.is(await countAccepted(await tokenOf({ client_id: 'https://other.example/a.json' }), 11), 10);
  });

  test('another client name has its own limits, and so has another member', async () => {
    assert.is(await countAccepted(await tokenOf({ client_id: 'c1', client_name: 'Desk' }), 11), 10);
    assert.is(await countAccepted(await tokenOf({ client_id: 'c2', client_name: 'Shelf' }), 11), 10);
    assert.is(await countAccepted(await tokenOf({ client_id: 'c1', client_name: 'Desk', sub: bob.uid }), 11), 10);
  });

  test('the name of the client is in the list of grants, without control characters', async () => {
    await bench.call(await tokenOf({ client_id: 'c1', client_name: 'De\u202Esk\n' }));
    await bench.call(await tokenOf({ client_id: 'c2', client_name: '  ' }));
    const { body } = await bench.request('/v1/oauth/grants');
    const names = body.data.map(({ client }: { client: { name: string } }) => client.name);
    assert.equal(names.sort(), ['De sk', 'c2']);
  });
});
