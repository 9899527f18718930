// The facts that the inbox reads from a message, and the changes that it makes before it shows the message. Pure functions.
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { relativePathToPage } from '../../core/pages/document.ts';
import { decodeText, readMarkup } from '../../core/unstable.ts';
import { displayHtml, mailPolicy } from '../../plugins/inbox/display-html.ts';
import { createEmbedder, maxEmbedded } from '../../plugins/inbox/inline-parts.ts';
import { analyseMail } from '../../plugins/inbox/mail-content.ts';
import { previewVariablesOf } from '../../plugins/templates/contract/sample.ts';

const test = suite('markup of messages in the inbox');
const linksOf = (html: string, text = '') => analyseMail({ html, text }).links;
const hostsOf = (html: string) => analyseMail({ html, text: '' }).remote_hosts;
const isDark = (html: string) => analyseMail({ html, text: '' }).dark_styles;
const display = (html: string, scheme: 'light' | 'dark' = 'light') => displayHtml(html, [], { scheme, remote: false });

test('links are the links that a reader can click, each once, with their text', () => {
  const html = `<A HREF='https://a.example/?x=1&amp;y=2'> Read <b>more</b>&nbsp;now </A>
    <a href=https://b.example/path>b</a><a href="https://c.example/"><img src="x" alt="Picture c"></a>
    <a href="https://a.example/?x=1&amp;y=2">again</a><a href="#top">top</a><a name="x">x</a><a href="">empty</a>
    <!-- <a href="https://comment.example/">no</a> --><map><area href="https://area.example/" alt="Area"></map>
    <style>a[href="https://style.example/"]{}</style><textarea><a href="https://raw.example/">no</a></textarea>
    <a href="https://open.example/">never closed`;
  assert.equal(linksOf(html), [
    { url: 'https://a.example/?x=1&y=2', text: 'Read more now' },
    { url: 'https://b.example/path', text: 'b' },
    { url: 'https://c.example/', text: 'Picture c' },
    { url: 'https://area.example/', text: 'Area' },
    { url: 'https://open.example/', text: 'never closed' },
  ]);
});

test('the links of the text part follow, without the punctuation after them', () => {
  const text = 'See https://a.example/x?y=1. Or (https://b.example/), <https://c.example/>! https://a.example/x?y=1';
  assert.equal(linksOf('<a href="https://b.example/">b</a>', text), [
    { url: 'https://b.example/', text: 'b' },
    { url: 'https://a.example/x?y=1', text: '' },
    { url: 'https://c.example/', text: '' },
  ]);
});

test('each other host from which something would be loaded is listed', () => {
  assert.equal(
    hostsOf('<img src="https://img.example/a.png"><img src="data:image/png;base64,AA"><img src="cid:logo">'),
    ['img.example'],
  );
  const html = `<img src=//schemeless.example/a><img srcset="https://one.example/a 1x, https://two.example/b 2x">
    <table background="http://bg.example/b.gif"><td style="background:url('https://css.example/c.png')">
    <style>@import "https://import.example/i.css"; p{background:url(https://sheet.example/x)}</style>
    <link rel="stylesheet" href="https://link.example/l.css"><a href="https://clicked.example/">no</a>`;
  assert.equal(hostsOf(html), [
    'schemeless.example',
    'one.example',
    'two.example',
    'bg.example',
    'css.example',
    'import.example',
    'sheet.example',
    'link.example',
  ]);
});

test('styles for dark mode are found wherever they are declared', () => {
  assert.ok(isDark('<style>@media (prefers-color-scheme: dark) { p { color: #fff } }</style>'));
  assert.ok(isDark('<meta name="color-scheme" content="light dark">'));
  assert.ok(isDark('<style>:root { color-scheme: light dark }</style>'));
  assert.ok(isDark('<html style="color-scheme: light dark">'));
  assert.ok(isDark('<link media="(prefers-color-scheme:dark)" href="x">'));
  assert.not.ok(isDark('<style>p { color: darkred; background: #000 }</style><p>prefers-color-scheme: dark</p>'));
  assert.not.ok(isDark('<meta name="color-scheme" content="light">'));
});

test('the color scheme is set for the reader, and nothing else in the styles changes', () => {
  const html =
    '<head><style>p{color:red}@media screen and (prefers-color-scheme: dark){p{color:#eee}}@media ( PREFERS-COLOR-SCHEME:light ){p{color:#111}}:root{color-scheme: light dark}</style></head>';
  const style = (scheme: 'light' | 'dark') => /<style>(.*)<\/style>/.exec(display(html, scheme))?.[1];
  assert.is(
    style('dark'),
    'p{color:red}@media screen and (min-width:0){p{color:#eee}}@media (max-width:0){p{color:#111}}:root{color-scheme:dark}',
  );
  assert.is(
    style('light'),
    'p{color:red}@media screen and (max-width:0){p{color:#eee}}@media (min-width:0){p{color:#111}}:root{color-scheme:light}',
  );
  assert.match(display('<meta name="color-scheme" content="light dark">', 'dark'), 'content="dark"');
  assert.match(display('<meta name="color-scheme" content="light">', 'dark'), 'content="light"');
  assert.match(
    display('<p>prefers-color-scheme: dark, (prefers-color-scheme: dark)</p>', 'dark'),
    '(prefers-color-scheme: dark)</p>',
  );
});

