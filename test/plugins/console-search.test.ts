// The search of the console finds objects on pages that the person may open, and no others. Also: a refused form keeps its values.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { png } from '../support/asset-files.ts';
import { type ConsoleBench, openConsoleBench } from '../support/console-bench.ts';

const test = suite<{ bench: ConsoleBench; ids: Readonly<Record<string, string>> }>('the search of the console');

test.before(async (context) => {
  const bench = await openConsoleBench();
  const { calls } = bench;
  const list = await calls.lists.create({ name: 'Spring readers' });
  const segment = await calls.segments.create({ name: 'Spring buyers', filter: {} });
  const broadcast = await calls.broadcasts.create({
    name: 'Spring sale',
    audience: { include: [{ listId: list.listId }] },
    templateKey: 'order_receipt',
  });
  const webhook = await calls.webhooks.create({ url: 'https://shop.example/springs', events: ['*'] });
  const link = await calls.links.create({ destinationUrl: 'https://shop.example/sale', slug: 'spring-sale' });
  const sequence = await calls.sequences.create({
    key: 'spring_welcome',
    name: 'Welcome',
    nodes: [],
  });
  const brand = await calls.brand.create({ name: 'Spring bakery' });
  const design = await calls.designs.create({ name: 'Spring card' });
  const asset = await calls.assets.create({ name: 'Spring photo', dataBase64: png().toString('base64') });
  const sms = await calls.sms.send({
    templateKey: 'auth_login_code',
    to: '+14155550123',
    variables: { code: '123456' },
  });
  const page = await calls.pages.create({ brief: 'A page.', slug: 'spring-course' });
  const post = await calls.blog.create({ title: 'Spring bread', body: 'Bread.' });
  const magnet = await calls.leadMagnets.create({ title: 'Bread in spring' });
  context.bench = bench;
  context.ids = {
    list: list.listId,
    segment: segment.segmentId,
    broadcast: broadcast.broadcastId,
    webhook: webhook.id,
    link: link.linkId,
    sequence: sequence.id,
    page: page.id,
    post: post.id,
    magnet: magnet.id,
    brand: brand.id,
    design: design.compositionId,
    asset: asset.assetId,
    sms: sms.id,
    ada: bench.ada.id,
    delivered: bench.delivered.id,
  };
});
test.after(({ bench }) => bench.close());
test.before.each(({ bench }) => {
  bench.signIn.present = bench.member();
});

/** The addresses of the results, without the workspace and the side. */
async function search({ page }: ConsoleBench, text: string, side = 'live'): Promise<string[]> {
  const { text: answer } = await page(`/search?${new URLSearchParams({ q: text, side })}`);
  const results = answer.slice(answer.indexOf('class="found"'));
  return [...results.matchAll(/<li><a href="\.\.\/[^/]+\/([^"]+)"/g)].map(([, path = '']) =>
    path.replace(/\?side=\w+(?:&amp;)?/, path.includes('&amp;') ? '?' : ''),
  );
}

const pathsOf = (ids: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  list: `lists/${ids['list']}`,
  segment: `segments/${ids['segment']}`,
  broadcast: `broadcasts/${ids['broadcast']}`,
  webhook: `webhooks/${ids['webhook']}`,
  link: `links/${ids['link']}`,
  sequence: `sequences/${ids['sequence']}`,
  page: `pages/${ids['page']}`,
  post: `blog/${ids['post']}`,
  magnet: `lead-magnets/${ids['magnet']}`,
  brand: `brand/${ids['brand']}`,
  design: `designs/${ids['design']}`,
  asset: `assets/${ids['asset']}`,
  sms: `sms?sms=${ids['sms']}`,
  ada: `contacts/${ids['ada']}`,
  delivered: `sends/${ids['delivered']}`,
});

