// A hundred URLs in sentences of several scripts, found by each link finder, the check of the shortener and the count of X. Also random
// texts.

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { marksOf } from '../../adapters/social/bluesky-facets.ts';
import { fromLittleText, toLittleText } from '../../adapters/social/linkedin-texts.ts';
import { parseUrl } from '../../core/contract/values/parse-url.ts';
import { allLinksIn, domainsIn, linksIn } from '../../core/contract/values/text-links.ts';
import { createSeededRandomness } from '../../hosts/testing/seeded-randomness.ts';
import { destinationFault } from '../../plugins/links/destination.ts';
import { linkHosts } from '../../plugins/sms/rules/links.ts';
import { countText } from '../../plugins/social/text/count.ts';
import { urlsIn } from '../../plugins/social/text/urls.ts';

const test = suite('a hundred URLs');

const none = null;

/** A URL, followed by the URLs that twitter-text 3.1 finds in it if they are not exactly the URL */
const rows: readonly (readonly [string, ...(string | null)[]])[] = [
  ['https://acme.com'],
  ['http://acme.com/'],
  ['https://acme.com/a/b/c.html'],
  ['https://acme.com:8443/a'],
  ['https://acme.com?a=b'],
  ['https://acme.com/?a=b&c=d#e'],
  ['https://acme.com/#top'],
  ['https://acme.com/#!/a/b'],
  ['https://www.acme.co.uk/a'],
  ['https://acme.co.za/a'],
  ['https://acme.careers/jobs'],
  ['https://acme.zip/a'],
  ['https://acme.dev/@ada/1'],
  ['https://sub_domain.acme.com/a'],
  ['https://a.b.c.d.acme.com/a'],
  ['https://1.acme.com/1'],
  ['https://acme.com/a_(b)'],
  ['https://acme.com/a_(b)_c'],
  ['https://acme.com/(a)(b)'],
  ['https://en.wikipedia.org/wiki/Amanita_(fungus)'],
  ['https://acme.com/a,b;c'],
  ['https://acme.com/a!b'],
  ["https://acme.com/a'b"],
  ['https://acme.com/a*b'],
  ['https://acme.com/a+b'],
  ['https://acme.com/a+'],
  ['https://acme.com/a-'],
  ['https://acme.com/a='],
  ['https://acme.com/~ada'],
  ['https://acme.com/%E6%9D%B1%E4%BA%AC'],
  ['https://acme.com/a%20b'],
  ['https://acme.com/a--b'],
  ['https://acme.com/a..b'],
  ['https://acme.com/a//b'],
  ['https://acme.com/a?u=https://acme.org/b'],
  ['https://web.archive.org/web/2026/https://acme.com/'],
  ['https://acme.com/a|b'],
  ['https://acme.com/a?b=[c]&d={e}', 'https://acme.com/a?b=[c]&d='],
  ['https://acme.com/café'],
  ['https://acme.com/straße'],
  ['https://acme.com/İstanbul'],
  ['https://acme.com/Москва'],
  ['https://acme.com/東京', 'https://acme.com/'],
  ['https://acme.com/サーバー', 'https://acme.com/'],
  ['https://acme.com/서울', 'https://acme.com/'],
  ['https://acme.com/القاهرة', 'https://acme.com/'],
  ['https://acme.com/ירושלים', 'https://acme.com/'],
  ['https://acme.com/กรุงเทพ', 'https://acme.com/'],
  ['https://acme.com/दिल्ली', 'https://acme.com/'],
  ['https://acme.com/?q=größe', 'https://acme.com/?q=gr'],
  ['https://acme.com/?q=東京', 'https://acme.com/?q='],
  ['https://acme.com/👍', 'https://acme.com/'],
  ['https://acme.com/👨‍👩‍👧', 'https://acme.com/'],
  ['https://acme.com/𠮷野家', 'https://acme.com/'],
  ['https://bücher.example.com/a'],
  ['https://straße.de'],
  ['https://ÄÖÜ.de/a'],
  ['https://почта.рф/a'],
  ['https://例子.测试/a', none],
  ['https://例え.みんな/a'],
  ['https://한국.한국/a'],
  ['https://مثال.مصر/a'],
  ['https://ไทย.ไทย/a'],
  ['https://उदाहरण.भारत/a'],
  ['https://xn--80a1acny.xn--p1ai/a'],
  ['https://xn--fsq.xn--0zwm56d/a'],
  ['https://👍.to/a'],
  ['https://✪df.ws/ejp'],
  ['http://☃.net/'],
  ['https://acme.museum/a'],
  ['https://acme.photography/a'],
  ['https://acme.xn--p1ai/a'],
  ['http://localhost:3000/a', none],
  ['http://192.0.2.7/a', none],
  ['http://192.0.2.7:8080/a', none],
  ['http://[2001:db8::1]/a', none],
  ['http://[::1]:8080/a', none],
  ['https://user@acme.com/a', none],
  ['https://user:secret@acme.com/a', none],
  ['HTTPS://ACME.COM/A'],
  ['Https://Acme.Com'],
  ['https://t.co/abcDEF123'],
  ['https://bit.ly/3xYz'],
  ['https://youtu.be/dQw4w9WgXcQ?t=42'],
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PL-_x'],
  ['https://acme.com/a/?utm_source=x&utm_medium=y'],
  ['https://acme.com/p/1234567890/a-very-long-slug-with-many-words-and-dashes-in-it'],
  ['https://acme.example/a', none],
  ['https://acme.newtldofnextyear/a', none],
  ['https://acme.internal/a', none],
  ['https://acme.com/á'],
  ['https://acme.com/index.php?a[]=1&a[]=2'],
  ['https://acme.com/a:b'],
  ['https://acme.com/a@b'],
  ['https://acme.com/$a'],
  ['https://acme.com/a&b'],
  ['https://acme.com/;a'],
  ['https://acme.com/a/.well-known/b'],
  ['https://acme.com/a?b#c?d'],
  ['https://acme.com/a#b/c?d=e'],
];

