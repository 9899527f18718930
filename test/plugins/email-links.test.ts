// Finding and replacing links in HTML, and judging who opened a message: the pure functions of tracking, with tables of cases.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { classifyHit, type TrackingHit } from '../../plugins/email/index.ts';
import { replaceLinks } from '../../plugins/email/tracking/replace-links.ts';
import { firefox } from '../support/tracked-mail.ts';

const linksIn = (html: string): string[] => {
  const urls: string[] = [];
  const same = replaceLinks(html, (url) => {
    urls.push(url);
    return undefined;
  });
  assert.is(same, html);
  return urls;
};

const documents: readonly (readonly [html: string, urls: readonly string[]])[] = [
  ['<a href="x">', ['x']],
  ["<A\n title='a > b' HREF = 'x&amp;y&#38;z&#x26;'>", ['x&y&z&']],
  ['<area href="x"/><abbr href="y"><article href="z"><b href="q">', ['x']],
  ['<a href="x" href="y">', ['x']],
  ['<a data-href="no" href="x">', ['x']],
  ['<a href=x>unquoted values stay', []],
  ['<a name="top">', []],
  ['<a href="?a=1&copy=2">', ['?a=1&copy=2']],
  ['<a href="&eacute;">a reference that is not known leaves the link alone', []],
  ['<!--[if mso]><a href="x"><![endif]-->', ['x']],
  ['<a =href="no" / href="x">', ['x']],
  ['<a href="never closed', []],
  ['<a href="x"', []],
  ['<a', []],
];

for (const [html, urls] of documents)
  test(`links of ${JSON.stringify(html)}`, () => assert.equal(linksIn(html), [...urls]));

test('a replaced URL is escaped, and every other byte of the document stays unchanged', () => {
  const html = '<p a="1">é</p><a class=b href="x?1&amp;2" title=\'t\'>T</a><a href=\'y\'>';
  const result = replaceLinks(html, (url) => (url === 'y' ? undefined : `https://a.example/"'<&?${url}`));
  const value = 'https://a.example/&quot;&#39;&lt;&amp;?x?1&amp;2';
  assert.is(result, `<p a="1">é</p><a class=b href="${value}" title='t'>T</a><a href='y'>`);
});

test('a document that is designed to be slow is read in one pass', () => {
  for (const part of ['<a ', '<a "', '<a href="', "<a href='x' ", '<a =', '<a/'])
    replaceLinks(part.repeat(200_000), (url) => url);
});

const hit: TrackingHit = {
  kind: 'click',
  userAgent: firefox,
  address: '198.51.100.7',
  headers: {},
  sinceHandOverMs: 60_000,
  linksAtOnce: 1,
  links: 5,
};
const verdicts: readonly (readonly [Partial<TrackingHit>, string])[] = [
  [{}, 'human no_sign_of_a_bot'],
  [{ userAgent: `${firefox} (via ggpht.com GoogleImageProxy)` }, 'human no_sign_of_a_bot'],
  [{ userAgent: 'Mozilla/5.0 (compatible; bingbot/2.0)' }, 'bot known_bot'],
  [{ userAgent: 'Barracuda Sentinel (EE)' }, 'bot known_scanner'],
  [{ userAgent: undefined, headers: { host: 'acme.example' } }, 'bot no_user_agent'],
  [{ userAgent: ' ', headers: { host: 'acme.example' } }, 'bot no_user_agent'],
  [{ headers: { purpose: '', 'sec-purpose': 'prefetch;prerender' } }, 'bot prefetch'],
  [{ userAgent: 'curl/8.1' }, 'bot known_library'],
  [{ userAgent: undefined }, 'unknown no_user_agent'],
  [{ userAgent: 'Mozilla/5.0' }, 'unknown no_client_named'],
  [{ userAgent: 'Mozilla/5.0', kind: 'open' }, 'bot mail_privacy_proxy'],
  [{ address: '::ffff:40.93.1.2' }, 'bot scanner_network'],
  [{ address: '2a01:111:f400:7e00::1' }, 'bot scanner_network'],
  [{ address: 'unknown' }, 'human no_sign_of_a_bot'],
  [{ address: undefined }, 'human no_sign_of_a_bot'],
  [{ headers: { purpose: 'prefetch' } }, 'bot prefetch'],
  [{ linksAtOnce: 3 }, 'bot every_link_at_once'],
  [{ linksAtOnce: 2 }, 'human no_sign_of_a_bot'],
  [{ linksAtOnce: 2, links: 2 }, 'bot every_link_at_once'],
  [{ linksAtOnce: 1, links: 1 }, 'human no_sign_of_a_bot'],
  [{ sinceHandOverMs: 999 }, 'bot too_fast'],
  [{ sinceHandOverMs: undefined }, 'bot too_fast'],
];

for (const [changes, verdict] of verdicts)
  test(`${JSON.stringify(changes)} is ${verdict}`, () => {
    const { verdict: actual, reason } = classifyHit({ ...hit, ...changes });
    assert.is(`${actual} ${reason}`, verdict);
  });

test.run();