test('links open in a new tab, even if they name another target', () => {
  const html = `<a target="_top" rel="opener" href="x">a</a><a target='_self' href="y">b</a><a href="z">c</a>`;
  const result = display(html);
  assert.match(result, '<a target="_blank" rel="noopener" href="x">');
  assert.match(result, '<a target=\'_blank\' href="y">');
  assert.match(result, '<a href="z">');
});

test('the base element is inserted where it takes effect, and does not change the mode of the document', () => {
  const base = '<base target="_blank">';
  assert.is(
    display('<!doctype html><html><head><title>x</title></head>'),
    `<!doctype html><html><head>${base}<title>x</title></head>`,
  );
  assert.is(display('<!DOCTYPE html><p>x</p>'), `<!DOCTYPE html>${base}<p>x</p>`);
  assert.is(display('<html lang="en"><p>x</p><head></head>'), `<html lang="en">${base}<p>x</p><head></head>`);
  assert.is(display('x'), `${base}x`);
});

test('an inline part is inserted only where it is referenced', () => {
  const parts = [
    { contentId: 'logo@x', contentType: 'image/png; name=a', content: Buffer.from('png') },
    { contentId: 'two words', contentType: 'image/gif', content: Buffer.from('gif') },
  ];
  const html = `<img src="cid:logo@x"><td background='CID:LOGO@X'><p style="background:url(cid:two%20words)"><img src="cid:other">`;
  const result = displayHtml(html, parts, { scheme: 'light', remote: false });
  assert.match(result, '<img src="data:image/png;base64,cG5n">');
  assert.match(result, "<td background='data:image/png;base64,cG5n'>");
  assert.match(result, 'url(data:image/gif;base64,Z2lm)');
  assert.match(result, 'src="cid:other"');
});

test('an inline part is inserted where something is loaded, but not in readable text', () => {
  const parts = [{ contentId: 'a', contentType: 'image/png"><b>', content: Buffer.from('png') }];
  const html = `<style>p{background:url("cid:a")}/* cid:a */</style><p title="cid:a">cid:a</p><img srcset="cid:a 1x, cid:a 2x">`;
  const url = 'data:application/octet-stream;base64,cG5n';
  assert.is(
    displayHtml(html, parts, { scheme: 'light', remote: false }),
    `<base target="_blank"><style>p{background:url("${url}")}/* cid:a */</style><p title="cid:a">cid:a</p><img srcset="${url} 1x, ${url} 2x">`,
  );
});

test('many references to one part do not make a document endless', () => {
  const parts = [{ contentId: 'a', contentType: 'image/png', content: Buffer.alloc(1_500_000) }];
  const html = '<img src="cid:a">'.repeat(6_000);
  const result = displayHtml(html, parts, { scheme: 'light', remote: false });
  assert.ok(result.length <= maxEmbedded + html.length + 100, String(result.length));
  assert.is(result.split('src="data:').length - 1, Math.floor(maxEmbedded / 2_000_022));
  assert.ok(result.endsWith('<img src="cid:a">'));
  let read = 0;
  const countedPart = { ...parts[0], contentId: 'a', contentType: 'image/png', content: new Uint8Array(3) };
  const embedder = createEmbedder([
    {
      ...countedPart,
      get content() {
        read += 1;
        return countedPart.content;
      },
    },
  ]);
  for (let index = 0; index < 10; index += 1) embedder.url('cid:a');
  assert.is(read, 11, 'its length was read ten times, its bytes once');
});

test('frames of other hosts stay empty', () => {
  assert.is(
    display(`<iframe src=https://a.example/></iframe><object data="x"></object><embed src='y'>`),
    `<base target="_blank"><iframe src=about:blank></iframe><object data="about:blank"></object><embed src='about:blank'>`,
  );
});

