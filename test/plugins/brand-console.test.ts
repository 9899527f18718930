// The pages of brands in the console: who sees them, what they show, and their forms.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ConsoleBench, openConsoleBench } from '../support/console-bench.ts';

const test = suite<{ bench: ConsoleBench }>('the pages of brands');

test.before.each(async (context) => {
  context.bench = await openConsoleBench();
});
test.after.each(({ bench }) => bench.close());

const hostile = '<b>Bold</b> & "more"';
const escaped = '&lt;b&gt;Bold&lt;/b&gt; &amp; &quot;more&quot;';

/** The texts of the pictures that the page contains. */
const picturesIn = (text: string): string[] =>
  [...text.matchAll(/data:image\/svg\+xml;base64,([^"]+)"/g)].map(([, source = '']) =>
    Buffer.from(source, 'base64').toString(),
  );

test('a brand is created and shown in the list with its colours', async ({ bench }) => {
  assert.match((await bench.page('/brand')).text, 'A brand is the look and the voice');
  assert.is((await bench.post('/brand', { action: 'create', key: 'k1', name: hostile })).status, 303);
  const [brand] = (await bench.calls.brand.list()).data;
  const { text } = await bench.page('/brand');
  assert.match(text, new RegExp(`brand/${brand?.id}\\?side=live">${escaped}</a>`));
  assert.match(text, 'pill info">Default');
  assert.match(picturesIn(text)[0] ?? '', `fill="${brand?.palette.primary}"`);
});

test('the forms change name, voice, colours and sender, and the audit names the person', async ({ bench }) => {
  const { id } = await bench.calls.brand.create({ name: 'Bakery' });
  const act = (action: string, fields: Readonly<Record<string, string>> = {}) =>
    bench.post(`/brand/${id}`, { action, key: `key-${action}`, ...fields });
  const voice = {
    name: hostile,
    tone: 'Warm',
    do: 'Say what is next\r\n\r\nBe short',
    dont: '',
    personality: '',
    sample: '',
  };
  assert.is((await act('voice', voice)).status, 303);
  assert.is((await act('colours', { primary: '#aa0000', text: '#eeeeee', background: '#ffffff' })).status, 303);
  const sender = { postalAddress: 'Bakery\nStreet 1', imprint: 'https://bakery.example/imprint', privacy: '' };
  assert.is((await act('sender', sender)).status, 303);
  const brand = await bench.calls.brand.read({ id });
  assert.equal(
    [brand.name, brand.voice.tone, brand.voice.do, brand.voice.dont, brand.palette.primary],
    [hostile, 'Warm', ['Say what is next', 'Be short'], [], '#aa0000'],
  );
  assert.equal(
    [brand.postal_address, brand.imprint_url, brand.privacy_url],
    ['Bakery\nStreet 1', 'https://bakery.example/imprint', null],
  );
  const { text } = await bench.page(`/brand/${id}`);
  assert.match(text, `<h1 dir="auto">${escaped}</h1>`);
  assert.not.match(text, hostile);
  assert.match(text, '<li dir="auto">Be short</li>');
  assert.match(text, /conclusion wait"><p dir="auto">[^<]*contrast/i);
  assert.match(picturesIn(text)[0] ?? '', 'fill="#aa0000"');
  const refusal = await bench.post(`/brand/${id}`, { action: 'colours', key: 'k9', primary: 'red"><script>' });
  assert.equal([refusal.status, refusal.text.includes('Nothing was changed.')], [422, true]);
  const { data } = await bench.calls.audit.list({ action: 'brand.update' });
  assert.equal([data.length, data.every(({ actor }) => actor.user === 'u_sue')], [3, true]);
});

test('another brand can become the default', async ({ bench }) => {
  const first = await bench.calls.brand.create({ name: 'First' });
  const second = await bench.calls.brand.create({ name: 'Second' });
  assert.not.match((await bench.page(`/brand/${first.id}`)).text, 'value="makeDefault"');
  assert.is((await bench.post(`/brand/${second.id}`, { action: 'makeDefault', key: 'k' })).status, 303);
  assert.is((await bench.calls.brand.read({ id: 'default' })).id, second.id);
});

test('a person who may only read sees no form, and on the sandbox side nothing can be changed', async ({ bench }) => {
  const { id } = await bench.calls.brand.create({ name: 'Bakery' });
  assert.not.match((await bench.page(`/brand/${id}?side=sandbox`)).text, 'method="post"');
  bench.signIn.present = bench.member(['brand:read']);
  for (const path of ['/brand', `/brand/${id}`]) assert.not.match((await bench.page(path)).text, 'method="post"', path);
  assert.is((await bench.post(`/brand/${id}`, { action: 'makeDefault', key: 'k' })).status, 422);
  bench.signIn.present = bench.member(['contacts:read']);
  for (const path of ['/brand', `/brand/${id}`]) assert.is((await bench.page(path)).status, 403, path);
});

test('a brand of another workspace is not found', async ({ bench }) => {
  const { id } = await bench.service.as(bench.foreignWorkspaceId).brand.create({ name: 'Theirs' });
  assert.is((await bench.page(`/brand/${id}`)).status, 404);
  assert.is((await bench.post(`/brand/${id}`, { action: 'voice', key: 'k', name: 'Mine' })).status, 404);
});

test.run();
