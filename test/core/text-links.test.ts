// Finds links in plain text: the end of an address in sentences of any script, for addresses of any form
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allLinksIn, domainsIn, linksIn } from '../../core/contract/values/text-links.ts';

const test = suite('links in texts');
const urls = (text: string): string[] => linksIn(text).map(({ url }) => url);

/** Each text with the addresses in it */
const check = (cases: readonly (readonly [string, ...string[]])[], find = urls) => {
  for (const [text, ...found] of cases) assert.equal(find(text), found, JSON.stringify(text));
};

const family = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}';

test('an address ends before the punctuation of a sentence, in any script', () => {
  check([
    ['See https://acme.com/a. Or (https://acme.com/b)!', 'https://acme.com/a', 'https://acme.com/b'],
    [
      'https://acme.com/a, https://acme.com/b; https://acme.com/c: x',
      'https://acme.com/a',
      'https://acme.com/b',
      'https://acme.com/c',
    ],
    ['「https://acme.com/a」です', 'https://acme.com/a'],
    ['https://acme.com/a。次https://acme.com/b、', 'https://acme.com/a', 'https://acme.com/b'],
    ['https://acme.com/a، و https://acme.com/b؟', 'https://acme.com/a', 'https://acme.com/b'],
    [
      '“https://acme.com/a” ‹https://acme.com/b› «https://acme.com/c»',
      'https://acme.com/a',
      'https://acme.com/b',
      'https://acme.com/c',
    ],
    [
      'https://acme.com/a… https://acme.com/b—c https://acme.com/d।',
      'https://acme.com/a',
      'https://acme.com/b',
      'https://acme.com/d',
    ],
    [
      '<https://acme.com/a> [x](https://acme.com/b) "https://acme.com/c"',
      'https://acme.com/a',
      'https://acme.com/b',
      'https://acme.com/c',
    ],
    [
      'https://acme.com/a\u2069\u202c https://acme.com/b\ufffdc https://acme.com/d\ud83d',
      'https://acme.com/a',
      'https://acme.com/b',
      'https://acme.com/d',
    ],
  ]);
});

test('an address may be surrounded by text in a script without spaces', () => {
  check([
    ['お知らせはhttps://acme.com/aをご覧ください', 'https://acme.com/a'],
    ['https://acme.comです https://acme.com/です', 'https://acme.com', 'https://acme.com/'],
    ['请访问https://acme.com/a查看', 'https://acme.com/a'],
    ['ดูhttps://acme.com/aครับ', 'https://acme.com/a'],
    ['https://acme.com에서 https://acme.com/a에서', 'https://acme.com', 'https://acme.com/a'],
    ['انظرhttps://acme.com/aهنا', 'https://acme.com/a'],
    ['смотриhttps://acme.com/aтам', 'https://acme.com/a'],
    ['http://example.comだよね.comtest/x', 'http://example.com'],
  ]);
});

test('a path in another script belongs to the address', () => {
  for (const url of [
    'https://ja.wikipedia.org/wiki/東京',
    'https://ja.wikipedia.org/wiki/東京(都)',
    'https://ru.wikipedia.org/wiki/Москва',
    'https://ar.wikipedia.org/wiki/القاهرة',
    'https://th.wikipedia.org/wiki/กรุงเทพ',
    'https://ko.wikipedia.org/wiki/서울',
    'https://acme.com/suche?q=größe&x=お知らせ',
    'https://acme.com/\u{1F44D}',
    `https://acme.com/${family}`,
    'https://acme.com/𠮷野家',
    'https://acme.com/café',
  ])
    check([[`${url} next`, url]]);
});

test('hosts of every form are found', () => {
  for (const url of [
    'https://例子.测试/a',
    'https://почта.рф/привет',
    'https://xn--80a1acny.xn--p1ai/',
    'https://\u{1F44D}.to/x',
    'https://✪df.ws/ejp',
    'https://shop.coñac.es/x',
    'https://straße.de',
    'http://exampleこれは日本語です.com/path',
    'http://localhost:3000/x',
    'http://192.0.2.7/x',
    'http://[2001:db8::1]:8080/x',
    'https://acme.com:8443/x?y=z#w',
    'https://user:secret@acme.com/x',
    'HTTPS://ACME.COM/X',
    'https://acme.newest-tld/a',
    'https://vermögensberatung.vermögensberatung/a',
  ])
    check([[`${url} next`, url]]);
});