test('nothing in a message makes the browser connect to another host', () => {
  const kinds = ['preconnect', 'DNS-Prefetch', 'prefetch', 'preload stylesheet', 'modulepreload', 'icon', 'next', ''];
  for (const rel of kinds.filter((kind) => kind !== ''))
    assert.is(
      display(`<link href="//a.example" rel="${rel}">`),
      `<base target="_blank"><link href="//a.example" rel="none">`,
    );
  const sheet = '<link rel="StyleSheet" href="https://a.example/a.css"><link rel="alternate stylesheet" href="b">';
  assert.is(display(sheet), `<base target="_blank">${sheet}`);
  assert.is(
    display(`<meta http-equiv="X-DNS-Prefetch-Control" content="on"><iframe srcdoc="<link rel=preconnect href=//a>">`),
    `<base target="_blank"><meta http-equiv="X-DNS-Prefetch-Control" content="off"><iframe srcdoc="about:blank">`,
  );
});

test('links are limited in number and length, and hostile text is read to its end', () => {
  const many = Array.from({ length: 1_500 }, (_, index) => `https://a.example/${index}`);
  assert.is(linksOf('', many.join(' ')).length, 1_000);
  assert.is(linksOf(many.map((url) => `<a href="${url}">x</a>`).join('')).length, 1_000);
  const long = `https://a.example/${'x'.repeat(4_000)}`;
  assert.equal(linksOf(`<a href="${long}">x</a>`, long), []);
  // Each of these texts took minutes when patterns searched for the end from every position.
  const hostile = 300_000;
  assert.equal(linksOf('', `https://${'.'.repeat(hostile)}x https://b.example/${')'.repeat(hostile)}`), [
    { url: 'https://b.example/', text: '' },
  ]);
  assert.not.ok(isDark(`<style>${' color-scheme:'.repeat(hostile)}</style>`));
  assert.is(hostsOf(`<style>${'url(https://a.example/x)'.repeat(20_000)}</style>`).length, 1);
});

test('the policy prevents scripts, with and without remote content', () => {
  for (const remote of [false, true]) {
    const policy = mailPolicy({ remote, scheme: 'light' });
    assert.match(policy, "default-src 'none'");
    assert.match(policy, "form-action 'none'");
    assert.match(policy, "base-uri 'none'");
    assert.not.match(policy, /script-src|connect-src|frame-src|allow-scripts|allow-forms|allow-top|allow-modals/);
  }
});

test('character references are resolved, and invalid references stay unchanged', () => {
  assert.is(decodeText('&amp;&lt;&#38;&#x26;&quot;&apos;'), '&<&&"\'');
  assert.is(decodeText('&#0;&#xD800;&#x110000;&copy;&nothing;&'), '&#0;&#xD800;&#x110000;&copy;&nothing;&');
});

test('any text is read to its end, in order, and shown completely', async () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '</',
    '<!--',
    '-->',
    '<!',
    '<?',
    '"',
    "'",
    '=',
    ' ',
    '/',
    'a',
    '<a href=',
    '<style>',
    '</style>',
    '<p style="',
    '&amp;',
    'İ',
    '<base href=x>',
    '<!doctype html>',
    'cid:a',
    'color-scheme: dark',
  );
  await fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const html = pieces.join('');
      let at = 0;
      for (const token of readMarkup(html)) {
        const { start = at, end = at } = token as { start?: number; end?: number };
        assert.ok(start >= at && end >= start && end <= html.length, html);
        if (token.kind !== 'close') at = end;
      }
      analyseMail({ html, text: html });
      const result = display(html, 'dark');
      assert.is(result.split('<base target="_blank">').length, 2, html);
    }),
    { numRuns: 2_000, seed: 7 },
  );
});

test('the relative path leads from each page to the inbox', () => {
  const inboxPathFrom = (url: string) =>
    new URL(`${relativePathToPage('inbox', url)}assets/x`, `http://h/a/b${url}`).pathname;
  for (const url of [
    '/inbox',
    '/inbox/',
    '/inbox?q=a/b',
    '/inbox/m/snd_1',
    '/inbox/m/snd_1/',
    '/inbox/m/snd_1?workspace=w',
  ])
    assert.is(inboxPathFrom(url), '/a/b/inbox/assets/x', url);
});

test('a sample satisfies its contract', () => {
  const schema = {
    type: 'object',
    required: ['name', 'email', 'count', 'paid', 'lines', 'kind', 'address', 'day'],
    properties: {
      name: { type: 'string' },
      email: { type: 'string', format: 'email' },
      count: { type: 'integer', minimum: 3 },
      paid: { type: 'boolean' },
      lines: { type: 'array', items: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } } },
      kind: { enum: ['a', 'b'] },
      address: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
      day: { type: 'string', format: 'date' },
      left: { type: 'string' },
    },
  };
  assert.equal(previewVariablesOf(schema), {
    name: 'name',
    email: 'ada@example.com',
    count: 3,
    paid: true,
    lines: [{ text: 'text' }],
    kind: 'a',
    address: { city: 'city' },
    day: '2026-01-31',
  });
  assert.equal(previewVariablesOf({ ...schema, examples: [{ name: 'Ada' }] }), { name: 'Ada' });
});

test.run();
