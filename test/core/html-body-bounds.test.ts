// Finds the beginning and the end of a body like a browser that parses the document. The full tree of parse5 is the reference.
import { parse } from 'parse5';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { htmlBodyBounds } from '../../core/pages/html-body-bounds.ts';

const test = suite('bounds of an HTML body');
const mark = '<b id="mark"></b>';

/** The names of the elements around the mark, beginning with the root. Undefined if the mark did not become an element. */
function pathTo(node: ReturnType<typeof parse>, html: string): string[] | undefined {
  type Node = { nodeName: string; attrs?: { name: string; value: string }[]; childNodes?: Node[] };
  const find = (one: Node, path: string[]): string[] | undefined => {
    if (one.attrs?.some(({ name, value }) => name === 'id' && value === 'mark')) return path;
    for (const child of one.childNodes ?? []) {
      const foundPath = find(child, [...path, one.nodeName]);
      if (foundPath !== undefined) return foundPath;
    }
    return undefined;
  };
  assert.ok(html.includes(mark));
  return find(node as Node, []);
}

const texts = [
  'İyi günler',
  'ß ﬁ',
  '👩‍👩‍👧‍👦 🏳️‍🌈',
  '日本語のメール',
  'مرحبا',
  '\ufffd \ud800',
  'Ⅷ K Å',
  'x'.repeat(9_000),
];
const documents: readonly [says: string, html: string, end: string, start?: string][] = [
  [
    'a whole document',
    '<!doctype html><html><head><title>T</title></head><body>TEXT|</body></html>',
    '|</body>',
    'TEXT',
  ],
  ['a document in capitals', '<HTML><BODY class="x">TEXT|</BODY></HTML>', '|</BODY>', 'TEXT'],
  ['an end tag with a space and an attribute', '<body>TEXT|</body data-x="</body>" ></html>', '|</body d', 'TEXT'],
  ['an end tag in a comment', '<body>TEXT<!-- </body> -->|</body>', '|</body>'],
  ['an end tag in a comment after the body', '<body>TEXT|</body><!-- </body> -->', '|</body><'],
  [
    'an end tag in a style',
    '<style>a::after{content:"</body>"}</style><body>TEXT|</body><style>/*</body>*/</style>',
    '|</body><s',
  ],
  ['tags in a title', '<title></body><body></title><body>TEXT|</body>', '|</body>', 'TEXT'],
  ['an end tag in a textarea', '<body>TEXT|</body><textarea></body></textarea>', '|</body><t'],
  ['tags in an attribute', '<body title="<body></body>">TEXT|</body><i title="</body>">x</i>', '|</body><i'],
  [
    'tags in a conditional comment for Outlook',
    '<!--[if mso]><body><![endif]--><body>TEXT|</body><!--[if mso]></body><![endif]-->',
    '|</body><!',
    'TEXT',
  ],
  ['a document without a body', '<!doctype html><p>TEXT</p>|', '|', '<p>'],
  [
    'a document with a head but no body',
    '<!doctype html><html><head><style>p{}</style></head><p>TEXT</p>|</html>',
    '|</html>',
    '<p>',
  ],
  ['a head without tags', '<!doctype html><title>T</title><meta charset=utf-8><style>p{}</style>TEXT|', '|', 'TEXT'],
  ['a text without tags', 'TEXT|', '|', 'TEXT'],
  ['a document that begins with a comment', '<!-- note --><!doctype html>\r\n<div>TEXT</div>|', '|', '<div>'],
  [
    'a document that begins with an XML declaration',
    '<?xml version="1.0"?><!doctype html><div>TEXT</div>|',
    '|',
    '<div>',
  ],
  ['a document with an open comment', '<body><p>TEXT</p>|<!-- </body></html>', '|<!--'],
  ['a document with an open style', '<body><p>TEXT</p>|<style>a{} </body></html>', '|<style>'],
  ['a document with an open tag', '<body><p>TEXT</p>|<a href="</body></html>', '|<a'],
  ['a document with an open title', '<p>TEXT</p>|<title>x</body>', '|<title>'],
  ['a document with two bodies', '<body>TEXT</body><p>more</p><body>and|</body>', '|</body>'],
  ['an empty document', '|', '|', ''],
];

for (const [says, form, end, start] of documents)
  test(`the reader finds the body in ${says}, with every kind of text`, async () => {
    for (const text of texts) {
      const expectedStart = form.replaceAll('TEXT', text);
      const html = expectedStart.replace('|', '');
      const bounds = await htmlBodyBounds(html);
      assert.is(bounds.end, expectedStart.indexOf(end.replaceAll('TEXT', text)), text.slice(0, 20));
      if (start !== undefined) assert.is(bounds.start, html.indexOf(start.replaceAll('TEXT', text)), text.slice(0, 20));
      for (const at of [bounds.start, bounds.end]) {
        const markedHtml = html.slice(0, at) + mark + html.slice(at);
        const path = pathTo(parse(markedHtml), markedHtml);
        assert.equal(path?.slice(0, 3), ['#document', 'html', 'body'], `${at}: ${markedHtml.slice(0, 200)}`);
      }
    }
  });

test('the reader reads a long, hostile document in linear time', async () => {
  for (const part of ['<', '<!--', '</body', '<a href="', '<style>', '&amp', '<body>', '</body>']) {
    const start = performance.now();
    await htmlBodyBounds(part.repeat(100_000 / part.length));
    assert.ok(performance.now() - start < 3_000, part);
  }
});

test.run();
