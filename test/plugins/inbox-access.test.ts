// time-limit: 240
// The people who may see the inbox, and the pages that may call it. All other callers are refused.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { MemberAccess, PageRequest, SignInNeeded } from '../../core/index.ts';
import { cookiesOf } from '../../core/pages/access.ts';
import { isLocalAddress, isLoopbackHost } from '../../core/pages/loopback.ts';
import { type InboxBench, routesOf, staff, withInbox } from '../support/inbox-bench.ts';

/** Calls every route and expects the same refusal. Then checks that no refused report has changed the timeline of the send. */
async function expectRefusals(
  bench: InboxBench,
  id: string,
  request: { headers?: Record<string, string>; address?: string },
  [status, code]: readonly [number, string],
): Promise<void> {
  for (const [method, path, body] of routesOf(id)) {
    if (path === '/assets/inbox.js' && status !== 404) continue;
    const answer = await bench.ask(path, { method, body, ...request });
    assert.is(answer.status, status, `${method} ${path}: ${answer.text.slice(0, 200)}`);
    if (path === '' || path.startsWith('/m/')) assert.not.match(answer.text, 'Hello Ada');
    else assert.is(answer.json.error.code, code, `${method} ${path}`);
  }
  const send = await bench.request(`/v1/sends/${id}`, { key: bench.testKey });
  assert.is(send.body.events.length, 2, 'a refused report took effect');
}

const test = suite('access to the inbox');

test('in development, every route answers on this machine', () =>
  withInbox({}, async (bench, id) => {
    for (const [method, path, body] of routesOf(id)) {
      const { status, text } = await bench.ask(path, { method, body });
      assert.ok(status === 200 || status === 204, `${method} ${path}: ${status} ${text}`);
    }
  }));

test('in production the inbox has no route and no file, for any caller', () =>
  withInbox({ environment: 'production' }, async (bench, id) => {
    await expectRefusals(bench, id, {}, [404, 'route_not_found']);
    const unknown = await bench.ask('/../nothing');
    const { json } = await bench.ask('');
    assert.is(json.error.code, unknown.json.error.code);
    for (const method of ['OPTIONS', 'PUT', 'POST', 'DELETE']) {
      const { status, headers } = await bench.ask('/messages', { method });
      assert.equal([status, headers['Allow']], [404, undefined], method);
    }
  }));

/** An inbox with a sign-in: `signIn.present` is the member who is signed in. */
function withSignIn(
  options: Parameters<typeof withInbox>[0],
  run: (bench: InboxBench, id: string, signIn: { present: MemberAccess | SignInNeeded | null }) => Promise<void>,
): Promise<void> {
  const signIn: { present: MemberAccess | SignInNeeded | null } = { present: null };
  return withInbox({ access: () => signIn.present, ...options }, (bench, id) => {
    signIn.present = staff([bench.workspaceId]);
    return run(bench, id, signIn);
  });
}

test('in production with a sign-in, messages are stored for the members that `access` names', () =>
  withSignIn({ environment: 'production' }, async (bench, id) => {
    const otherMachine = { headers: { host: 'app.example.com' }, address: '203.0.113.7' };
    const { status, json } = await bench.ask('/messages', otherMachine);
    assert.equal([status, json.data[0].id], [200, id]);
  }));

