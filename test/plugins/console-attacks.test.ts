// The console under attack: ids of others, scripts in stored texts, frames, forms of other sites, missing and lost scopes.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { contentOf, isPage } from '../../plugins/console/navigation.ts';
import { entriesFor } from '../../plugins/console/overview-page.ts';
import { browserHeaders, type ConsoleBench, formHeaders, openConsoleBench } from '../support/console-bench.ts';

const test = suite<{ bench: ConsoleBench }>('the console under attack');

test.before(async (context) => {
  context.bench = await openConsoleBench();
});
test.after(({ bench }) => bench.close());
test.before.each(({ bench }) => {
  bench.signIn.present = bench.member();
});

test('unknown ids get the same answer as ids of another workspace or of the other side', async ({ bench }) => {
  const foreign = bench.service.as(bench.foreignWorkspaceId);
  const { id } = await foreign.contacts.upsert({ email: 'foreign@example.com' });
  const sandbox = await bench.service
    .as(bench.workspaceId, { sandbox: true })
    .contacts.upsert({ email: 's@example.com' });
  const missing = 'con_01KQ1ZJ5T8V6W3X9Y2A4B7C8D9';
  const messages = new Set<string>();
  for (const one of [id, sandbox.id, missing]) {
    const { status, text } = await bench.page(`/contacts/${one}`);
    assert.is(status, 404);
    messages.add(text.replaceAll(one, '').replace(/req_\w+/, ''));
  }
  assert.is(messages.size, 1);
  const other = await bench.ask(`/${bench.foreignWorkspaceId}/contacts`, browserHeaders);
  const unknown = await bench.ask('/ws_01KQ1ZJ5T8V6W3X9Y2A4B7C8D9/contacts', browserHeaders);
  assert.is(other.status, 404);
  assert.is(unknown.status, 404);
  assert.not.match(other.text, 'Foreign');
  assert.not.match((await bench.page('/contacts?search=foreign@example.com')).text, id);
});

test('a person sees only the sides for which they have access', async ({ bench }) => {
  bench.signIn.present = {
    ...bench.member(),
    workspaces: [{ id: bench.workspaceId, scopes: 'full', sides: ['sandbox'] }],
  };
  assert.is((await bench.page('/contacts?side=live')).status, 404);
  assert.is((await bench.page('/contacts')).status, 200);
  assert.not.match((await bench.page('/contacts')).text, 'ada@example.com');
  const answer = await bench.post(`/sends/${bench.kept.id}?side=live`, { action: 'cancel', key: 'k' });
  assert.is(answer.status, 404);
});

test('stored texts are never interpreted as HTML', async ({ bench }) => {
  const evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
  const { id } = await bench.calls.contacts.upsert({
    email: 'evil@example.com',
    external_id: evil,
    attributes: { [evil.slice(0, 60)]: evil },
  });
  await bench.calls.events.emit({ type: 'order.placed', contact: { id }, metadata: { note: evil } });
  const draft = { name: evil, mode: 'html', subject: `${evil} {{ x }}` } as const;
  await bench.calls.templates.create({ ...draft, key: 'evil_draft', body: evil });
  await bench.calls.templates.create({ ...draft, key: 'evil', body: '<p>{{ x }}</p>' });
  await bench.calls.templates.publish({ key: 'evil' });
  const send = await bench.calls.email.send({
    template: 'evil',
    to: 'evil@example.com',
    variables: { x: evil },
    tags: ['<b>tag</b>'],
    metadata: { note: evil },
  });
  await bench.drain();
  const paths = [
    '/contacts',
    `/contacts?search=${encodeURIComponent(evil)}`,
    `/contacts/${id}`,
    `/contacts/${id}?template=${encodeURIComponent(evil)}`,
    '/sends',
    `/sends?to=${encodeURIComponent(evil)}`,
    `/sends/${send.id}`,
    '/templates',
    '/templates/evil',
    '/templates/evil_draft',
    `/nothing/${encodeURIComponent(evil)}`,
    `/contacts/${encodeURIComponent(evil)}`,
    `/sends?side=${encodeURIComponent(evil)}`,
    `/sends/${send.id}?done=${encodeURIComponent(evil)}`,
  ];
  for (const path of paths) {
    const { text } = await bench.page(path);
    assert.is(text.match(/<script/g)?.length, 1, `${path} has a script that is not the console's`);
    assert.not.match(text, '<img', path);
    assert.not.match(text, '<b>tag', path);
  }
  const preview = await bench.page('/templates/evil_draft/preview?copy=working');
  assert.not.match(preview.text, '<script');
  assert.match(preview.headers['Content-Security-Policy'] ?? '', /default-src 'none'.*; sandbox$/);
  assert.match(preview.headers['Content-Security-Policy'] ?? '', "frame-ancestors 'self'");
});

