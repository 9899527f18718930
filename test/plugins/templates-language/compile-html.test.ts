import juice from 'juice';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileMail, type MailCompileFault, type MailSource } from '../../../plugins/templates/language/compile.ts';
import { parseTemplate } from '../../../plugins/templates/language/liquid.ts';

const test = suite('templates: compiling HTML');

const BODY = `<!DOCTYPE html>
<html><head><title>Order {{ order }}</title><style>
.a { color: red; font-family: "Arial" }
.button { background: {{ brand.color }} }
a:hover { color: blue }
@media (prefers-color-scheme: dark) { .a { color: #fff !important } }
[data-ogsc] .a { color: #eee }
</style></head>
<body class='page'>
<!--[if mso]><table><tr><td width="{{ width }}"><![endif]-->
<h1 class="a">Hello {{ user.name }}</h1><p>1 <% 2 &amp; 3</p>
<table>{% for item in items %}<tr><td class="a">{{ item.name }}</td><td>{{ item.price }}</td></tr>{% endfor %}</table>
<a class="button" href='{{ url | default: "https://x" }}'>Go</a> <img src="{{ picture }}" alt="">
{% if note %}<p>{{ note }}</p>{% endif %}
<!--[if mso]></td></tr></table><![endif]--></body></html>`;

const variables = {
  order: 7,
  brand: { color: '#123456' },
  width: 600,
  user: { name: 'A<b>' },
  items: [
    { name: 'W&x', price: '3' },
    { name: 'G', price: '4' },
  ],
  url: 'https://x.y/?a=1&b=2',
  picture: 'https://x.y/p.png',
  note: 'Thanks!',
};

async function compile(body: string, more: Partial<MailSource> = {}) {
  return compileMail({ mode: 'html', body, subject: 'Hi', previewText: '', ...more });
}

async function compileOrThrow(body: string, more: Partial<MailSource> = {}) {
  const result = await compile(body, more);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.mail;
}

async function faultsOf(body: string): Promise<MailCompileFault[]> {
  const result = await compile(body);
  return result.ok ? [] : result.faults;
}

