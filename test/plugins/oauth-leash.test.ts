// The leash of an agent that signs in again and again: its earlier usage still counts, on every database.
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { bob, type OAuthBench, openOAuthBench, pkce, type Tokens } from '../support/oauth-bench.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const composed = new Set(['workspace', 'keys', 'audit', 'brand', 'oauth']);
const scope = 'workspace:read templates:send';
const defaultChoices = { scope, sendsPerHour: '10', recipientsPerDay: '' };

await eachDatabase('leashes of agents that sign in again', (test, database) => {
  let bench: OAuthBench;
  let sent = 0;
  test.before.each(async () => {
    bench = await openOAuthBench(database, undefined, {
      plugins: bareStandardPlugins.filter(({ id }) => !composed.has(id)),
    });
    const template = { key: 'receipt', mode: 'html', subject: 'Hello', body: '<p>Hello</p>' };
    assert.is((await bench.request('/v1/templates', { body: template })).status, 201);
    assert.is((await bench.request('/v1/templates/receipt/publish', { body: {} })).status, 200);
  });
  test.after.each(() => bench.close());

  /** True if a send with this token was accepted. Any refusal except that of the leash fails the test. */
  const trySend = async (token: string): Promise<boolean> => {
    sent += 1;
    const to = `agent-${sent}@example.org`;
    const args = { template: 'receipt', to, variables: {}, idempotency_key: `agent-${sent}` };
    const { status, body } = await bench.call(token, 'send_transactional', args);
    assert.is(status, 200, JSON.stringify(body));
    if (body.result.isError !== true) return true;
    assert.is(body.result.structuredContent.error.code, 'leash_exceeded', JSON.stringify(body));
    return false;
  };
  const countAccepted = async (tokens: readonly string[]): Promise<number> =>
    (await Promise.all(tokens.map(trySend))).filter(Boolean).length;
  const consent = (choices = defaultChoices): Promise<Tokens> => bench.tokens({ scope }, choices);
  const repeat = ({ access_token: token }: Tokens, times: number): string[] =>
    Array.from({ length: times }, () => token);

  test('five consents of one person for one client allow no more sends than one hour of the leash', async () => {
    let total = 0;
    const all: Tokens[] = [];
    for (let time = 0; time < 5; time += 1) {
      const tokens = await consent();
      all.push(tokens);
      total += await countAccepted(repeat(tokens, 4));
    }
    assert.is(total, 10);
    // Ending a grant gives no sends back, and the other grants have no sends left, either.
    const { body } = await bench.request('/v1/oauth/grants');
    assert.is((await bench.request(`/v1/oauth/grants/${body.data[0].grantId}`, { method: 'DELETE' })).status, 200);
    assert.is(await countAccepted([await consent(), ...all.slice(0, 4)].flatMap((tokens) => repeat(tokens, 3))), 0);
    const { structuredContent } = (await bench.call((await consent()).access_token)).body.result;
    assert.is(structuredContent.leash.left.sendsPerHour.amount, 0);
    bench.advanceClock(3_700_000);
    assert.is(await countAccepted(repeat(await consent(), 12)), 10);
  });

  test('simultaneous grants share the remaining sends, whichever grant is used', async () => {
    const grants = [await consent(), await consent(), await consent()];
    assert.is(await countAccepted(Array.from({ length: 24 }, (_, index) => grants[index % 3]?.access_token ?? '')), 10);
    const wider = await consent({ ...defaultChoices, sendsPerHour: '12' });
    assert.is(await countAccepted(repeat(wider, 5)), 2);
  });

  test('a client that registers again counts as the same client if it has the same name', async () => {
    const register = async (name: string): Promise<Tokens> => {
      const redirect = bench.redirectUri;
      const { status, body } = await bench.fetch('/oauth/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ client_name: name, redirect_uris: [redirect], token_endpoint_auth_method: 'none' }),
      });
      assert.is(status, 201, JSON.stringify(body));
      const { verifier, challenge } = pkce();
      const authorizeUrl = bench.authorizeUrl(challenge, { scope, client_id: body.client_id, redirect_uri: redirect });
      const code = (await bench.consent(authorizeUrl, defaultChoices)).searchParams.get('code') ?? '';
      const more = { client_id: body.client_id, redirect_uri: redirect };
      return (await bench.exchange(code, verifier, more)).body as Tokens;
    };
    let total = 0;
    for (const name of ['Desk', 'desk ', 'Desk']) total += await countAccepted(repeat(await register(name), 6));
    assert.is(total, 10);
    assert.is(await countAccepted(repeat(await register('Other'), 6)), 6);
  });

  test('another member has a leash of their own, and so has another client', async () => {
    assert.is(await countAccepted(repeat(await consent(), 11)), 10);
    bench.access = { member: bob.uid, scopes: 'full' };
    assert.is(await countAccepted(repeat(await consent(), 11)), 10);
  });
});
