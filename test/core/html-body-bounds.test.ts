// Finds where a body begins and ends, as a browser would parse the document. parse5's full tree is the reference.
import { parse } from 'parse5';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { htmlBodyBounds } from '../../core/pages/html-body-bounds.ts';

const test = suite('bounds of an HTML body');
const mark = '<b id="mark"></b>';

/** The names of the elements around the mark, from the root down. Undefined if the mark did not become an element. */
function pathTo(node: ReturnType<typeof parse>, html: string): string[] | undefined {
  type Node = { nodeName: string; attrs?: { name: string; value: string }[]; childNodes?: Node[] };
  const find = (one: Node, path: string[]): string[] | undefined => {
    if (one.attrs?.some(({ name, value }) => name === 'id' && value === 'mark')) return path;
    for (const child of one.childNodes ?? []) {
      const found = find(child, [...path, one.nodeName]);
      if (found !== undefined) return found;
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
  ['capitals', '<HTML><BODY class="x">TEXT|</BODY></HTML>', '|</BODY>', 'TEXT'],
  ['an end tag with a space and an attribute', '<body>TEXT|</body data-x="</body>" ></html>', '|</body d', 'TEXT'],
  ['one in a comment', '<body>TEXT<!-- </body> -->|</body>', '|</body>'],
  ['one in a comment after the body', '<body>TEXT|</body><!-- </body> -->', '|</body><'],
  [
    'one in a style',
    '<style>a::after{content:"</body>"}</style><body>TEXT|</body><style>/*</body>*/</style>',
    '|</body><s',
  ],
  ['one in a title', '<title></body><body></title><body>TEXT|</body>', '|</body>', 'TEXT'],
  ['one in a textarea', '<body>TEXT|</body><textarea></body></textarea>', '|</body><t'],
  ['one in an attribute', '<body title="<body></body>">TEXT|</body><i title="</body>">x</i>', '|</body><i'],
  [
    'one for Outlook',
    '<!--[if mso]><body><![endif]--><body>TEXT|</body><!--[if mso]></body><![endif]-->',
    '|</body><!',
    'TEXT',
  ],
  ['no body', '<!doctype html><p>TEXT</p>|', '|', '<p>'],
  ['no body, but a head', '<!doctype html><html><head><style>p{}</style></head><p>TEXT</p>|</html>', '|</html>', '<p>'],
  ['a head without tags', '<!doctype html><title>T</title><meta charset=utf-8><style>p{}</style>TEXT|', '|', 'TEXT'],
  ['a text alone', 'TEXT|', '|', 'TEXT'],
  ['a comment first', '<!-- note --><!doctype html>\r\n<div>TEXT</div>|', '|', '<div>'],
  ['an XML line first', '<?xml version="1.0"?><!doctype html><div>TEXT</div>|', '|', '<div>'],
  ['a comment without an end', '<body><p>TEXT</p>|<!-- </body></html>', '|<!--'],
  ['a style without an end', '<body><p>TEXT</p>|<style>a{} </body></html>', '|<style>'],
  ['a tag without an end', '<body><p>TEXT</p>|<a href="</body></html>', '|<a'],
  ['a title without an end', '<p>TEXT</p>|<title>x</body>', '|<title>'],
  ['two bodies', '<body>TEXT</body><p>more</p><body>and|</body>', '|</body>'],
  ['nothing', '|', '|', ''],
];

for (const [says, form, end, start] of documents)
  test(`the reader finds the body in ${says}, with every kind of text`, async () => {
    for (const text of texts) {
      const wanted = form.replaceAll('TEXT', text);
      const html = wanted.replace('|', '');
      const found = await htmlBodyBounds(html);
      assert.is(found.end, wanted.indexOf(end.replaceAll('TEXT', text)), text.slice(0, 20));
      if (start !== undefined) assert.is(found.start, html.indexOf(start.replaceAll('TEXT', text)), text.slice(0, 20));
      for (const at of [found.start, found.end]) {
        const marked = html.slice(0, at) + mark + html.slice(at);
        const path = pathTo(parse(marked), marked);
        assert.equal(path?.slice(0, 3), ['#document', 'html', 'body'], `${at}: ${marked.slice(0, 200)}`);
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
