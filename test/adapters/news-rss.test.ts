// News from feeds, against a local server: the shared suite, the four formats, one request per hour, and failing feeds.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rssNews } from '../../adapters/news/rss.ts';
import { readFeed } from '../../adapters/news/rss-feed.ts';
import { textOfHtml } from '../../adapters/news/rss-text.ts';
import { createOutgoing } from '../../core/outgoing/index.ts';
import { localOutgoing } from '../../hosts/testing/index.ts';
import type { NewsOptions, NewsSource } from '../../plugins/content-plan/port/index.ts';
import { type LoggedLine, newsSourceSuite, sampleNewsOptions } from '../../plugins/content-plan/testing/index.ts';
import { type FeedServer, rssOf, startFeedServer } from '../support/feed-server.ts';

const test = suite('news from feeds');

const hour = 3_600_000;
const startAt = Date.parse('2026-11-20T15:04:05.000Z');

const grain = rssOf('Grain & Co', [
  { title: 'Rye is scarce', link: 'https://grain.example/rye', guid: '1', description: '<p>A <b>poor</b> harvest</p>' },
  { title: 'Café prices &amp; you', link: 'https://grain.example/cafe', guid: '2', description: 'Up by 3&nbsp;%' },
]);

newsSourceSuite(
  'rssNews',
  async () => {
    const server = await startFeedServer();
    const outgoing = localOutgoing();
    const simulateFault = (fails: boolean): void =>
      void server.answers.set('/feed', fails ? { status: 503 } : { body: grain, headers: { etag: '"1"' } });
    simulateFault(false);
    return {
      source: rssNews({ feeds: [`${server.url}/feed`] }),
      titles: ['Rye is scarce', 'Café prices & you'],
      requestCount: () => server.asked.length,
      simulateFault,
      outgoing,
      async dispose() {
        await outgoing.close();
        await server.close();
      },
    };
  },
  (name, run) => test(name, run),
);

interface Bench {
  readonly server: FeedServer;
  readonly lines: LoggedLine[];
  ask(source: NewsSource, overrides?: Partial<NewsOptions>, workspaceId?: string): Promise<readonly string[]>;
}

/** Runs a test with its own server. */
const withServer = (name: string, run: (bench: Bench) => Promise<void>): void =>
  test(name, async () => {
    const server = await startFeedServer();
    const outgoing = localOutgoing();
    const lines: LoggedLine[] = [];
    const sources = new Set<NewsSource>();
    try {
      await run({
        server,
        lines,
        async ask(source, overrides, workspaceId = 'ws_1') {
          sources.add(source);
          const latest = await source.latest(workspaceId, sampleNewsOptions({ outgoing, ...overrides }, lines));
          return latest.map(({ title }) => title);
        },
      });
    } finally {
      for (const source of sources) await source.close?.();
      await outgoing.close();
      await server.close();
    }
  });

const feedWith = (title: string): string => rssOf('Feed', [{ title, link: `https://grain.example/${title}` }]);

const feedUrl = 'https://grain.example/news/feed';
const forms: Readonly<Record<string, string>> = {
  'RSS 2.0': `<rss version="2.0"><channel><title>Grain</title><item><guid isPermaLink="false">7</guid><title>Rye</title>
    <link>/rye?a=1&amp;b=2</link><description><![CDATA[<p>Poor<br>harvest</p>]]></description>
    <pubDate>Fri, 20 Nov 2026 11:00:00 +0100</pubDate></item></channel></rss>`,
  'RSS 1.0': `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
    xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>Grain</title></channel><item rdf:about="7">
    <title>Rye</title><link>/rye?a=1&amp;b=2</link><description>Poor harvest</description><dc:date>2026-11-20T10:00:00Z</dc:date></item></rdf:RDF>`,
  Atom: `<feed xmlns="http://www.w3.org/2005/Atom"><title>Grain</title><entry><id>7</id><title>Rye</title>
    <link rel="self" href="/self"/><link href="/rye?a=1&amp;b=2"/><summary type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Poor
    <i>harvest</i></div></summary><updated>2026-11-21T10:00:00Z</updated><published>2026-11-20T10:00:00Z</published></entry></feed>`,
  'JSON Feed': JSON.stringify({
    ...{ version: 'https://jsonfeed.org/version/1.1', title: 'Grain' },
    items: [
      {
        ...{ id: '7', title: 'Rye', url: '/rye?a=1&b=2', content_html: '<p>Poor</p><p>harvest</p>' },
        date_published: '2026-11-20T11:00:00+01:00',
      },
    ],
  }),
};

