// Text parts that are derived from HTML: the text for readers of plain text follows the structure that remains after Liquid.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileMail } from '../../../plugins/templates/language/compile.ts';
import { layOutText, MARKS } from '../../../plugins/templates/language/text-marks.ts';
import { createCompiledTemplate } from '../../../plugins/templates/rendering/compiled-template.ts';

const test = suite('templates: derived text parts');

async function textOf(
  body: string,
  variables: Record<string, unknown>,
  mode: 'html' | 'mjml' = 'html',
): Promise<string> {
  const result = await compileMail({ mode, body, subject: 'x', previewText: 'preview' });
  if (!result.ok) throw new Error(`${body}: ${JSON.stringify(result.faults)}`);
  const contract = { type: 'object', properties: {}, required: [], additionalProperties: true } as never;
  const template = createCompiledTemplate({
    ...result.mail,
    contract,
    validate: (values: unknown) => ({ variables: values as Record<string, unknown>, faults: [] }),
    theme: {},
  });
  return (await template.render(variables, 0)).text;
}

type Form = readonly [body: string, variables: Record<string, unknown>, text: string];

const forms: readonly Form[] = [
  // Blocks of Liquid
  ['<p>Doe{% if a %}<br>{% else %}<br>{% endif %}your order</p>', { a: true }, 'Doe\nyour order'],
  ['<p>Doe{% if a %} {% else %}, {% endif %}your order</p>', { a: false }, 'Doe, your order'],
  ['<div>Doe</div>{% if a %}{% else %}{% endif %}<div>your order</div>', { a: true }, 'Doe\nyour order'],
  ['{% if a %}<p>Doe</p>{% else %}<p>your order</p>{% endif %}<p>z</p>', { a: false }, 'your order\n\nz'],
  ['{% if a %}\n<p>no</p>\n{% endif %}\n\n<p>first</p>', { a: false }, 'first'],
  ['<p>a</p>{% if a %}<p>b</p>{% endif %}{% if a %}<p>c</p>{% endif %}<p>d</p>', { a: false }, 'a\n\nd'],
  ['<p>Hello {% if n %}{{ n }}{% else %}customer{% endif %},</p>', { n: 'İda' }, 'Hello İda,'],
  ['<p>x {% for i in l %}{{ i }}{% unless forloop.last %}, {% endunless %}{% endfor %}.</p>', { l: [1, 2] }, 'x 1, 2.'],
  ['<p>a</p>{% for i in l %}<p>{{ i }}</p>{% endfor %}', { l: [] }, 'a'],
  ['{% assign n = "A" %}<p>{{ n }}</p>', {}, 'A'],
  // Lists
  ['<ol>{% for i in l %}<li>{{ i }}</li>{% endfor %}</ol>', { l: ['x', 'y', 'z'] }, '1. x\n2. y\n3. z'],
  ['<ol><li>a</li>{% for i in l %}<li>{{ i }}</li>{% endfor %}<li>b</li></ol>', { l: ['x'] }, '1. a\n2. x\n3. b'],
  ['<ol start="3"><li>a</li>{% if no %}<li>n</li>{% endif %}<li>b</li></ol>', { no: false }, '3. a\n4. b'],
  ['<ol start="{{ s }}"><li>a</li></ol>', { s: 7 }, '7. a'],
  ['<ul><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ul>', {}, '* a\n  * b\n  * c\n* d'],
  [
    '<ul><li>a<ol>{% for i in l %}<li>{{ i }}</li>{% endfor %}</ol></li></ul>',
    { l: ['x', 'y'] },
    '* a\n  1. x\n  2. y',
  ],
  ['<p>Before</p><ul><li>a<br>b</li></ul><p>After</p>', {}, 'Before\n\n* a\n  b\n\nAfter'],
  ['<ul><li><p>a</p></li><li><p>b</p></li></ul>', {}, '* a\n\n* b'],
  // Links and pictures
  ['<a href="https://x.y"><img src="a.png" alt="Logo"></a>', {}, 'Logo (https://x.y)'],
  ['<a href="https://x.y"><img src="a.png" alt=""></a> <img src="b.png" alt="B &amp; c">', {}, 'https://x.y B & c'],
  ['<a href="https://x.y"><img src="a.png"></a>', {}, 'https://x.y'],
  ['<a href="{{ u }}">{{ u }}</a>', { u: 'https://x.y/a' }, 'https://x.y/a'],
  ['<a href="https://x.y/">x.y</a>, <a href="https://www.x.y">https://x.y</a>', {}, 'x.y, https://x.y'],
  ['<a href="{{ u }}">Open <b>it</b></a>', { u: 'https://x.y/?a=1&b=2' }, 'Open it (https://x.y/?a=1&b=2)'],
  ['<a href="mailto:a@b.c?subject=x">a@b.c</a> or <a href="mailto:a@b.c">us</a>', {}, 'a@b.c or us (a@b.c)'],
  ['<a href="tel:+49123">+49 123</a> or <a href="tel:+49123">call</a>', {}, '+49 123 or call (+49123)'],
  ['<a href="#top">Up</a> <a name="x">here</a>', {}, 'Up here'],
  ['<p>A<a href="https://x.y">b</a>.</p>', {}, 'Ab (https://x.y).'],
  // Tables
  ['<table><tr><td>a</td><td>b</td></tr><tr><th>c</th><td>d</td></tr></table>', {}, 'a b\nc d'],
  [
    '<table>{% for i in l %}<tr><td>{{ i }}</td><td>x</td></tr>{% endfor %}</table>',
    { l: ['日本', '中国'] },
    '日本 x\n中国 x',
  ],
  ['<table><tr><td><p>a</p></td></tr><tr><td>b</td></tr></table>', {}, 'a\n\nb'],
  // Text
  ['<h1>Title</h1><h2>Sub</h2>text<hr>end', {}, `Title\n\nSub\n\ntext\n\n${'-'.repeat(40)}\n\nend`],
  ['<p>a<br>b<br><br><br>c</p>', {}, 'a\nb\n\nc'],
  ['<p>d&nbsp;e &euro; &lt;x&gt; &#128512;</p>', {}, 'd e € <x> 😀'],
  ['<pre>a\n  b\n c</pre><p>d</p>', {}, 'a\n  b\n c\n\nd'],
  ['<blockquote>a<p>b</p></blockquote>c', {}, '> a\n>\n> b\n\nc'],
  ['<p dir="rtl">مرحبا {{ n }}</p><p>👩‍👩‍👧 ß</p>', { n: 'آدا' }, 'مرحبا آدا\n\n👩‍👩‍👧 ß'],
  ['<p>{{ a }}</p>', { a: 'Street 1\nTown' }, 'Street 1\nTown'],
  ['<p>&#123;&#123; a }} &#123;% if %}</p>', {}, '{{ a }} {% if %}'],
  // Hidden parts
  ['<div style="display:none">h{% if x %}y{% endif %}</div><p>z</p>', { x: 1 }, 'z'],
  ['<div style="DISPLAY : none !important">h</div><p hidden>h</p><p style="mso-hide:all">h</p><p>z</p>', {}, 'z'],
  ['<div style="max-height:0;overflow:hidden">h</div><p style="max-height:0.5em">y</p><p>z</p>', {}, 'y\n\nz'],
  ['<span>a&#847;&zwnj;&nbsp;&#847;&zwnj;&nbsp;&#8203;</span><p>z</p>', {}, 'a\n\nz'],
  ['<!--[if mso]><p>o</p><![endif]--><!--[if !mso]><!--><p>in</p><!--<![endif]--><!-- c -->', {}, 'in'],
  ['<title>T</title><style>p{color:red}</style><p>x</p>', {}, 'x'],
];