const strangers: Readonly<Record<string, { headers?: Record<string, string>; address?: string }>> = {
  'a rebound name': { headers: { host: 'attacker.example' } },
  'a rebound name with a port': { headers: { host: 'attacker.example:3000' } },
  'a name that begins with localhost': { headers: { host: 'localhost.attacker.example' } },
  'a name that ends with localhost': { headers: { host: 'notlocalhost' } },
  'localhost behind another name': { headers: { host: 'attacker.example@localhost' } },
  'the address of all interfaces': { headers: { host: '0.0.0.0:3000' } },
  'a proxy that names another host': { headers: { 'x-forwarded-host': 'app.example.com' } },
  'a proxy that names a client': { headers: { 'x-forwarded-for': '203.0.113.7, 127.0.0.1' } },
  'a proxy with the standard header': { headers: { forwarded: 'for="[2001:db8::1]:4711";host=localhost' } },
  'a client of the internet behind Cloudflare': { headers: { 'cf-connecting-ip': '203.0.113.7' } },
  'a client of the internet behind Akamai': { headers: { 'true-client-ip': '203.0.113.7' } },
  'a proxy on another machine': { headers: { via: '1.1 proxy.example' } },
  'a proxy that does not name its client': { headers: { 'x-forwarded-proto': 'https' } },
  'a neighbour': { address: '192.168.1.20' },
  'a neighbour behind a proxy on this machine': { headers: { 'x-real-ip': '10.0.0.7' } },
  'a client of the internet': { address: '203.0.113.7' },
  'a client of the internet over IPv6': { address: '2001:db8::1' },
};
for (const [name, request] of Object.entries(strangers)) {
  test(`without a sign-in, ${name} is refused`, () =>
    withInbox({}, (bench, id) => expectRefusals(bench, id, request, [403, 'inbox_not_local'])));
}

test('a caller on this machine is admitted under all its names, and through its own proxy', () =>
  withInbox({}, async (bench) => {
    for (const host of [
      'localhost',
      'LOCALHOST:80',
      'shop.localhost:3000',
      '127.0.0.1:3000',
      '127.9.9.9',
      '[::1]:3000',
    ])
      assert.is((await bench.ask('/messages', { headers: { host } })).status, 200, host);
    for (const address of ['::1', '::ffff:127.0.0.1'])
      assert.is((await bench.ask('/messages', { address })).status, 200, address);
    const headers = {
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'localhost:5173',
      'x-forwarded-proto': 'http',
      via: '1.1 localhost:5173',
    };
    assert.is((await bench.ask('/messages', { headers })).status, 200);
  }));

test('private networks are admitted only if the program allows them, and other networks are never admitted', () =>
  withInbox({ privateNetworks: true }, async (bench) => {
    for (const address of ['127.0.0.1', '172.17.0.1', '192.168.65.1', 'fe80::1%eth0'])
      assert.is((await bench.ask('/messages', { address })).status, 200, address);
    assert.is((await bench.ask('/messages', { address: '203.0.113.7' })).status, 403);
    assert.is((await bench.ask('/messages', { headers: { host: '192.168.1.20' } })).status, 403);
  }));

test('a Request belongs to the host of its URL, and may have the address that the program passes', () =>
  withInbox({}, async ({ service }) => {
    const ask = async (url: string, address?: string) => (await service.fetch(new Request(url), { address })).status;
    assert.is(await ask('http://localhost/inbox/messages'), 200);
    assert.is(await ask('http://app.example.com/inbox/messages'), 403);
    assert.is(await ask('http://localhost/inbox/messages', '127.0.0.1'), 200);
    assert.is(await ask('http://localhost/inbox/messages', '203.0.113.7'), 403);
    const unknown = await service.dispatch({ method: 'GET', url: '/inbox/messages', headers: {}, body: undefined });
    assert.is(unknown.status, 403);
  }));

test('if a page was requested, the refusal is a page without a script', () =>
  withInbox({}, async (bench) => {
    const { status, headers, text } = await bench.ask('', { headers: { host: 'attacker.example' } });
    assert.is(status, 403);
    assert.is(headers['Content-Type'], 'text/html; charset=utf-8');
    assert.match(text, 'createService({ access })');
    assert.not.match(text, '<script');
    const hostile = await bench.ask('', { headers: { host: '"><script>alert(1)</script>' } });
    assert.not.match(hostile.text, '<script');
  }));