for (const [form, text] of Object.entries(forms))
  test(`the source reads the items of ${form}`, () => {
    assert.equal(readFeed(text, feedUrl), [
      {
        ...{ id: `${feedUrl} 7`, title: 'Rye', url: 'https://grain.example/rye?a=1&b=2', source: 'Grain' },
        ...{ excerpt: 'Poor harvest', publishedAt: Date.parse('2026-11-20T10:00:00Z') },
      },
    ]);
  });

test('an Atom text states whether it is HTML; RSS and JSON Feed follow their own rules', () => {
  const atom = (type: string) =>
    readFeed(
      `<feed xmlns="http://www.w3.org/2005/Atom"><title>G</title><entry><id>1</id><link href="/1"/><title type="${type}">1 &lt;b&gt; 2</title></entry></feed>`,
      feedUrl,
    )[0]?.title;
  assert.equal([atom('text'), atom('html')], ['1 <b> 2', '1 2']);
  const json = { version: 'https://jsonfeed.org/version/1', items: [{ id: '1', url: '/1', title: '1 <b> 2' }] };
  assert.is(readFeed(JSON.stringify(json), feedUrl)[0]?.title, '1 <b> 2');
});

test('an item without a title has its text as title; items with neither, or without a web address, are skipped', () => {
  const latest = readFeed(
    rssOf('', [
      { description: `${'word '.repeat(50)}`, link: '/short' },
      { link: '/nothing' },
      { title: 'Script', link: 'javascript:alert(1)' },
      { title: 'No page', guid: '5' },
    ]),
    feedUrl,
  );
  assert.is(latest.length, 1);
  assert.match(latest[0]?.title ?? '', /^word .{100,114}…$/);
  assert.is(latest[0]?.source, 'grain.example', 'a feed without a title is named by its host');
});

test('a date without a zone is in UTC, and an invalid date is ignored', () => {
  const dates = {
    '2026-11-20T10:00:00': '2026-11-20T10:00:00.000Z',
    'Fri, 20 Nov 2026 10:00:00': '2026-11-20T10:00:00.000Z',
    'Fri, 20 Nov 2026 10:00:00 GMT': '2026-11-20T10:00:00.000Z',
    'Fri, 20 Nov 2026 10:00 -0500': '2026-11-20T15:00:00.000Z',
    '2026-11-20': '2026-11-20T00:00:00.000Z',
    yesterday: undefined,
  };
  for (const [pubDate, expected] of Object.entries(dates)) {
    const at = readFeed(rssOf('G', [{ title: 'a', link: '/a', pubDate }]), feedUrl)[0]?.publishedAt;
    assert.is(at === undefined ? undefined : new Date(at).toISOString(), expected, pubDate);
  }
});

test('only the newest hundred items of a feed are returned', () => {
  const dateOf = (index: number) => new Date(startAt - index * hour).toUTCString();
  const items = Array.from({ length: 130 }, (_, index) => ({
    title: `t${index}`,
    link: `/${index}`,
    pubDate: dateOf(index),
  }));
  const latest = readFeed(rssOf('G', items.toReversed()), feedUrl).map(({ title }) => title);
  assert.equal([latest.length, latest[0], latest[99]], [100, 't0', 't99']);
});

const texts: Readonly<Record<string, string>> = {
  plain: 'plain',
  '<p>One</p><p>Two</p>': 'One Two',
  'a<b>b</b>c': 'abc',
  '1 < 2 and 3 > 2': '1 < 2 and 3 > 2',
  'a<br/>b': 'a b',
  'x<!-- <b>hidden --> -->y': 'x -->y',
  'x<script>if (a < b) alert("</p>")</script>y': 'x y',
  'x<style>p {}': 'x',
  '<img alt="a > b" src=\'c>d\'>e': 'e',
  "<p class=it's>f</p>": 'f',
  'g<a href="': 'g',
  '&eacute;&#233;&#xE9;&#146;&hellip;&nbsp;&euro;&copy;': 'ééé’… €©',
  '&unknown; &amp;lt; &#0; &#xD800; &#99999999;': '&unknown; &lt; \ufffd \ufffd &#99999999;',
  '&lt;p&gt;twice&lt;/p&gt; a &lt; b': 'twice a < b',
  '<![CDATA[x]]>y<?php echo 1 ?>z': 'yz',
};

