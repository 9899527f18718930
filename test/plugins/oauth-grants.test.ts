// Grants: they are listed and ended, stay on their side, are exported and erased with the member, and are stored without secrets.
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { ada, bob, type OAuthBench, openOAuthBench } from '../support/oauth-bench.ts';

await twoDatabases('OAuth grants', (test, database) => {
  let bench: OAuthBench;
  test.before.each(async () => {
    bench = await openOAuthBench(database);
  });
  test.after.each(() => bench.close());

  const grants = async (key?: string) => {
    const { status, body } = await bench.request('/v1/oauth/grants', key === undefined ? {} : { key });
    assert.is(status, 200, JSON.stringify(body));
    return body.data;
  };
  const revoke = (id: string, key?: string) =>
    bench.request(`/v1/oauth/grants/${id}`, { method: 'DELETE', ...(key === undefined ? {} : { key }) });

  test('a grant shows client, member, scopes, side and leash, and a revoked grant fails at the next call', async () => {
    const { access_token: token, refresh_token: refresh } = await bench.tokens(
      { scope: 'workspace:read' },
      { sendsPerHour: '7' },
    );
    const [grant, ...others] = await grants();
    assert.is(others.length, 0);
    assert.match(grant.grantId, /^grt_/);
    assert.equal(grant.client, { id: bench.clientId, name: 'Helper', host: new URL(bench.clientId).host });
    assert.is(grant.member, ada.uid);
    assert.equal(grant.scopes, ['workspace:read']);
    assert.is(grant.sandbox, false);
    assert.is(grant.leash.sendsPerHour, 7);
    assert.is(Date.parse(grant.expiresAt) - Date.parse(grant.createdAt), 30 * 86_400_000);
    const { status, body } = await revoke(grant.grantId);
    assert.is(status, 200, JSON.stringify(body));
    assert.equal(body, { grantId: grant.grantId, revoked: true });
    assert.is((await bench.call(token)).status, 401);
    assert.is((await bench.refresh(refresh)).body.error, 'invalid_grant');
    assert.equal(await grants(), []);
    assert.is((await revoke(grant.grantId)).body.error.code, 'grant_not_found');
    const [entry] = await bench.audit('oauth.grant.revoke');
    assert.equal(entry.target, { kind: 'grant', id: grant.grantId });
  });

  test('a token of another resource is refused, both at the call and at the refresh', async () => {
    const { access_token: token, refresh_token: refresh } = await bench.tokens();
    const open = await bench.service.core.database();
    await open.transact(async (scope) => {
      const resource = 'https://moved.example/messaging/v1/mcp';
      await scope.handle(bench.workspaceId).db.updateTable('oauth_grants').set({ resource }).execute();
    });
    assert.is((await bench.call(token)).status, 401);
    assert.is((await bench.refresh(refresh)).body.error, 'invalid_grant');
  });

  test('a held call of a member who has left is refused like a call with an invalid key', async () => {
    await bench.tokens({ scope: 'brand:write' });
    const { body } = await bench.request('/v1/keys');
    const runHeldCall = (name: string) =>
      bench.service.core.ports.heldCalls.run({
        workspaceId: bench.workspaceId,
        sandbox: false,
        approvedRequest: 'apr_1',
        operation: 'brand.create',
        input: { name },
        requester: { kind: 'mcp', keyId: body.data[0].id, user: ada.uid },
        signal: new AbortController().signal,
      });
    await runHeldCall('Held');
    bench.members = [bob];
    const code = await runHeldCall('Late').catch((error) => error.code);
    bench.members = [ada, bob];
    assert.is(code, 'invalid_api_key');
  });

  test('only a key with keys:manage can end a grant', async () => {
    await bench.tokens();
    const [grant] = await grants();
    const { status, body } = await revoke(grant.grantId, await bench.keyWith(['keys:read']));
    assert.is(status, 403);
    assert.is(body.error.code, 'insufficient_scope');
  });

  test('revoking the key of a grant also ends the grant', async () => {
    const { access_token: token, refresh_token: refresh } = await bench.tokens();
    const { body } = await bench.request('/v1/keys');
    await bench.service.keys.revoke(bench.workspaceId, body.data[0].id);
    assert.is((await bench.call(token)).status, 401);
    assert.is((await bench.refresh(refresh)).body.error, 'invalid_grant');
    assert.equal(await grants(), []);
  });

  test('a grant of the sandbox stays in the sandbox, and a sandbox key cannot end a live grant: live_key_required', async () => {
    const { access_token: token } = await bench.tokens({ scope: 'brand:write' }, { side: 'sandbox' });
    await bench.tokens();
    const answer = await bench.call(token, 'create_brand', { name: 'Sandbox brand' });
    assert.is(answer.body.result.structuredContent.error.code, 'live_key_required');
    const [live, sandbox] = await grants();
    assert.equal([live.sandbox, sandbox.sandbox], [false, true]);
    const { status, body } = await revoke(live.grantId, bench.testKey);
    assert.is(status, 403);
    assert.is(body.error.code, 'live_key_required');
    assert.is((await revoke(sandbox.grantId, bench.testKey)).status, 200);
  });

  test('a leash that ends the grant also ends its key and its refresh token', async () => {
    const { refresh_token: refresh, access_token: token } = await bench.tokens({}, { expiresIn: '1' });
    const [grant] = await grants();
    assert.is(Date.parse(grant.expiresAt) - Date.parse(grant.createdAt), 86_400_000);
    bench.advanceClock(86_400_000 - 600_000);
    const next = await bench.refresh(refresh);
    assert.is(next.status, 200);
    bench.advanceClock(600_000);
    assert.is((await bench.call(next.body.access_token)).status, 401);
    assert.is((await bench.refresh(next.body.refresh_token)).body.error, 'invalid_grant');
    assert.is((await bench.call(token)).status, 401);
  });

  test('grants are exported and erased with the member', async () => {
    const { access_token: token } = await bench.tokens();
    bench.access = { member: bob.uid, scopes: 'full' };
    const { access_token: others } = await bench.tokens();
    const of = { email: ada.email };
    const exported = await bench.service.personalData.export(bench.workspaceId, of);
    assert.match(JSON.stringify(exported), /"grants":\[\{"grantId":"grt_/);
    await bench.service.personalData.erase(bench.workspaceId, of);
    await bench.drain();
    assert.is((await bench.call(token)).status, 401);
    assert.is((await bench.call(others)).status, 200, 'the grant of another member still works');
    const [left, ...more] = await grants();
    assert.is(more.length, 0);
    assert.is(left.member, bob.uid);
    const [entry] = await bench.audit('oauth.grant.revoke');
    assert.is(entry.metadata.reason, 'erased');
    const open = await bench.service.core.database();
    const rows = await open.read(bench.workspaceId, ({ db }) => db.selectFrom('api_keys').selectAll().execute());
    const ofGrants = rows.filter(({ grant_id: grant }) => grant !== null);
    assert.equal(ofGrants.map(({ members }) => members).sort(), [null, JSON.stringify([bob.uid])].sort());
    // A hash of the member's id is personal data, too.
    assert.equal(
      ofGrants.filter(({ members }) => members === null).map(({ leash_counter: counter }) => counter),
      [null],
    );
  });

  test('the database has only hashes of codes and tokens, and old rows are removed', async () => {
    const { code, verifier } = await bench.code();
    const { body: tokens } = await bench.exchange(code, verifier);
    const open = await bench.service.core.database();
    const storedRows = () =>
      open.read(bench.workspaceId, async ({ db }) => [
        await db.selectFrom('oauth_codes').selectAll().execute(),
        await db.selectFrom('oauth_tokens').selectAll().execute(),
        await db.selectFrom('oauth_grants').selectAll().execute(),
        await db.selectFrom('api_keys').selectAll().execute(),
        await db.selectFrom('audit').selectAll().execute(),
      ]);
    const text = JSON.stringify(await storedRows());
    for (const secret of [code, verifier, tokens.access_token, tokens.refresh_token])
      assert.not.ok(text.includes(secret.slice(-43)), 'a secret is stored');
    bench.advanceClock(32 * 86_400_000);
    await bench.drain();
    const [codes = [], remainingTokens = [], remainingGrants = []] = await storedRows();
    assert.equal([codes.length, remainingTokens.length, remainingGrants.length], [0, 0, 1]);
    bench.advanceClock(91 * 86_400_000);
    await bench.drain();
    const [, , none, keys] = await storedRows();
    assert.is(none?.length, 0);
    assert.is(JSON.stringify(keys).includes('"grant_id":"grt_'), false, 'the key of the grant is removed with it');
  });
});
