// The feed of the blog follows the rules that the W3C's feed validator tests, even with hostile titles and texts.
// full-run: slow
import { parseRssFeed } from 'feedsmith';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { feedFaults, readXml } from '../support/feed-rules.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { visit } from '../support/tracked-mail.ts';

const host = 'blog.acme.example';
const feedUrl = `https://${host}/blog/feed.xml`;

const rules = suite('the rules for feeds');

const item =
  '<title>A</title><link>https://a.example/1</link><guid isPermaLink="false">blog_1</guid><pubDate>Mon, 30 Nov 2026 10:00:00 GMT</pubDate><description>x</description>';
const feed = (items: string, channel = '') => `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>Acme</title><link>https://a.example/</link><description>Acme</description><language>de</language>${channel}<atom:link href="${feedUrl}" rel="self" type="application/rss+xml"/>${items}</channel></rss>`;

rules('a correct feed has no fault, and each wrong feed has the expected fault', () => {
  assert.equal(feedFaults(feed(`<item>${item}</item>`), feedUrl), []);
  for (const [wrong, fault] of [
    [feed(`<item>${item.replace('A<', 'A & B<')}</item>`), 'SAXError'],
    [feed(`<item>${item.replace('A<', 'A\u0001<')}</item>`), 'SAXError'],
    [feed(`<item>${item}`), 'SAXError'],
    [feed(`<item>${item.replace('A<', ' <')}</item>`), 'NotBlank'],
    [feed(`<item>${item.replace('A<', '&lt;b>A<')}</item>`), 'CharacterData'],
    [feed(`<item>${item.replace('>A<', '><![CDATA[A]]><')}</item>`), 'ContainsHTML'],
    [feed(`<item>${item}</item><item>${item}</item>`), 'DuplicateValue'],
    [feed(`<item>${item}<title>B</title></item>`), 'DuplicateElement'],
    [feed(`<item>${item.replace('https://a.example/1', '/1')}</item>`), 'InvalidFullLink'],
    [feed(`<item>${item.replace('example/1', 'example/ä')}</item>`), 'InvalidFullLink'],
    [feed(`<item>${item.replace('Mon,', 'Tue,')}</item>`), 'InvalidRFC2822Date'],
    [
      feed(`<item>${item.replace('Mon, 30 Nov 2026 10:00:00 GMT', '2026-11-30T10:00:00Z')}</item>`),
      'InvalidRFC2822Date',
    ],
    [feed(`<item>${item.replace('blog_1', '1')}</item>`), 'NotSufficientlyUnique'],
    [feed(`<item>${item.replace('false', 'true')}</item>`), 'InvalidHttpGUID'],
    [feed(`<item>${item.replace('>x<', '><![CDATA[<script>x</script>]]><')}</item>`), 'SecurityRisk'],
    [feed(`<item>${item.replace('>x<', '><![CDATA[<a href="/x">x</a>]]><')}</item>`), 'ContainsRelRef'],
    [feed(`<item>${item.replace('>x<', '><![CDATA[<p style="x">x</p>]]><')}</item>`), 'DangerousStyleAttr'],
    [feed(`<item><content:encoded>x</content:encoded>${item}</item>`), 'NeedDescriptionBeforeContent'],
    [feed('<item><guid isPermaLink="false">blog_1</guid></item>'), 'ItemMustContainTitleOrDescription'],
    [feed('', '<language>deutsch</language>'), 'InvalidLanguage'],
    [feed('', '<foo>x</foo>'), 'UndefinedElement'],
    [feed('').replace(feedUrl, 'https://a.example/other'), 'SelfDoesntMatchLocation'],
    [feed('').replace('<title>Acme</title>', ''), 'Missing title'],
  ] as const)
    assert.ok(
      feedFaults(wrong, feedUrl).some((found) => found.startsWith(fault)),
      `${fault}: ${feedFaults(wrong, feedUrl).join('; ')}`,
    );
});

rules.run();

const hostileTitles = [
  'A & B <starter>',
  '</title></item><item><title>x',
  ']]><script>alert(1)</script>',
  '<![CDATA[x]]>',
  '&lt;b&gt; &amp;#x3C; &nbsp;',
  '"quoted" \'title\' </rss>',
  'Emoji 🍞 👩‍💻 and \u202eoverride',
  '日本語の題名',
  'خميرة الخبز',
  '%3Cscript%3E {{ secrets }}',
  'x'.repeat(200),
];