const frames: readonly (readonly [string, string])[] = [
  ['See ', '.'],
  ['(', ')'],
  ['「', '」です'],
  ['詳しくは', '。'],
  ['**', '**'],
  ['\u201c', '\u201d'],
  ['\u{1F449}', ' \u{1F448}'],
  ['انظر ', '،'],
  ['\u2066', '\u2069'],
];

test('the table has 100 rows', () => assert.is(rows.length, 100));

test('every link finder returns the whole URL and no other part of the sentence', () => {
  for (const [url] of rows)
    for (const [before, after] of frames) {
      const text = before + url + after;
      assert.equal(
        linksIn(text).map((link) => link.url),
        [url],
        text,
      );
      const links = marksOf(text).filter(({ kind }) => kind === 'link');
      assert.equal(
        links.map(({ value }) => value),
        [url],
        text,
      );
      const [{ byteStart = 0, byteEnd = 0 } = {}] = links;
      assert.is(Buffer.from(text).subarray(byteStart, byteEnd).toString(), url);
      assert.not.match(toLittleText(text), 'hashtag', text);
      assert.is(fromLittleText(toLittleText(text)), text);
    }
});

test('X finds the same URLs as twitter-text and counts each as 23', () => {
  for (const [url, ...parts] of rows) {
    const urls = parts.length === 0 ? [url] : parts.filter((part) => part !== none);
    assert.equal(
      urlsIn(url).map(({ start, end }) => url.slice(start, end)),
      urls,
      url,
    );
    if (parts.length === 0) assert.is(countText('weighted', `「${url}」`), 27, url);
  }
});

test('the shortener accepts URLs without user info or unusual characters, and the SMS check finds their host', () => {
  for (const [url] of rows) {
    const { username, hostname } = new URL(url);
    const isWritten = !/[\p{Cf}|{}]/u.test(url);
    assert.is(destinationFault(url) === undefined, username === '' && isWritten, url);
    assert.ok(linkHosts(`リンク${url} です`).includes(hostname), url);
  }
});

const pieces =
  'https:// http:// acme .com .co.jp .careers / /a ?q=1 #x (b) ( ) _ - あ です 。 」 「 @ # $ . , ! é П рф .рф .みんな t.co/abc bit.ly www. xn--p1ai :8080 & = … – a 1 İ ß 한국 ไทย مصر ~ %20 + * ** [ ] | " < > \\ { } user:pw@ [::1] {hashtag| `'.split(
    ' ',
  );
const separators = [
  ' ',
  '\n',
  '\u{1F44D}',
  '\u{1F468}\u200D\u{1F469}',
  '\u200b',
  '\u202a',
  '\ufeff',
  '\ud83d',
  '\ude00',
  '\ufffd',
  '\0',
];

test('links in random texts are found in order, complete and inside the text', () => {
  const all = [...pieces, ...separators];
  const randomness = createSeededRandomness('links');
  const below = (max: number): number => Buffer.from(randomness.bytes(4)).readUInt32BE() % max;
  for (let count = 0; count < 5_000; count += 1) {
    const text = Array.from({ length: 1 + below(10) }, () => all[below(all.length)]).join('');
    for (const find of [linksIn, allLinksIn, domainsIn, urlsIn]) {
      let from = 0;
      for (const { start, end } of find(text)) {
        assert.ok(start >= from && end > start && end <= text.length, JSON.stringify(text));
        from = end;
      }
    }
    for (const { start, end, url } of linksIn(text)) {
      assert.is(url, text.slice(start, end));
      assert.not.match(url, /[\s」。「<>"\ufffd]/);
      assert.ok(parseUrl(url) !== undefined, url);
    }
    let byte = 0;
    for (const { value, byteStart, byteEnd } of marksOf(text)) {
      assert.ok(byteStart >= byte);
      byte = byteEnd;
      const written = Buffer.from(text).subarray(byteStart, byteEnd).toString();
      assert.is(
        written.replace(/^[#＃@]/, ''),
        Buffer.from(value)
          .toString()
          .replace(/^[#＃@]/, ''),
      );
    }
    assert.is(fromLittleText(toLittleText(text)), text);
    assert.ok(countText('weighted', text) >= 0);
  }
});

test.run();
