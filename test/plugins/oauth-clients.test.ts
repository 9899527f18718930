// The clients of the authorisation server: accepted and refused metadata documents, registrations and redirect URIs.
import * as assert from 'uvu/assert';
import { isRegistered, redirectKindOf } from '../../plugins/oauth/clients/redirects.ts';
import { twoDatabases } from '../support/databases.ts';
import { type OAuthBench, openOAuthBench, pkce } from '../support/oauth-bench.ts';

const day = 86_400_000;

await twoDatabases('OAuth clients', (test, database) => {
  let bench: OAuthBench;
  let usual: OAuthBench['document'];
  test.before(async () => {
    bench = await openOAuthBench(database, { redirectSchemes: ['cursor'] });
    usual = bench.document;
  });
  test.before.each(() => {
    bench.document = { ...usual, requests: 0 };
    bench.advanceClock(120_000);
  });
  test.after(() => bench.close());

  const document = (changes: object) =>
    JSON.stringify({
      client_id: bench.clientId,
      client_name: 'Helper',
      redirect_uris: [bench.redirectUri],
      ...changes,
    });
  /** Checks that the request gets an error page with these words instead of a redirect. */
  const expectErrorPage = async (query: Readonly<Record<string, string | null>>, words: RegExp) => {
    const { status, headers, body } = await bench.fetch(bench.authorizeUrl(pkce().challenge, query));
    assert.is(headers.get('location'), null, 'the page redirected');
    assert.is(status, 400);
    assert.match(String(body), words);
  };
  const register = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    bench.fetch('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  test('a document is refused if it is too large, names another client, is not JSON or cannot be fetched', async () => {
    bench.document.body = document({ padding: 'x'.repeat(5_120) });
    await expectErrorPage({}, /larger than 5 kB/);
    bench.advanceClock(60_000);
    bench.document.body = document({ client_id: `${bench.clientId}/other` });
    await expectErrorPage({}, /names another client_id/);
    bench.advanceClock(60_000);
    bench.document.body = '<html>';
    await expectErrorPage({}, /not valid/);
    bench.advanceClock(60_000);
    bench.document = { ...usual, status: 404 };
    await expectErrorPage({}, /answers 404/);
    bench.advanceClock(60_000);
    bench.document = { ...usual, status: 302, headers: { location: 'http://127.0.0.1:1/' } };
    await expectErrorPage({}, /answers 302/);
    bench.advanceClock(60_000);
    bench.document = { ...usual, body: document({ token_endpoint_auth_method: 'client_secret_post' }) };
    await expectErrorPage({}, /Clients are public/);
    bench.advanceClock(60_000);
    bench.document = { ...usual, body: document({ redirect_uris: ['javascript:alert(1)'] }) };
    await expectErrorPage({}, /redirect URI that is not allowed/);
  });

  test('a document on a private address, over http on another host, or under an invalid URL is refused', async () => {
    await expectErrorPage({ client_id: 'https://10.0.0.1/client.json' }, /public address/);
    await expectErrorPage({ client_id: 'https://169.254.169.254/latest/meta-data' }, /public address/);
    await expectErrorPage({ client_id: 'http://clients.example/client.json' }, /https URL/);
    await expectErrorPage({ client_id: 'https://clients.example/' }, /with a path/);
    await expectErrorPage({ client_id: 'https://clients.example/c#x' }, /fragment/);
    await expectErrorPage({ client_id: 'https://ada@clients.example/c' }, /user name/);
    await expectErrorPage({ client_id: 'https://clients.example/a/../c' }, /normal spelling/);
    await expectErrorPage({ client_id: 'https://clients.example:22/c' }, /public address/);
    await expectErrorPage({ client_id: null }, /client_id/);
    await expectErrorPage({ client_id: 'cli_01ARZ3NDEKTSV4RRFFQ69G5FAV' }, /not registered/);
    await expectErrorPage({ client_id: 'desk' }, /not registered/);
  });

  test('a document is cached for as long as its headers allow, but for at most an hour', async () => {
    const visits = async (cache: string | undefined, waitMs: number) => {
      bench.advanceClock(2 * 3_600_000);
      bench.document = { ...usual, requests: 0, headers: cache === undefined ? {} : { 'cache-control': cache } };
      await bench.fetch(bench.authorizeUrl(pkce().challenge));
      bench.advanceClock(waitMs);
      await bench.fetch(bench.authorizeUrl(pkce().challenge));
      return bench.document.requests;
    };
    assert.is(await visits('no-store', 0), 2);
    assert.is(await visits('max-age=60', 59_000), 1);
    assert.is(await visits('max-age=60', 60_000), 2);
    assert.is(await visits('public, max-age=31536000', 3_599_000), 1);
    assert.is(await visits('public, max-age=31536000', 3_600_000), 2);
    assert.is(await visits(undefined, 299_000), 1);
    bench.advanceClock(2 * 3_600_000);
  });

  test('a redirect URI must be registered exactly, apart from the port on loopback', async () => {
    const otherUri = 'http://127.0.0.1:53111/callback/other';
    await expectErrorPage({ redirect_uri: otherUri }, /did not register/);
    await expectErrorPage({ redirect_uri: 'http://localhost:53111/callback' }, /did not register/);
    await expectErrorPage(
      { redirect_uri: 'http://127.0.0.1:53111/callback?next=https://evil.example' },
      /did not register/,
    );
    await expectErrorPage({ redirect_uri: 'https://evil.example/callback' }, /did not register/);
    await expectErrorPage({ redirect_uri: null }, /redirect_uri/);
    const { status } = await bench.fetch(`${bench.authorizeUrl(pkce().challenge)}&redirect_uri=https://evil.example/`);
    assert.is(status, 400, 'a second redirect_uri has no effect');
  });

  test('the state is returned unchanged and is never used as an address', async () => {
    const state = 'https://evil.example/?a=1&code=stolen#x';
    const back = await bench.consent(bench.authorizeUrl(pkce().challenge, { state }));
    assert.is(back.host, '127.0.0.1:53111');
    assert.is(back.searchParams.get('state'), state);
    assert.is(back.searchParams.getAll('code').length, 1);
    assert.is(back.hash, '');
  });

  test('a redirect URI may be https, loopback, a private scheme with a dot, or a scheme of the program', () => {
    const schemes = new Set(['cursor']);
    const kinds = (uris: readonly string[]) => uris.map((uri) => redirectKindOf(uri, schemes));
    assert.equal(kinds(['https://a.example/cb', 'https://a.example/cb?x=1']), ['https', 'https']);
    assert.equal(kinds(['http://127.0.0.1:1/cb', 'http://localhost/cb', 'http://[::1]:8/cb']), [
      'loopback',
      'loopback',
      'loopback',
    ]);
    assert.equal(kinds(['com.example.app:/cb', 'cursor://anysphere.cursor/cb']), ['private', 'private']);
    const wrong = [
      ...['http://a.example/cb', 'http://127.0.0.1.evil.example/cb', 'vscode://x/cb', 'javascript:alert(1)'],
      ...['data:text/html,x', 'file:///etc/passwd', 'blob:https://a.example/1', 'ftp://a.example/', 'JavaScript:x'],
      ...['https://a.example/cb#x', 'https://u@a.example/cb', 'https://a.example/c b', 'java\tscript:x', '', '/cb'],
      ...[`https://a.example/${'x'.repeat(1_000)}`, 'urn:ietf:wg:oauth:2.0:oob', 'https:/\n/a.example/cb'],
      ...['https:a.example/cb', 'https:/cb', 'https:///a.example/cb', 'https:\\\\a.example/cb', 'http:localhost/cb'],
    ];
    for (const uri of wrong) assert.is(redirectKindOf(uri, schemes), undefined, uri);
    assert.ok(isRegistered(['http://localhost/cb?x=1'], 'http://localhost:99/cb?x=1'));
    assert.not.ok(isRegistered(['https://a.example/cb'], 'https://a.example:8443/cb'));
    assert.not.ok(isRegistered(['http://localhost/cb'], 'http://127.0.0.1/cb'));
  });

  test('a redirect URI with an unknown app scheme is ignored if the client has other URIs', async () => {
    const uris = ['cursor://anysphere.cursor/cb', 'windsurf://codeium/cb', 'https://a.example/cb'];
    const { status, body } = await register({ redirect_uris: uris });
    assert.is(status, 201);
    assert.equal(body.redirect_uris, ['cursor://anysphere.cursor/cb', 'https://a.example/cb']);
    assert.is((await register({ redirect_uris: ['windsurf://codeium/cb'] })).body.error, 'invalid_redirect_uri');
    const mixed = ['https://a.example/cb', 'javascript:alert(1)'];
    assert.is((await register({ redirect_uris: mixed })).body.error, 'invalid_redirect_uri');
    bench.advanceClock(2 * 3_600_000);
  });

  test('invalid metadata is refused with the error of the standard', async () => {
    const faults: readonly (readonly [unknown, string, number])[] = [
      [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri', 400],
      [{ redirect_uris: [] }, 'invalid_redirect_uri', 400],
      [{ client_name: 'x' }, 'invalid_redirect_uri', 400],
      [{ redirect_uris: ['https://a.example/cb'], client_name: 7 }, 'invalid_client_metadata', 400],
      ['nonsense', 'invalid_request', 400],
      [{ redirect_uris: ['https://a.example/cb'], padding: 'x'.repeat(17_000) }, 'invalid_request', 413],
    ];
    for (const [body, error, expected] of faults) {
      const answer = await register(body);
      assert.is(answer.status, expected, JSON.stringify(answer.body));
      assert.is(answer.body.error, error);
    }
    bench.advanceClock(2 * 3_600_000);
  });

  test('an address can register ten clients an hour', async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 11; index += 1)
      statuses.push((await register({ redirect_uris: ['https://a.example/cb'] })).status);
    assert.equal(statuses, [...Array(10).fill(201), 429]);
    bench.advanceClock(6 * 60_000);
    assert.is((await register({ redirect_uris: ['https://a.example/cb'] })).status, 201);
    bench.advanceClock(2 * 3_600_000);
  });

  test('an unused client is deleted after 90 days, a used client 90 days after its last use', async () => {
    const redirectUri = 'https://app.example.com/callback';
    const id = async () => (await register({ redirect_uris: [redirectUri] })).body.client_id as string;
    const [unused, used] = [await id(), await id()];
    const of = { client_id: used, redirect_uri: redirectUri };
    const { code, verifier } = await bench.code(of);
    assert.is((await bench.exchange(code, verifier, of)).status, 200);
    const isKnown = async (client: string) => {
      const url = bench.authorizeUrl(pkce().challenge, { client_id: client, redirect_uri: redirectUri });
      return (await bench.fetch(url)).status === 303;
    };
    bench.advanceClock(89 * day);
    await bench.drain();
    assert.equal([await isKnown(unused), await isKnown(used)], [true, true]);
    const secondCode = await bench.code(of);
    await bench.exchange(secondCode.code, secondCode.verifier, of);
    bench.advanceClock(2 * day);
    await bench.drain();
    assert.equal([await isKnown(unused), await isKnown(used)], [false, true]);
    bench.advanceClock(91 * day);
    await bench.drain();
    assert.is(await isKnown(used), false);
  });

  test('registration stops at 10,000 unused clients, and the error names the remedy', async () => {
    const open = await bench.service.core.database();
    const { now } = { now: bench.now() };
    await open.transact(async (scope) => {
      const { db } = scope.handle({ unscoped: 'registered clients belong to no workspace' });
      for (let from = 0; from < 10_000; from += 500) {
        const rows = Array.from({ length: 500 }, (_, index) => ({
          client_id: `cli_${String(from + index).padStart(26, '0')}`,
          name: 'x',
          redirect_uris: '[]',
          used: 0,
          created_at: now,
          last_used_at: now,
        }));
        await db.insertInto('oauth_clients').values(rows).execute();
      }
    });
    const { status, headers, body } = await register({ redirect_uris: ['https://a.example/cb'] });
    assert.is(status, 503);
    assert.is(body.error, 'temporarily_unavailable');
    assert.match(body.error_description, /metadata document/);
    assert.ok(headers.has('retry-after'));
  });
});