const hostileBody = [
  '<script>alert(1)</script>',
  '[relative](/p/course) [anchor](#part) [bad](javascript:alert(1)) [mail](mailto:a@b.example)',
  ']]> and <![CDATA[ x ]]>',
  '## Part',
  '<p style="position:fixed" onclick="x()">&nbsp;&#x3C;</p>',
  '![x](https://evil.example/x.png)',
  '```html\n<iframe src="x"></iframe>\n```',
  'Note[^1]\n\n[^1]: See [it](/p/note).',
].join('\n\n');

await twoDatabases('the feed of the blog', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database, { publicUrl: 'https://app.acme.example/hub' });
    await bench.service.workspaces.update(bench.workspaceId, { contentHost: host });
  });
  test.after.each(() => bench.close());

  const blog = () => bench.service.as(bench.workspaceId).blog;
  const read = async () => (await visit(bench, '/blog/feed.xml', { headers: { host } })).text;
  const text = async () => Buffer.from(await read(), 'utf8').toString('utf8');
  async function post(title: string, more: object = {}) {
    bench.advanceClock(60_000);
    const { id } = await blog().create({ title, body: hostileBody, ...more });
    return blog().publish({ idOrSlug: id });
  }

  test('the feed has no fault, even if the blog has no posts or the workspace has no brand', async () => {
    assert.equal(feedFaults(await text(), feedUrl), []);
    assert.not.match(await text(), 'lastBuildDate');
    await post('One');
    assert.equal(feedFaults(await text(), feedUrl), []);
  });

  test('hostile titles, texts, tags, excerpts and names stay text, and the feed has no fault', async () => {
    await bench.service.as(bench.workspaceId).brand.create({ name: 'A & B </title> ]]>' });
    for (const title of hostileTitles)
      await post(title, { excerpt: `${title.slice(0, 100)} <b>&amp;</b>`, tags: [title.slice(0, 50), '<b>C++</b>'] });
    const xml = await text();
    assert.equal(feedFaults(xml, feedUrl), []);
    const { items = [], title } = parseRssFeed(xml);
    assert.equal(
      items.map((found) => found.title),
      [...hostileTitles].reverse(),
    );
    assert.match(title ?? '', 'A & B </title> ]]>');
    for (const { content, description } of items) {
      assert.match(content?.encoded ?? '', `href="https://${host}/p/course"`);
      assert.match(description ?? '', '&lt;b&gt;&amp;amp;&lt;/b&gt;');
    }
  });

  test('a post keeps its guid if its address changes, and no two posts share a guid', async () => {
    const { id } = await post('First name');
    await post('Other');
    const guidsIn = (xml: string) => [...xml.matchAll(/<guid isPermaLink="false">([^<]*)/g)].map(([, guid]) => guid);
    const before = guidsIn(await text());
    await blog().update({ idOrSlug: id, slug: 'second-name', title: 'Second name' });
    await blog().publish({ idOrSlug: id });
    const xml = await text();
    assert.equal(guidsIn(xml), before);
    assert.is(new Set(before).size, 2);
    assert.match(xml, `<link>https://${host}/blog/second-name</link>`);
    assert.equal(feedFaults(xml, feedUrl), []);
  });

  test('each post in the feed has its own language and direction, and the feed has the language of the blog', async () => {
    await post('Sauerteig', { language: 'de-AT' });
    await post('خميرة', { language: 'ar' });
    await post('Plain');
    const xml = await text();
    assert.equal(feedFaults(xml, feedUrl), []);
    const channel = readXml(xml).children[0];
    const languages = channel?.children.flatMap(({ name, children }) =>
      name === 'item' ? children.filter((child) => child.name === 'dc:language').map((child) => child.text) : [],
    );
    assert.equal(languages, ['en', 'ar', 'de-AT']);
    assert.match(xml, '<language>en</language>');
    assert.match(xml, '<div lang="ar" dir="rtl">');
  });

  test('the declared type and encoding are correct, and a conditional request for an unchanged feed gets 304', async () => {
    await post('日本語');
    const { headers } = await visit(bench, '/blog/feed.xml', { headers: { host } });
    assert.is(headers['Content-Type'], 'application/rss+xml; charset=utf-8');
    const again = await visit(bench, '/blog/feed.xml', { headers: { host, 'if-none-match': headers.ETag ?? '' } });
    assert.equal([again.status, again.text], [304, '']);
  });
});