test('styles are inlined, and rules that only a style element can express are kept', async () => {
  const { html } = await compileOrThrow(BODY);
  const mail = parseTemplate(html, 'html').render(variables);
  assert.match(mail, '<h1 class="a" style="color: red; font-family: \'Arial\';">Hello A&lt;b&gt;</h1>');
  assert.match(mail, '@media (prefers-color-scheme: dark) { .a { color: #fff !important } }');
  assert.match(mail, '[data-ogsc] .a');
  assert.match(mail, 'a:hover');
  assert.match(mail, '<td width="600">');
  assert.match(mail, '1 <% 2 &amp; 3');
  assert.match(mail, /<!DOCTYPE html>/);
  assert.match(mail, 'style="background: #123456;"');
  assert.not.match(mail, /zliquid|JUICE|\{\{|\{%/);
});

test('inlining before rendering gives the same mail as inlining after it', async () => {
  const { html } = await compileOrThrow(BODY);
  const after = juice(parseTemplate(BODY, 'html').render(variables).replace('<%', '&lt;%'), {
    removeStyleTags: false,
    resolveCSSVariables: false,
  });
  assert.is(parseTemplate(html, 'html').render(variables).replace('<%', '&lt;%'), after);
});

test('rows of a loop stay inside their table, both in HTML and in text', async () => {
  const mail = await compileOrThrow(BODY);
  const row = (name: string, price: string) => {
    return `<tr><td class="a" style="color: red; font-family: 'Arial';">${name}</td><td>${price}</td></tr>`;
  };
  assert.match(
    parseTemplate(mail.html, 'html').render(variables),
    `<table>${row('W&amp;x', '3')}${row('G', '4')}</table>`,
  );
  assert.match(parseTemplate(mail.text, 'plain').render(variables), /W&x 3\s+G 4/);
});

test('the derived text part omits hidden content', async () => {
  const body =
    '<body><div style="display: none">secret {% if a %}x{% endif %}</div><h1>Title</h1><p>{{ a }} &amp; <a href="{{ u }}">b</a></p></body>';
  const { text } = await compileOrThrow(body, { previewText: 'preview' });
  assert.is(parseTemplate(text, 'plain').render({ a: '<1>', u: 'https://x' }), 'Title\n\n<1> & b (https://x)');
});

test('an assignment in the head also applies to the text part', async () => {
  const { text } = await compileOrThrow(
    '<html><head>{% assign a = b | upcase %}</head><body><p>{{ a }}</p></body></html>',
  );
  assert.is(parseTemplate(text, 'plain').render({ b: 'x' }), 'X');
});

test('if no text part can be derived, the error asks for one', async () => {
  const [fault] = await faultsOf('<div style="display:none">{% if a %}</div><p>x</p>{% endif %}');
  assert.is(fault?.path, 'text');
  assert.is(fault?.code, 'text_not_derived');
});

test('compiling reads no file and uses no network', async () => {
  const remote =
    '<link rel="stylesheet" href="file.css"><style>@import url("https://x.invalid/a.css"); p{color:red}</style><p>x</p>';
  const { html } = await compileOrThrow(remote);
  assert.match(html, '<link rel="stylesheet" href="file.css">');
  assert.match(html, '<p style="color: red;">x</p>');
});

test('Liquid in styles, in style elements and in classes is kept', async () => {
  const cases: [string, string][] = [
    ['<p style="{% if on %}color:red;{% endif %}">x</p>', '<p style="{% if on %}color:red;{% endif %}">x</p>'],
    ['<style>p{margin:0}</style><p style="color:red;{{ x }}">x</p>', '<p style="margin: 0; color:red;{{ x }};">x</p>'],
    ['<style>p{margin:0}</style><p style="foo">x</p>', '<p style="margin: 0; foo;">x</p>'],
    ['<style>{% if on %}p{color:red}{% endif %}</style><p>x</p>', '<p style="{% if on %}color: red;{% endif %}">x</p>'],
    [
      '<style>p{color:red}.a{margin:0}</style><b class="{{ k }}"><p>x</p></b><p>y</p>',
      '<b class="{{ k }}"><p>x</p></b><p style="color: red;">y</p>',
    ],
  ];
  for (const [body, html] of cases) {
    const mail = await compileOrThrow(body);
    assert.match(mail.html, html);
    assert.not.match(mail.html, /zliquid|undefined/);
  }
});

test('forbidden content is refused with its line', async () => {
  const cases: [string, MailCompileFault['code'], number][] = [
    ['<p>\n<script src="x"></script>', 'markup_unsafe', 2],
    ['<p>\n\n<a ONCLICK="x">', 'markup_unsafe', 3],
    ['<p>\n<a href="javascript:x">', 'url_unsafe', 2],
    ['<a href="java&#x73;cript:x">', 'url_unsafe', 1],
    ['<a href="java&Tab;script&colon;x">', 'url_unsafe', 1],
    ['<a href="data:text/html,x">', 'url_unsafe', 1],
    ['<iframe></iframe>', 'markup_unsafe', 1],
    ['<object></object>', 'markup_unsafe', 1],
    ['<embed>', 'markup_unsafe', 1],
    ['<form></form>', 'markup_unsafe', 1],
    ['<svg><animate></svg>', 'markup_unsafe', 1],
    ['<base href="https://x">', 'markup_unsafe', 1],
    ['<meta http-equiv="Refresh" content="0;url=x">', 'markup_unsafe', 1],
    ['<p style="width: expression(1)">', 'css_unsafe', 1],
    ['<!--[if mso]><script>x</script><![endif]-->', 'markup_unsafe', 1],
    ['<p {% if a %}x{% endif %}>', 'liquid_position', 1],
    ['<p>x', 'block_position', 0],
  ];
  for (const [body, code, line] of cases.slice(0, -1)) {
    const [fault] = await faultsOf(body);
    assert.is(fault?.code, code, body);
    assert.is(fault?.line, line, body);
  }
});

test('only images may have data URLs', async () => {
  assert.equal(await faultsOf('<img src="data:image/png;base64,AAAA">'), []);
  assert.is((await faultsOf('<img src="data:image/svg+xml,x">'))[0]?.code, 'url_unsafe');
  assert.is((await faultsOf('<a href="data:image/png;base64,AAAA">'))[0]?.code, 'url_unsafe');
});

test('a body that is too expensive to compile is refused', async () => {
  const rules = Array.from({ length: 450 }, (_, index) => `.c${index} p, div > a:nth-child(${index}){color:red}`).join(
    '',
  );
  for (const body of [
    'x'.repeat(512_001),
    '<p>x</p>'.repeat(4_500),
    `${'<div>'.repeat(150)}x`,
    '<!---->'.repeat(5_000),
    `<style>${'p{color:red}'.repeat(6_000)}</style>`,
    `<style>${rules}</style>${'<p><a>x</a></p>'.repeat(1_500)}`,
    `<p style="${'a:b;'.repeat(2_000)}">x</p>`,
  ]) {
    const [fault] = await faultsOf(body);
    assert.ok(fault?.code === 'too_long' || fault?.code === 'too_deep', `${fault?.code} ${body.slice(0, 60)}`);
  }
});

test('invalid markup never throws', async () => {
  for (const body of [
    '',
    ' ',
    '<%'.repeat(20_000),
    '<'.repeat(20_000),
    '<style>p{',
    '<a '.repeat(3_000),
    '{% raw %}{{ {% endraw %}',
    '\u0000',
    '<p>\ud800',
  ]) {
    const result = await compile(body);
    assert.type(result.ok, 'boolean');
  }
});

test.run();
