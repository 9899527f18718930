// own-process: it sets the time zone of the process.
// Untrusted feeds: how much of a feed is parsed and kept, and dates that every machine reads in the same way.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rssNews } from '../../adapters/news/rss.ts';
import { boundedFeed } from '../../adapters/news/rss-bounds.ts';
import { readFeed } from '../../adapters/news/rss-feed.ts';
import { localOutgoing } from '../../hosts/testing/index.ts';
import { type LoggedLine, sampleNewsOptions } from '../../plugins/content-plan/testing/index.ts';
import { rssOf, startFeedServer } from '../support/feed-server.ts';

const test = suite('untrusted feeds');

const feedUrl = 'https://grain.example/news/feed';
const fill = (text: string, size = 1_000_000): string => text.repeat(Math.ceil(size / text.length));
const rss = (inner: string): string => `<rss version="2.0"><channel><title>G</title>${inner}</channel></rss>`;
const titlesOf = (document: string): string[] => readFeed(boundedFeed(document), feedUrl).map(({ title }) => title);

const tooMuch: Readonly<Record<string, string>> = {
  'one tag after another': rss(fill('<b/>')),
  'tags inside of tags': rss(fill('<a>')),
  'tags with different names': rss(Array.from({ length: 90_000 }, (_, index) => `<b${index}/>`).join('')),
  'a tag with many attributes': rss(`<item><title ${fill('a="b" ')}>x</title></item>`),
  'tags with many attributes': rss(fill(`<item ${fill('a="b" ', 8_000)}/>`)),
  'one namespace after another': rss(fill('<x xmlns:a="b"/>')),
  comments: rss(fill('<!-- x -->')),
  instructions: rss(fill('<?a b?>')),
  'parts of a text': rss(`<item><title>${fill('<![CDATA[a]]>')}</title></item>`),
  'declared entities': `<!DOCTYPE x [${fill('<!ENTITY a "b">')}]>${rss('')}`,
  'lists inside of lists': `{"version":"https://jsonfeed.org/version/1.1","items":${fill('[')}`,
  'many objects': `{"version":"https://jsonfeed.org/version/1.1","items":[${fill('{},')}{}]}`,
};
for (const [name, document] of Object.entries(tooMuch))
  test(`too much markup is not parsed: ${name}`, () => {
    assert.throws(() => boundedFeed(document), /^It has too much markup\.$/);
  });

test('the items at both ends of a long feed are parsed, in ascending and descending order', () => {
  const items = Array.from({ length: 5_000 }, (_, index) => ({
    ...{ title: `t${index}`, link: `/${index}`, guid: `${index}`, description: '<![CDATA[<p>Up</item> & down</p>]]>' },
    pubDate: new Date(Date.parse('2026-11-20T10:00:00Z') - index * 60_000).toUTCString(),
  }));
  for (const orderedItems of [items, items.toReversed()]) {
    const document = rssOf('Grain', orderedItems);
    assert.ok(boundedFeed(document).length < document.length / 10);
    const titles = titlesOf(document);
    assert.equal([titles.length, titles[0], titles[99]], [100, 't0', 't99']);
  }
});

test('text that only looks like an item boundary stays complete', () => {
  const texts = [
    "<description><p class=it's>One</p></description>",
    '<description><![CDATA[</item><item>]]></description>',
    '<!-- <item> --><description>Two</description>',
    '<category domain="a > b">Three</category>',
  ];
  const items = texts.map((text, index) => `<item><title>t${index}</title><link>/${index}</link>${text}</item>`);
  const document = rss(items.join('\n'));
  assert.is(boundedFeed(document), document);
  assert.equal(titlesOf(document), ['t0', 't1', 't2', 't3']);
  const atom = `<a:feed xmlns:a="http://www.w3.org/2005/Atom">${fill('<a:entry><a:id>1</a:id></a:entry>', 60_000)}</a:feed>`;
  assert.is(boundedFeed(atom).match(/<a:entry>/g)?.length, 300);
});

