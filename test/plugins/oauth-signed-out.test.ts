// Signed-out visitors: the addresses to which the consent page redirects them.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ConsentBench, openConsentBench } from '../support/consent-bench.ts';
import { pkce } from '../support/oauth-bench.ts';

const test = suite<{ bench: ConsentBench }>('signed-out visitors of the consent page');

test.before(async (context) => {
  context.bench = await openConsentBench();
});
test.after(({ bench }) => bench.close());

const location = ({ headers }: { readonly headers: Headers }): string => headers.get('location') ?? '';

test('a signed-out visitor is redirected to the sign-in page, which gets a path of the service to return to', async ({
  bench,
}) => {
  const path = bench.authorizePath(pkce().challenge, { state: 'https://evil.example/' });
  const redirectOf = async (signInUrl: string, asked = path): Promise<URL> => {
    bench.signIn.present = { signInUrl };
    const answer = await bench.ask(asked);
    assert.is(answer.status, 303, answer.text);
    assert.is(answer.headers.get('set-cookie'), null);
    return new URL(location(answer), bench.url);
  };
  const ownPath = `/messaging${path}`;
  const ownSignIn = await redirectOf('/sign-in?theme=dark');
  assert.is(ownSignIn.pathname, '/sign-in');
  assert.equal([ownSignIn.searchParams.get('theme'), ownSignIn.searchParams.get('return_to')], ['dark', ownPath]);
  assert.is((await redirectOf('/sign-in/{return}/now')).pathname, `/sign-in/${encodeURIComponent(ownPath)}/now`);
  assert.is((await redirectOf(`${new URL(bench.url).origin}/login`)).searchParams.get('return_to'), ownPath);
  const otherSignIn = await redirectOf('https://accounts.example/login#form');
  assert.is(otherSignIn.searchParams.get('return_to'), `${bench.url}${path}`);
  assert.is(otherSignIn.hash, '#form');
  const apps = await redirectOf('/sign-in', '/connected-apps?return_to=https://evil.example&//evil.example');
  assert.ok(apps.searchParams.get('return_to')?.startsWith('/messaging/connected-apps?'));
});

test('an invalid request redirects a signed-out visitor to the sign-in, never to the client', async ({ bench }) => {
  const path = bench.authorizePath(pkce().challenge, { response_type: 'token' });
  bench.signIn.present = { signInUrl: '/sign-in' };
  const response = await bench.ask(path);
  assert.is(response.status, 303);
  assert.is(new URL(location(response), bench.url).pathname, '/sign-in');
  bench.signIn.present = null;
  const refusal = await bench.ask(path);
  assert.equal([refusal.status, location(refusal)], [401, '']);
  bench.signIn.present = bench.memberAccess('u_ada');
  const back = new URL(location(await bench.ask(path)));
  assert.is(back.origin + back.pathname, bench.redirectUri);
  assert.is(back.searchParams.get('error'), 'unsupported_response_type');
});

test.run();
