// Texts that would become scripts if a page did not escape them: 40 forms, in every name that the lists and the search of the console
// show.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ConsoleBench, openConsoleBench } from '../support/console-bench.ts';
import { payloads } from '../support/html-payloads.ts';

const test = suite<{ bench: ConsoleBench }>('hostile texts in the console');

test.before(async (context) => {
  const bench = await openConsoleBench();
  const { calls } = bench;
  for (const [index, name] of payloads.entries()) {
    const list = await calls.lists.create({ name, description: name });
    await calls.segments.create({ name, description: name, filter: {} });
    await calls.broadcasts.create({
      name,
      audience: { include: [{ listId: list.listId }] },
      templateKey: 'order_receipt',
    });
    await calls.contacts.upsert({ external_id: name, attributes: { [name.slice(0, 60)]: name } });
    await calls.topics.create({ key: `t_${index}`, name, default: 'subscribed' });
    await calls.brand.create({ name, voice: { tone: name }, postal_address: name });
    await calls.blog.create({ title: name, body: name, excerpt: name });
    await calls.leadMagnets.create({ title: name, brief: name });
    await calls.designs.create({ name });
    await calls.templates.create({
      key: `k_${index}`,
      name,
      mode: 'html',
      subject: name.replace(/[{}]/g, ''),
      body: '<p>x</p>',
    });
    if (index < 20)
      await calls.webhooks.create({ url: `https://x.example/${index}`, events: ['*'], description: name });
    await calls.links.create({ destinationUrl: 'https://x.example/', slug: `s-${index}`, label: name });
  }
  context.bench = bench;
});
test.after(({ bench }) => bench.close());

const lists = [
  'lists',
  'segments',
  'broadcasts',
  'contacts',
  'topics',
  'brand',
  'blog',
  'lead-magnets',
  'designs',
  'templates',
];

test('no list shows a hostile text as HTML', async ({ bench }) => {
  for (const path of [...lists, 'webhooks', 'links']) {
    const { status, text } = await bench.page(`/${path}`);
    assert.is(status, 200, path);
    assert.ok(text.includes('alert(') || path === 'webhooks', `${path} does not show the texts`);
    assert.equal(
      payloads.filter((payload) => text.includes(payload)),
      [],
      path,
    );
  }
});

test('no detail page, search or filter shows a hostile text as HTML', async ({ bench }) => {
  for (const payload of payloads) {
    // The number of pages per minute is limited.
    bench.advanceClock(60_000);
    const query = new URLSearchParams({ q: payload, search: payload, to: payload, template: payload });
    const found = await bench.page(`/search?${query}`);
    assert.is(found.status, 200, payload);
    assert.not.ok(found.text.includes(payload), payload);
    for (const path of ['contacts', 'links', 'sends'])
      assert.not.ok((await bench.page(`/${path}?${query}`)).text.includes(payload), `${path} for ${payload}`);
    const { text } = found;
    const results = text.slice(text.indexOf('class="found"'));
    for (const [, href = ''] of results.matchAll(/<li><a href="\.\.\/[^/]+\/([^"?]+)/g)) {
      const one = await bench.page(`/${href}`);
      assert.is(one.status, 200, href);
      assert.not.ok(one.text.includes(payload), `${href} for ${payload}`);
    }
  }
});

test.run();