test('HTML becomes the text that a person would read', () => {
  for (const [html, expected] of Object.entries(texts))
    assert.is(textOfHtml(html).replace(/\s+/g, ' ').trim(), expected, html);
});

withServer('an address is requested once an hour, for any number of workspaces', async ({ server, ask }) => {
  server.answers.set('/feed', { body: feedWith('rye') });
  const source = rssNews({ feeds: [`${server.url}/feed`, `${server.url}/feed`] });
  const asks = ['ws_1', 'ws_2', 'ws_3'].map((id) => ask(source, {}, id));
  assert.equal(await Promise.all(asks), [['rye'], ['rye'], ['rye']]);
  await ask(source, { now: startAt + hour / 2 }, 'ws_4');
  assert.is(server.asked.length, 1);
  server.answers.set('/feed', { body: feedWith('wheat') });
  assert.equal(await ask(source, { now: startAt + hour }), ['wheat']);
  assert.is(server.asked.length, 2);
});

withServer('an unchanged feed is not transferred again', async ({ server, ask }) => {
  const validators = { etag: '"v1"', 'last-modified': 'Fri, 20 Nov 2026 10:00:00 GMT' };
  server.answers.set('/feed', { body: feedWith('rye'), headers: validators });
  const source = rssNews({ feeds: [`${server.url}/feed`] });
  await ask(source);
  assert.equal(await ask(source, { now: startAt + hour }), ['rye']);
  const sentHeaders = server.asked.map(({ headers }) => [headers['if-none-match'], headers['if-modified-since']]);
  assert.equal(sentHeaders, [
    [undefined, undefined],
    ['"v1"', validators['last-modified']],
  ]);
});

withServer('a redirect is followed, at most five times', async ({ server, ask, lines }) => {
  server.answers.set('/old', { status: 301, headers: { location: 'new' } });
  server.answers.set('/new', { body: feedWith('rye'), headers: { etag: '"1"' } });
  server.answers.set('/round', { status: 302, headers: { location: '/round' } });
  const source = rssNews({ feeds: [`${server.url}/old`, `${server.url}/round`] });
  assert.equal(await ask(source), ['rye']);
  assert.is(server.asked.filter(({ path }) => path === '/round').length, 6);
  assert.equal(
    lines.map(({ fields }) => fields['cause']),
    ['It redirects more than 5 times.'],
  );
  await ask(source, { now: startAt + hour });
  const validators = server.asked.filter(({ headers }) => headers['if-none-match'] !== undefined);
  assert.equal(
    validators.map(({ path }) => path),
    ['/new'],
    'only the address that answered gets its validator back',
  );
});

withServer('failing feeds do not hide the items of other feeds, and are logged without their query', async (bench) => {
  const { server, ask, lines } = bench;
  const never = new Promise(() => undefined);
  server.answers.set('/rye', { body: feedWith('rye') });
  server.answers.set('/gone?token=secret', { status: 410 });
  server.answers.set('/large', { body: Buffer.alloc(1_048_577, 'a') });
  server.answers.set('/broken', { body: feedWith('broken'), breaksOff: true });
  server.answers.set('/page', { body: '<!doctype html><title>Sign in</title>' });
  server.answers.set('/silent', { after: never });
  const paths = ['/gone?token=secret', '/large', '/broken', '/page', '/silent', '/rye'];
  const source = rssNews({ feeds: paths.map((path) => server.url + path), timeoutMs: 500 });
  assert.equal(await ask(source), ['rye']);
  const loggedFeeds = lines.map(({ fields }) => [String(fields['feed']).replace(server.url, ''), fields['cause']]);
  assert.equal(Object.fromEntries(loggedFeeds), {
    '/gone': 'It answers 410.',
    '/large': 'It is larger than 1 MB, or its response ended early.',
    '/broken': 'It is larger than 1 MB, or its response ended early.',
    '/page': 'It is not a feed in the format RSS, Atom or JSON Feed.',
    '/silent': '127.0.0.1 did not answer in 0.5 seconds.',
  });
});