test('each HTML form has its expected text', async () => {
  for (const [body, variables, text] of forms) assert.is(await textOf(body, variables), text, body);
  assert.ok(forms.length > 40);
});

test('each MJML form has its expected text', async () => {
  const body = `<mjml><mj-body>
    <mj-section><mj-column><mj-image src="l.png" alt="Acme" href="https://acme.example" /><mj-text><h1>Hi {{ n }}</h1></mj-text>
    {% if a %}<mj-text>Yes</mj-text>{% else %}<mj-text>No</mj-text>{% endif %}
    <mj-table>{% for i in l %}<tr><td>{{ i }}</td><td>1</td></tr>{% endfor %}</mj-table>
    <mj-button href="https://acme.example/go">Go</mj-button><mj-divider /><mj-spacer />
    </mj-column></mj-section></mj-body></mjml>`;
  const text = await textOf(body, { n: 'İda', a: false, l: ['a', 'b'] }, 'mjml');
  assert.is(text, 'Acme (https://acme.example)\n\nHi İda\n\nNo\n\na 1\nb 1\n\nGo (https://acme.example/go)');
});

test('internal markers in values cause no error, and neither do huge texts', () => {
  const marks = Object.values(MARKS).join('');
  assert.not.match(layOutText(`a${marks}b${marks.repeat(3)}c\ud800`), /[\ufdd0-\ufdd9]/);
  for (const piece of [
    MARKS.bullets,
    MARKS.end,
    `${MARKS.item}x`,
    MARKS.numbers,
    `${MARKS.numbers}999999999999;`,
    ' ',
    '\n',
    'x',
  ]) {
    // Processor time does not depend on the load of the machine.
    const cpuBefore = process.cpuUsage();
    layOutText(piece.repeat(100_000));
    const { user, system } = process.cpuUsage(cpuBefore);
    assert.ok((user + system) / 1000 < 500, JSON.stringify(piece));
  }
});

test.run();