test('the beginning of a name, of a key or of any word in a name finds objects of every page', async ({
  bench,
  ids,
}) => {
  const paths = pathsOf(ids);
  const kinds = ['list', 'segment', 'broadcast', 'webhook', 'link', 'sequence', 'page', 'post', 'magnet'];
  const expected = [...kinds, 'brand', 'design', 'asset'].map((kind) => paths[kind]).sort();
  assert.equal((await search(bench, 'SPRING')).sort(), expected);
  assert.equal(await search(bench, 'spring_w'), [paths['sequence']]);
  assert.equal(await search(bench, 'order_rec'), ['templates/order_receipt']);
});

test('a search for an id finds only the page of its object', async ({ bench, ids }) => {
  for (const [kind, path] of Object.entries(pathsOf(ids)))
    assert.equal(await search(bench, ids[kind] ?? ''), [path], kind);
});

test('an address finds the contact and their mail, and the name of a page finds the page', async ({ bench, ids }) => {
  const results = await search(bench, ' Ada@Example.com ');
  assert.equal(results, [`sends/${ids['delivered']}`, 'sends?to=Ada%40Example.com', `contacts/${ids['ada']}`]);
  assert.equal(await search(bench, 'user_1'), [`contacts/${ids['ada']}`]);
  assert.equal(await search(bench, 'suppr'), ['suppressions']);
});

test('the beginning of a phone number finds the SMS to this number, and the link leads to this SMS', async ({
  bench,
  ids,
}) => {
  const path = `sms?sms=${ids['sms']}`;
  assert.equal(await search(bench, '+1415555'), [path]);
  assert.match((await bench.page(`/${path}`)).text, /\+14155550123/);
  assert.match((await bench.page('/sms?sms=txm_none')).text, 'No SMS matches these filters.');
});

test('the search hides objects that the person may not see, and objects of the other side and of other workspaces', async ({
  bench,
  ids,
}) => {
  assert.equal(await search(bench, 'ada@example.com', 'sandbox'), []);
  assert.equal(await search(bench, ids['broadcast'] ?? '', 'sandbox'), []);
  const other = await bench.service.workspaces.create({
    name: 'Other',
    defaultFrom: { email: 'hello@other.example', name: 'Other' },
  });
  const foreign = await bench.service.as(other.id).lists.create({ name: 'Foreign' });
  assert.equal(await search(bench, foreign.listId), []);
  assert.equal(await search(bench, 'Foreign'), []);
  bench.signIn.present = bench.member(['contacts:read']);
  assert.equal(await search(bench, 'spring'), []);
  assert.equal(await search(bench, 'ada@example.com'), [`contacts/${ids['ada']}`]);
});

test('the answer to a text that is too short, too long or hostile is a sentence', async ({ bench }) => {
  for (const text of ['', 'a', 'x'.repeat(255)])
    assert.match((await bench.page(`/search?q=${text}`)).text, 'Write 2 to 254 characters');
  for (const text of [
    '%_\\',
    '<script>alert(1)</script>',
    'a\u0000b',
    '🦩🦩',
    'con_',
    'snd_x',
    `seq_${'y'.repeat(240)}`,
  ]) {
    const answer = await bench.page(`/search?${new URLSearchParams({ q: text })}`);
    assert.is(answer.status, 200, text);
    assert.match(answer.text, 'Nothing here has this id', text);
    assert.not.match(answer.text, '<script>alert');
  }
});

test('a refused form stays open and keeps its values', async ({ bench }) => {
  const values = { url: 'ftp://shop.example/"hooks"', events: 'send.bounced', description: 'The <shop>' };
  const refusal = await bench.post('/webhooks', { action: 'create', key: 'refused-1', ...values });
  assert.is(refusal.status, 422);
  assert.match(refusal.text, 'Nothing was changed.');
  assert.match(refusal.text, '<details class="action" open>');
  assert.match(refusal.text, 'value="ftp://shop.example/&quot;hooks&quot;"');
  assert.match(refusal.text, /<textarea name="events"[^>]*>send\.bounced<\/textarea>/);
  assert.match(refusal.text, 'value="The &lt;shop&gt;"');
  assert.not.match(refusal.text, 'value="refused-1"');
  assert.not.match((await bench.page('/webhooks')).text, '<details class="action" open>');
});

test.run();