test('no page can be framed or sniffed, is cached, or runs inline scripts', async ({ bench }) => {
  for (const path of ['/contacts', `/contacts/${bench.ada.id}`, '/sends', '/templates', '/nothing']) {
    const { headers } = await bench.page(path);
    const policy = headers['Content-Security-Policy'] ?? '';
    for (const directive of ["default-src 'none'", "script-src 'self'", "style-src 'self'"])
      assert.ok(policy.split('; ').includes(directive), `${path}: ${directive}`);
    assert.match(policy, "frame-ancestors 'none'");
    assert.not.match(policy, 'unsafe');
    assert.is(headers['X-Frame-Options'], 'DENY');
    assert.is(headers['X-Content-Type-Options'], 'nosniff');
    assert.is(headers['Cache-Control'], 'no-store');
  }
});

test('forms and reads from other sites are refused, but a link to a page works', async ({ bench }) => {
  const { id } = await bench.send('ada@example.com', { send_at: '2026-11-21T12:00:00Z' });
  const form = { action: 'cancel', key: 'k1' };
  const { 'sec-fetch-site': _, ...old } = formHeaders;
  for (const headers of [
    { ...formHeaders, 'sec-fetch-site': 'cross-site' },
    { ...formHeaders, 'sec-fetch-site': 'same-site' },
    { ...old, origin: 'https://evil.example' },
    { ...old, origin: 'null' },
  ])
    assert.is((await bench.post(`/sends/${id}`, form, headers)).status, 403);
  assert.is((await bench.calls.sends.read({ id })).status, 'scheduled');
  const embedded = { ...browserHeaders, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
  assert.is((await bench.page('/contacts', embedded)).status, 403);
  const link = {
    ...browserHeaders,
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  };
  assert.is((await bench.page('/contacts', link)).status, 200);
});

test('without the scope the person sees neither the entry nor the page, and a lost scope has effect at once', async ({
  bench,
}) => {
  bench.signIn.present = bench.member(['contacts:read']);
  const contacts = await bench.page('/contacts');
  assert.is(contacts.status, 200);
  assert.not.match(contacts.text, '/sends');
  const sends = await bench.page('/sends');
  assert.is(sends.status, 403);
  assert.match(sends.text, 'Your role does not include sends:read');
  const contact = await bench.page(`/contacts/${bench.grace.id}`);
  assert.not.match(contact.text, bench.kept.id);

  const { id } = await bench.send('ada@example.com', { send_at: '2026-11-21T13:00:00Z' });
  bench.signIn.present = bench.member(['sends:read']);
  assert.not.match((await bench.page(`/sends/${id}`)).text, 'Cancel this send');
  const canceled = await bench.post(`/sends/${id}`, { action: 'cancel', key: 'k2' });
  assert.is(canceled.status, 422);
  assert.match(canceled.text, 'Nothing was changed.');
  bench.signIn.present = bench.member(['contacts:read']);
  assert.is((await bench.post(`/sends/${id}`, { action: 'cancel', key: 'k3' })).status, 403);
  assert.is((await bench.calls.sends.read({ id })).status, 'scheduled');
});

/** Every page that the composed plugins declare, with unknown ids in its path. */
const everyPage = ({ service }: ConsoleBench) =>
  Promise.all(
    entriesFor(service.core.ports, undefined)
      .filter(isPage)
      .map(async (page) => {
        const { actions = {} } = await contentOf(page);
        return { scopes: page.scopes, path: page.path.replace(/\{\w+\}/g, 'none'), actions };
      }),
  );

test('every page is closed to frames, caches, sniffing, other sites and strangers, and sets no cookie', async ({
  bench,
}) => {
  for (const { path, actions } of await everyPage(bench)) {
    bench.advanceClock(1_000);
    const { headers } = await bench.page(`/${path}`);
    assert.match(headers['Content-Security-Policy'] ?? '', /default-src 'none'.*frame-ancestors '(none|self)'/, path);
    assert.is(headers['X-Content-Type-Options'], 'nosniff', path);
    assert.is(headers['Cache-Control'], 'no-store', path);
    assert.is(headers['Set-Cookie'], undefined, path);
    const embedded = { ...browserHeaders, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
    assert.is((await bench.page(`/${path}`, embedded)).status, 403, path);
    for (const action of [...Object.keys(actions), 'none'])
      for (const site of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
        const answer = await bench.post(`/${path}`, { action, key: 'k' }, { ...formHeaders, ...site });
        assert.is(answer.status, 403, `${path}: ${action}`);
      }
    bench.signIn.present = null;
    assert.is((await bench.page(`/${path}`)).status, 401, path);
    for (const action of Object.keys(actions))
      assert.is((await bench.post(`/${path}`, { action, key: 'k' })).status, 401, `${path}: ${action}`);
    bench.signIn.present = bench.member();
  }
});

test('every page and each of its forms is refused as soon as one of its scopes is lost', async ({ bench }) => {
  const pages = await everyPage(bench);
  const all = [...bench.service.core.ports.scopes.preset('full')];
  for (const { path, scopes, actions } of pages)
    for (const lost of scopes) {
      bench.advanceClock(1_000);
      const others = all.filter((scope) => !bench.service.core.ports.scopes.expand([scope]).has(lost));
      bench.signIn.present = bench.member(others);
      const answer = await bench.page(`/${path}`);
      assert.is(answer.status, 403, `${path} without ${lost}`);
      const entry = `/${path}?side=`;
      assert.not.ok(!path.includes('/') && answer.text.includes(entry), `${path} without ${lost} is in the navigation`);
      for (const action of Object.keys(actions)) {
        const sent = await bench.post(`/${path}`, { action, key: `${path}-${lost}` });
        assert.is(sent.status, 403, `${path}: ${action} without ${lost}`);
      }
    }
  assert.ok(pages.length > 60);
});

test('a person who is not signed in is redirected to the sign-in and back, and their form is refused', async ({
  bench,
}) => {
  bench.signIn.present = { signInUrl: '/sign-in' };
  const page = await bench.page('/contacts?search=ada');
  assert.is(page.status, 303);
  const back = encodeURIComponent(`/console/${bench.workspaceId}/contacts?search=ada`);
  assert.is(page.headers['Location'], `/sign-in?return_to=${back}`);
  assert.is((await bench.post(`/sends/${bench.kept.id}`, { action: 'cancel', key: 'k' })).status, 401);
  bench.signIn.present = null;
  const refusal = await bench.page('/contacts');
  assert.is(refusal.status, 401);
  assert.not.match(refusal.text, 'ada@example.com');
  bench.signIn.present = { member: 'u_1' } as never;
  assert.is((await bench.page('/contacts')).status, 401);
});

test('without access control, the console answers this machine in development, and does not exist in production', async () => {
  const development = await openConsoleBench({ hasAccess: false });
  assert.is((await development.page('/contacts')).status, 200);
  const dispatch = development.service.dispatch;
  const elsewhere = await dispatch({
    method: 'GET',
    url: `/console/${development.workspaceId}/contacts`,
    headers: { host: 'app.example.com', ...browserHeaders },
    body: undefined,
    address: '203.0.113.7',
  });
  assert.is(elsewhere.status, 403);
  await development.close();
  const production = await openConsoleBench({ hasAccess: false, environment: 'production' });
  for (const path of ['/contacts', '', `/contacts/${production.ada.id}`])
    assert.is((await production.page(path)).status, 404);
  assert.is((await production.post('/contacts', { action: 'x', key: 'k' })).status, 404);
  await production.close();
});

test.run();