withServer('a feed that fails later keeps returning its last items', async ({ server, ask }) => {
  server.answers.set('/feed', { body: feedWith('rye') });
  const source = rssNews({ feeds: [`${server.url}/feed`] });
  await ask(source);
  server.answers.set('/feed', { status: 500 });
  assert.equal(await ask(source, { now: startAt + hour }), ['rye']);
});

withServer('addresses of the local network are not requested', async ({ ask, lines }) => {
  const outgoing = createOutgoing({ environment: 'production', resolve: async () => ['10.0.0.7'] });
  const source = rssNews({
    feeds: ['https://169.254.169.254/feed', 'https://intranet.example/feed', 'http://127.0.0.1/feed'],
  });
  assert.equal(await ask(source, { outgoing }), []);
  await outgoing.close();
  assert.is(lines.length, 3);
  for (const { fields } of lines) assert.match(String(fields['cause']), /not public|only over https/);
});

withServer('text is read in the encoding that the answer or the document names', async ({ server, ask }) => {
  const text = feedWith('Brötchen');
  const latin = Buffer.from(text.replace('utf-8', 'iso-8859-1'), 'latin1');
  server.answers.set('/header', {
    body: Buffer.from(text, 'latin1'),
    headers: { 'content-type': 'text/xml; charset="ISO-8859-1"' },
  });
  server.answers.set('/declared', { body: latin });
  server.answers.set('/marked', { body: `\ufeff${text}`, headers: { 'content-type': 'text/xml; charset=latin1' } });
  const windows = Buffer.from(feedWith('Brötchen’s').replace('’', '\x92'), 'latin1');
  server.answers.set('/windows', { body: windows, headers: { 'content-type': 'text/xml; charset=windows-1252' } });
  server.answers.set('/unknown', { body: text, headers: { 'content-type': 'text/xml; charset=klingon' } });
  const feeds = [...server.answers.keys()].map((path) => server.url + path);
  assert.equal(new Set(await ask(rssNews({ feeds }))), new Set(['Brötchen', 'Brötchen’s']));
});

withServer('if one caller aborts, other callers still get the feed', async ({ server, ask }) => {
  let answer = (): void => undefined;
  server.answers.set('/feed', { body: feedWith('rye'), after: new Promise<void>((resolve) => (answer = resolve)) });
  const source = rssNews({ feeds: [`${server.url}/feed`] });
  const stop = new AbortController();
  const first = ask(source, { signal: stop.signal });
  const second = ask(source, {}, 'ws_2');
  const reason = new Error('the attempt is over');
  stop.abort(reason);
  assert.is(await first.catch((error: unknown) => error), reason);
  answer();
  assert.equal(await second, ['rye']);
});

withServer('each workspace has the feeds that the function returns for it', async ({ server, ask }) => {
  server.answers.set('/ws_1', { body: feedWith('rye') });
  server.answers.set('/ws_2', { body: feedWith('oats') });
  const source = rssNews({
    feeds: async (workspaceId) => (workspaceId === 'ws_3' ? [] : [`${server.url}/${workspaceId}`]),
  });
  assert.equal(
    [await ask(source, {}, 'ws_1'), await ask(source, {}, 'ws_2'), await ask(source, {}, 'ws_3')],
    [['rye'], ['oats'], []],
  );
});

test('invalid lists of feeds are refused: at once, or when a function returns them', async () => {
  const many = Array.from({ length: 51 }, (_, index) => `https://grain.example/${index}`);
  const bad: readonly [unknown, RegExp][] = [
    [['http://grain.example/feed'], /^rssNews: feeds\[0\] is not an https address\.$/],
    [['https://grain.example/feed', 'feed'], /feeds\[1\] is not an https address/],
    [['https://ada:secret@grain.example/feed'], /feeds\[0\] is not an https address/],
    ['https://grain.example/feed', /`feeds` must be a list of addresses/],
    [many, /`feeds` has 51 addresses; 50 are the most/],
  ];
  for (const [feeds, expected] of bad) {
    assert.throws(() => rssNews({ feeds: feeds as string[] }), expected);
    const source = rssNews({ feeds: () => feeds as string[] });
    const refusal = await source.latest('ws_1', sampleNewsOptions()).catch((error: Error) => error.message);
    assert.match(String(refusal), expected);
  }
  assert.throws(() => rssNews({ feeds: [], timeoutMs: 0 }), /`timeoutMs` must be a whole number above 0/);
});

test.run();