const crossSite: Readonly<Record<string, Record<string, string>>> = {
  'fetched by another site': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
  'fetched from another port': { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
  'shown in a picture': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  'framed by another site': {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'iframe',
  },
};
for (const [name, headers] of Object.entries(crossSite)) {
  test(`a request that is ${name} is refused`, () =>
    withInbox({}, (bench, id) => expectRefusals(bench, id, { headers }, [403, 'inbox_cross_site'])));
}

test('a link on another site opens the page, but a form on another site changes nothing', () =>
  withInbox({}, async (bench, id) => {
    const visit = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    assert.is((await bench.ask(`/m/${id}`, { headers: visit })).status, 200);
    const post = await bench.ask(`/messages/${id}/seen`, { method: 'POST', headers: visit });
    assert.is(post.json.error.code, 'inbox_cross_site');
    assert.is((await bench.messages())[0].unread, true);
  }));

test('without fetch metadata, a change from another origin is refused, but a change from the same origin is not', () =>
  withSignIn({}, async (bench, id) => {
    const change = (origin: string, host = 'app.example.com') =>
      bench.ask(`/messages/${id}/seen`, { method: 'POST', headers: { host, origin } });
    for (const origin of ['https://attacker.example', 'null', 'https://app.example.com:8443', 'nonsense'])
      assert.is((await change(origin)).json.error.code, 'inbox_cross_site', origin);
    assert.is((await change('https://app.example.com')).status, 204);
    assert.is((await change('http://localhost:3000', 'localhost:3000')).status, 204);
  }));

const browserHeaders = { accept: 'text/html,*/*;q=0.8', host: 'app.example.com' };

test('access is called for every request, and every route refuses a visitor who is not signed in', async () => {
  const urls: PageRequest[] = [];
  let workspaceId = '';
  const access = async (request: PageRequest): Promise<MemberAccess | null> => {
    urls.push(request);
    return request.cookies['session'] === 'admin ok' ? staff([workspaceId]) : null;
  };
  await withInbox({ environment: 'production', access }, async (bench, id) => {
    ({ workspaceId } = bench);
    await expectRefusals(bench, id, { headers: { cookie: 'session=guest' } }, [401, 'inbox_access_denied']);
    const page = await bench.ask('', { headers: { host: 'app.example.com' } });
    assert.match(page.text, 'Sign in first');
    urls.length = 0;
    const headers = { host: 'app.example.com', cookie: 'a=b; session="admin%20ok"', authorization: 'Basic x' };
    assert.is((await bench.ask('/messages?q=x', { headers, address: '203.0.113.7' })).status, 200);
    const [request] = urls;
    assert.equal([request?.method, request?.url, request?.address], ['GET', '/inbox/messages?q=x', '203.0.113.7']);
    assert.is(request?.headers['authorization'], 'Basic x');
    assert.equal(request?.cookies, { a: 'b', session: 'admin ok' });
  });
});

test("a browser that opens the inbox is redirected to the program's sign-in and back, but calls of the page get 401", () =>
  withSignIn({ environment: 'production', publicUrl: 'https://app.example.com/m' }, async (bench, id, signIn) => {
    signIn.present = { signInUrl: '/sign-in' };
    const page = await bench.ask(`/m/${id}?view=text`, { headers: browserHeaders });
    const back = encodeURIComponent(`/m/inbox/m/${id}?view=text`);
    assert.equal([page.status, page.headers['Location']], [303, `/sign-in?return_to=${back}`]);
    const ofPage = { ...browserHeaders, 'sec-fetch-site': 'same-origin' };
    const calls: readonly (readonly [string, string, Record<string, string>])[] = [
      ['GET', '/messages', { host: 'app.example.com', accept: '*/*' }],
      ['GET', `/messages/${id}/html`, { ...ofPage, 'sec-fetch-dest': 'iframe' }],
      ['POST', `/messages/${id}/seen`, ofPage],
    ];
    for (const [method, path, headers] of calls) {
      const { status, json } = await bench.ask(path, { method, headers });
      assert.equal([status, json.error.code], [401, 'inbox_access_denied'], `${method} ${path}`);
    }
  }));

test('reading needs sends:read, and losing it takes effect at once', () =>
  withSignIn({ environment: 'production' }, async (bench, id, signIn) => {
    signIn.present = staff([bench.workspaceId], { scopes: ['sends:read'] });
    assert.is((await bench.messages())[0].id, id);
    signIn.present = staff([bench.workspaceId], { scopes: ['templates:read'] });
    await expectRefusals(bench, id, {}, [403, 'inbox_scope_missing']);
    const page = await bench.ask('', { headers: browserHeaders });
    assert.match(page.text, 'Not for your role');
    assert.match(page.text, 'Your role does not include sends:read.');
  }));

test('deleting and reporting need templates:send, and the page knows whether the reader has it', () =>
  withSignIn({ environment: 'production' }, async (bench, id, signIn) => {
    signIn.present = staff([bench.workspaceId], { scopes: ['sends:read'] });
    for (const [method, path, body] of [
      ['DELETE', '/messages'],
      ['DELETE', `/messages/${id}`],
      ['POST', `/messages/${id}/reports`, { type: 'hard_bounce' }],
    ] as const) {
      const { status, json } = await bench.ask(path, { method, body });
      assert.equal([status, json.error.code], [403, 'inbox_scope_missing'], `${method} ${path}`);
      assert.match(json.error.message, 'templates:send');
    }
    assert.is((await bench.ask(`/messages/${id}/seen`, { method: 'POST' })).status, 204);
    const mayChange = async () => (await bench.ask('/workspaces')).json.data[0].may_change;
    assert.is(await mayChange(), false);
    signIn.present = staff([bench.workspaceId], { scopes: ['templates:send'] });
    assert.is(await mayChange(), true);
    assert.equal((await bench.ask('/messages', { method: 'DELETE' })).json, { deleted: 1 });
  }));

test('the page and the mail link to the console', () =>
  withSignIn({}, async (bench, id) => {
    const { text } = await bench.ask(`/m/${id}?workspace=${bench.workspaceId}`);
    assert.match(text, `href="../../console?workspace=${bench.workspaceId}"`);
    assert.is((await bench.ask('/workspaces')).json.console, './../console');
    assert.match((await bench.ask('/phone')).text, '<b>Console</b>');
  }));

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

test('if access throws an error, nobody is admitted', () =>
  withInbox(
    {
      logger: silent,
      access: () => {
        throw new Error('the session store is down');
      },
    },
    (bench, id) => expectRefusals(bench, id, {}, [500, 'internal_error']),
  ));

test('if access returns an invalid value, nobody is admitted', () =>
  withInbox({ logger: silent, access: () => ({ workspaces: 'all' }) as never }, (bench, id) =>
    expectRefusals(bench, id, {}, [401, 'inbox_access_denied']),
  ));

test('names and addresses are matched exactly', () => {
  for (const host of ['localhost:3000', 'a.b.localhost', '127.1.2.3:1', '[::1]']) assert.ok(isLoopbackHost(host), host);
  for (const host of [
    '',
    'localhost:3000:1',
    'localhost/x',
    '127.0.0.1.example',
    '128.0.0.1',
    '[::2]',
    '2130706433',
    'local host',
  ])
    assert.not.ok(isLoopbackHost(host), host);
  for (const address of ['10.0.0.1', '127.0.0.1:4711', '[::1]:4711', 'fd00::1'])
    assert.ok(isLocalAddress(address, true), address);
  for (const address of ['10.0.0.1', 'fd00::1']) assert.not.ok(isLocalAddress(address, false), address);
  for (const address of ['', 'unknown', '11.0.0.1', '172.32.0.1', '::ffff:8.8.8.8', '2001:db8::1', 'localhost'])
    assert.not.ok(isLocalAddress(address, true), address);
});

test('cookies are read as browsers write them', () => {
  assert.equal(cookiesOf('a=1; b="two words"; a=2; =x; c; d=%E0%A4%A; __proto__=y'), {
    a: '1',
    b: 'two words',
    d: '%E0%A4%A',
    ['__proto__']: 'y',
  });
  assert.equal(cookiesOf(undefined), {});
});

test.run();
