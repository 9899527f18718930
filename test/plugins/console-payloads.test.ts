// Texts that become scripts where a page forgets to escape one place: 40 forms of them, in every name that the lists and the search of
// the console show.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ConsoleBench, openConsoleBench } from '../support/console-bench.ts';

const test = suite<{ bench: ConsoleBench }>('hostile texts in the console');

/** Elements, attributes, addresses, comments and ends of elements in which a text may stand. */
const payloads: readonly string[] = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//x.example></SCRIPT>',
  '</title><script>alert(2)</script>',
  '</textarea><script>alert(3)</script>',
  '</style><script>alert(4)</script>',
  '</option></select><script>alert(5)</script>',
  '<img src=x onerror=alert(6)>',
  '<img src="x`<script>alert(7)</script>"`>',
  '<svg/onload=alert(8)>',
  '<svg><script>alert(9)</script></svg>',
  '<svg><animate onbegin=alert(10) attributeName=x>',
  '<body onload=alert(11)>',
  '<iframe srcdoc="<script>alert(12)</script>">',
  '<iframe src=javascript:alert(13)>',
  '<object data="data:text/html,<script>alert(14)</script>">',
  '<embed src=//x.example>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(15)>',
  '<details open ontoggle=alert(16)>',
  '<input autofocus onfocus=alert(17)>',
  '<video><source onerror=alert(18)>',
  '<marquee onstart=alert(19)>',
  '<a href="javascript:alert(20)">x</a>',
  '<a href=" &#14; javascript:alert(21)">x</a>',
  '<base href=//x.example/>',
  '<meta http-equiv=refresh content="0;url=//x.example">',
  '<link rel=stylesheet href=//x.example>',
  '<form action=//x.example><button>x</button></form>',
  '" onmouseover="alert(22)',
  "' onmouseover='alert(23)",
  '"><script>alert(24)</script>',
  "'><script>alert(25)</script>",
  '" autofocus onfocus=alert(26) x="',
  '--><script>alert(27)</script>',
  ']]><script>alert(28)</script>',
  '#{alert(29)}<b>',
  '{{constructor.constructor("alert(30)")()}}<b>',
  '&lt;script&gt;alert(31)&lt;/script&gt;<b>',
  '<\u2028script>alert(32)</script>',
  '<scr<script>ipt>alert(33)</scr</script>ipt>',
  '\u202e<script>alert(34)</script>',
];

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

test('no list shows one as HTML', async ({ bench }) => {
  for (const path of [...lists, 'webhooks', 'links']) {
    const { status, text } = await bench.page(`/${path}`);
    assert.is(status, 200, path);
    assert.ok(text.includes('alert(') || path === 'webhooks', `${path} shows the texts`);
    assert.equal(
      payloads.filter((payload) => text.includes(payload)),
      [],
      path,
    );
  }
});

test('no page of one thing, no search and no filter shows one as HTML', async ({ bench }) => {
  for (const payload of payloads) {
    // Pages are limited by the minute.
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