test('brackets are matched in pairs, and emphasis marks are not part of the address', () => {
  check([
    ['https://en.wikipedia.org/wiki/Amanita_(fungus)', 'https://en.wikipedia.org/wiki/Amanita_(fungus)'],
    ['(https://en.wikipedia.org/wiki/Amanita_(fungus))', 'https://en.wikipedia.org/wiki/Amanita_(fungus)'],
    ['https://acme.com/a?u={b}&c=[d]', 'https://acme.com/a?u={b}&c=[d]'],
    ['https://acme.com/a)b https://acme.com/(a', 'https://acme.com/a', 'https://acme.com/'],
    [
      '**https://acme.com/a** **https://acme.com** *https://acme.com/b*',
      'https://acme.com/a',
      'https://acme.com',
      'https://acme.com/b',
    ],
    [
      '_https://acme.com/a_ ~~https://acme.com/b~~ `https://acme.com/c`',
      'https://acme.com/a',
      'https://acme.com/b',
      'https://acme.com/c',
    ],
    ['https://acme.com/a_ https://acme.com/~b', 'https://acme.com/a_', 'https://acme.com/~b'],
    ["https://acme.com/it's", "https://acme.com/it's"],
    ['https://web.archive.org/web/https://acme.com/', 'https://web.archive.org/web/https://acme.com/'],
  ]);
});

test('invalid addresses are not found', () => {
  for (const text of [
    '',
    'http://',
    'https:///x',
    'https://-',
    'xhttps://acme.com',
    '@https://acme.com',
    'ftp://acme.com',
    'https://256.1.2.3/',
    'http://xn--はじめよう.com/',
    'https://\ud83d/',
  ])
    check([[text]]);
});

test('positions refer to the text, and an address never ends inside a character', () => {
  for (const text of [
    'İİ \u{1F600}https://acme.com/a',
    'ß\ud83d https://acme.com/a\u{1F600}',
    `${family}「https://acme.com/a」`,
  ])
    for (const { start, end, url } of linksIn(text)) {
      assert.is(text.slice(start, end), url);
      assert.not.match(url, /[\ud800-\udbff]$/);
    }
});

test('bare domains are found by current top-level domains, even next to other scripts', () => {
  const bare = (text: string) => allLinksIn(text).map(({ url }) => url);
  check(
    [
      ['acme.careers/jobs and www.acme.com.', 'https://acme.careers/jobs', 'https://www.acme.com'],
      ['リンクbit.ly/xです', 'https://bit.ly/x'],
      ['foo.co.za acme.zip foo.dad', 'https://foo.co.za', 'https://acme.zip', 'https://foo.dad'],
      ['ada@acme.com @acme.com #acme.com node.js 1.2.3 e.g. that'],
      ['acme.de/x?y#z, https://acme.com/b.com', 'https://acme.de/x?y#z', 'https://acme.com/b.com'],
    ],
    bare,
  );
  const text = 'ごbit.lyや例え.みんな';
  assert.equal(
    domainsIn(text).map(({ start, end }) => text.slice(start, end)),
    ['bit.ly'],
  );
});

test('long texts are read in linear time', () => {
  linksIn('https://acme.com/a');
  const began = process.cpuUsage().user;
  for (const part of [
    'a.',
    'あ.',
    'é.com',
    '@a.com.',
    'https://',
    'http://a.b/(',
    'http://a^b/',
    'https://あ.com/',
    'http://xa.com/あ',
    'http://[',
    '**http://a.b/*',
  ])
    for (const find of [linksIn, allLinksIn, domainsIn]) find(part.repeat(Math.floor(60_000 / part.length)));
  assert.ok(process.cpuUsage().user - began < 20_000_000, `${process.cpuUsage().user - began} µs`);
});

test.run();