test('entities that refer to others are not expanded, and external entities are not read', () => {
  const entry = rss('<item><title>&b;&c;</title><link>/1</link></item>');
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "${'&a;'.repeat(10)}">]>`;
  assert.equal(titlesOf(bomb + entry), ['&b;&c;']);
  assert.throws(
    () => titlesOf(`<!DOCTYPE x [<!ENTITY c SYSTEM "file:///etc/passwd">]>${entry}`),
    /Invalid feed format/,
  );
});

test('an id or address as long as a feed is not kept', () => {
  const document = rssOf('G', [
    { title: 'a', link: `/${fill('a', 3_000)}` },
    { title: 'b', link: '/b', guid: fill('g', 500_000) },
  ]);
  assert.equal(
    readFeed(boundedFeed(document), feedUrl).map(({ id }) => id),
    [`${feedUrl} https://grain.example/b`],
  );
});

test('scripts and invalid addresses are not part of an item', () => {
  const document = rss(
    `<item><title>&lt;script&gt;alert(1)&lt;/script&gt;Rye&lt;img src=x onerror=alert(1)&gt;</title><link>/rye</link>
     <description><![CDATA[<svg onload=alert(1)>x</svg>&lt;iframe src="javascript:1"&gt;Poor]]></description></item>
     <item><title>b</title><link>java\tscript:alert(1)</link></item>
     <item><title>c</title><link>data:text/html,x</link></item>`,
  );
  const titles = readFeed(boundedFeed(document), feedUrl);
  assert.equal(
    titles.map(({ title, url }) => [title, url]),
    [['Rye', 'https://grain.example/rye']],
  );
  assert.not.match(titles[0]?.excerpt ?? '', /[<>]/);
});

test('redirects to private addresses or files are not followed', async () => {
  const server = await startFeedServer();
  const outgoing = localOutgoing();
  const lines: LoggedLine[] = [];
  const targets = [
    'https://169.254.169.254/',
    'http://10.0.0.7/',
    'https://[fd00::1]/',
    'file:///etc/passwd',
    '//a@[::]',
  ];
  for (const [index, location] of targets.entries())
    server.answers.set(`/${index}`, { status: 302, headers: { location } });
  server.answers.set('/large', { body: rss(fill('<b/>')) });
  const source = rssNews({ feeds: [...server.answers.keys()].map((path) => server.url + path) });
  try {
    assert.equal(await source.latest('ws_1', sampleNewsOptions({ outgoing }, lines)), []);
    const causes = lines.map(({ fields }) => String(fields['cause']));
    assert.is(causes.length, targets.length + 1, causes.join(' | '));
    assert.ok(causes.includes('It has too much markup.'), causes.join(' | '));
  } finally {
    await source.close?.();
    await outgoing.close();
    await server.close();
  }
});

test('a date without a zone is in UTC, in every time zone of the machine', () => {
  const { TZ } = process.env;
  process.env['TZ'] = 'America/New_York';
  try {
    assert.is(new Date(2026, 0).getTimezoneOffset(), 300, 'the test does not run in the expected time zone');
    const dates = {
      '2026-11-20T10:00:00': '2026-11-20T10:00:00.000Z',
      '2026-11-20 10:00': '2026-11-20T10:00:00.000Z',
      '2026-11-20': '2026-11-20T00:00:00.000Z',
      'Fri, 20 Nov 2026': '2026-11-20T00:00:00.000Z',
      'Nov 20 2026': '2026-11-20T00:00:00.000Z',
      '11/20/2026 10:00 PM': '2026-11-20T22:00:00.000Z',
      'Fri, 20 Nov 2026 10:00:00 EST': '2026-11-20T15:00:00.000Z',
      'Fri, 20 Nov 2026 10:00:00 Z': '2026-11-20T10:00:00.000Z',
      'Fri, 20 Nov 2026 10:00:00 UT': '2026-11-20T10:00:00.000Z',
    };
    for (const [pubDate, expected] of Object.entries(dates)) {
      const at = readFeed(rssOf('G', [{ title: 'a', link: '/a', pubDate }]), feedUrl)[0]?.publishedAt;
      assert.is(at === undefined ? undefined : new Date(at).toISOString(), expected, pubDate);
    }
  } finally {
    if (TZ === undefined) delete process.env['TZ'];
    else process.env['TZ'] = TZ;
  }
});

test.run();
