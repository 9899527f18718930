import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileMail, type MailCompileFault, type MailSource } from '../../../plugins/templates/language/compile.ts';
import { parseTemplate } from '../../../plugins/templates/language/liquid.ts';

const test = suite('templates: compiling MJML');

const BODY = `<mjml>
  <mj-head>
    <mj-title>Order {{ order.id }}</mj-title>
    <mj-style>@media (prefers-color-scheme: dark) { .card { background: #111 !important; } }</mj-style>
  </mj-head>
  <mj-body background-color="{{ brand.background }}">
    {% assign total = order.total %}
    <mj-section css-class="card"><mj-column>
      <mj-text color="{{ brand.color }}" align="{{ brand.align }}">Hello {{ user.name }}, {{ total }}</mj-text>
      {% for item in order.items %}
      <mj-text>{{ item.name }}: {{ item.price | upcase }}</mj-text>
      {% endfor %}
      <mj-table>{% for item in order.items %}<tr><td>{{ item.name }}</td><td>{{ item.price }}</td></tr>{% endfor %}</mj-table>
      <mj-button href="{{ url | default: "https://x.y" }}">Open</mj-button>
    </mj-column></mj-section>
    {% comment %} <mj-section> nothing {% endcomment %}
    {%- if note -%}
    <mj-section><mj-column><mj-text>{{ note }}</mj-text></mj-column></mj-section>
    {%- endif -%}
  </mj-body>
</mjml>`;

const variables = {
  brand: { background: '#fff', color: '#123456', align: 'left' },
  user: { name: 'A<b>' },
  order: {
    id: 7,
    total: 'EUR 5',
    items: [
      { name: 'W&x', price: '3 eur' },
      { name: 'G', price: '4 eur' },
    ],
  },
  url: 'https://x.y/?a=1&b=2',
  note: 'Thanks!',
};

async function compile(body: string, more: Partial<MailSource> = {}) {
  return compileMail({
    mode: 'mjml',
    body,
    subject: 'Order {{ order.id }}',
    previewText: 'For {{ user.name }} & you',
    ...more,
  });
}

async function compileOrThrow(body: string, more: Partial<MailSource> = {}) {
  const result = await compile(body, more);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.mail;
}

async function faultsOf(body: string, more: Partial<MailSource> = {}): Promise<MailCompileFault[]> {
  const result = await compile(body, more);
  return result.ok ? [] : result.faults;
}

test('Liquid in text, attributes, tables, and around elements is kept', async () => {
  const mail = await compileOrThrow(BODY);
  const html = parseTemplate(mail.html, 'html').render(variables);
  assert.match(html, /<!doctype html>/i);
  assert.match(html, /color:#123456/);
  assert.match(html, 'Hello A&lt;b&gt;, EUR 5');
  assert.match(html, /W&amp;x: 3 EUR[\s\S]*G: 4 EUR/);
  assert.match(html, '<tr><td>W&amp;x</td><td>3 eur</td></tr><tr><td>G</td><td>4 eur</td></tr>');
  assert.match(html, 'href="https://x.y/?a=1&amp;b=2"');
  assert.match(html, 'Thanks!');
  assert.match(html, '@media (prefers-color-scheme: dark)');
  assert.not.match(html, /zliquid|\{\{|\{%|NaN/);
  const without = parseTemplate(mail.html, 'html').render({
    ...variables,
    note: null,
    order: { ...variables.order, items: [] },
  });
  assert.not.match(without, /Thanks!|W&amp;x/);
});

test('the derived text part keeps the Liquid', async () => {
  const { text } = await compileOrThrow(BODY);
  const plainText = parseTemplate(text, 'plain').render(variables);
  assert.match(plainText, 'Hello A<b>, EUR 5');
  assert.match(plainText, /W&x: 3 EUR\s+G: 4 EUR/);
  assert.match(plainText, /W&x 3 eur\s+G 4 eur/);
  assert.match(plainText, 'Open (https://x.y/?a=1&b=2)');
  assert.not.match(plainText, /For A|background|zliquid/);
});

test('the preview text is at the start of the body, hidden and escaped', async () => {
  const { html } = await compileOrThrow(BODY);
  const mail = parseTemplate(html, 'html').render(variables);
  assert.match(mail, /<body[^>]*><div style="display:none[^"]*">For A&lt;b&gt; &amp; you&#847;/);
  const withoutPreview = await compileOrThrow(BODY, { previewText: '' });
  assert.not.match(withoutPreview.html, '&#847;');
});

test("the author's own text part does not change", async () => {
  const { text } = await compileOrThrow(BODY, { text: 'Hi {{ user.name }}\n' });
  assert.is(text, 'Hi {{ user.name }}\n');
});

test('the placeholders of all parts are listed', async () => {
  const { placeholders } = await compileOrThrow(BODY, { text: '{{ only.text }}' });
  const paths = new Set(placeholders.map(({ path }) => path.join('.')));
  for (const path of ['order.id', 'user.name', 'order.items.[].price', 'brand.color', 'url', 'note', 'only.text']) {
    assert.ok(paths.has(path), path);
  }
});

const withTextAtLine = (line: number, text: string) => {
  const lines = BODY.split('\n');
  lines[line - 1] += text;
  return lines.join('\n');
};

test('each error has its line', async () => {
  const cases: [string, MailCompileFault['code'], number | undefined][] = [
    [withTextAtLine(8, '<mj-foo />'), 'mjml_invalid', 8],
    [BODY.replace('color="{{ brand.color }}"', 'colour="red"'), 'mjml_invalid', 9],
    [BODY.replace('color="{{ brand.color }}"', 'color="12 monkeys"'), 'mjml_invalid', 9],
    [BODY.replace('<mj-button', '\n<mj-section></mj-section><mj-button'), 'mjml_invalid', 15],
    [withTextAtLine(8, '<mj-include path="./x.mjml" />'), 'markup_unsafe', 8],
    [withTextAtLine(8, '<mj-raw><script>alert(1)</script></mj-raw>'), 'markup_unsafe', 8],
    [withTextAtLine(8, '<mj-raw><a href="javascript:alert(1)">x</a></mj-raw>'), 'url_unsafe', 8],
    [withTextAtLine(8, '<mj-raw><img src="x" onerror="alert(1)"></mj-raw>'), 'markup_unsafe', 8],
    [withTextAtLine(8, '<mj-button href=" JAVASCRIPT:x">x</mj-button>'), 'url_unsafe', 8],
    [withTextAtLine(8, '<mj-text><form></form></mj-text>'), 'markup_unsafe', 8],
    [withTextAtLine(8, 'stray words'), 'markup_unsafe', 8],
    [withTextAtLine(8, '{{ user.name }}'), 'liquid_position', 8],
    [withTextAtLine(5, '{% if a %}{% endif %}'), 'liquid_position', 5],
    [
      BODY.replace('<mj-column>', '<mj-column>{% if a %}').replace('</mj-section>', '{% endif %}</mj-section>'),
      'block_position',
      8,
    ],
    [BODY.replace('css-class="card"', 'padding="{{ p }}"'), 'liquid_position', 8],
    [BODY.replace('</mj-table>', ''), 'markup_unsafe', 13],
    [BODY.replace('{% endfor %}\n', '\n'), 'syntax', undefined],
    [withTextAtLine(9, '{{ a | nope }}'), 'unknown_filter', 9],
    ['<mj-section></mj-section>', 'mjml_invalid', undefined],
    ['', 'mjml_invalid', undefined],
    ['words', 'markup_unsafe', 1],
  ];
  for (const [body, code, line] of cases) {
    const [fault] = await faultsOf(body);
    assert.is(fault?.code, code, `${fault?.message} in ${body.slice(0, 300)}`);
    assert.is(fault?.path, 'body');
    if (line !== undefined) assert.is(fault?.line, line, fault?.message);
  }
});

test('an empty body is reported as empty', async () => {
  for (const body of ['', ' \n']) assert.match((await faultsOf(body))[0]?.message ?? '', /^The body is empty/);
});

test('the error for a tag that MJML refuses names the tag', async () => {
  const [attribute] = await faultsOf(BODY.replace('color="{{ brand.color }}"', 'colour="red"'));
  assert.match(attribute?.message ?? '', /^MJML, <mj-[a-z]+>: Attribute colour is illegal/);
  const [element] = await faultsOf(withTextAtLine(8, '<mj-foo />'));
  assert.match(element?.message ?? '', /^MJML, <mj-foo>: /);
});

test('errors that appear only after MJML has joined attributes are found', async () => {
  const parts = `<mjml><mj-head><mj-html-attributes><mj-selector path="p"><mj-html-attribute name="onclick">x</mj-html-attribute>
    </mj-selector></mj-html-attributes></mj-head><mj-body><mj-section><mj-column><mj-text><p>x</p></mj-text></mj-column></mj-section>
    </mj-body></mjml>`;
  assert.is((await faultsOf(parts))[0]?.code, 'markup_unsafe');
  const split = parts.replace('name="onclick"', 'name="{{ a }}"');
  assert.is((await faultsOf(split)).length > 0, true);
});

test('the errors of all parts are reported together', async () => {
  const faults = await faultsOf('<mjml><mj-body><mj-foo>{{ a', {
    subject: 'a\nb',
    previewText: '{% if %}',
    text: '{{ x | nope }}',
  });
  assert.equal(
    faults.map(({ path, code }) => `${path} ${code}`),
    ['subject line_break', 'previewText syntax', 'text unknown_filter', 'body syntax'],
  );
});

test('a body that is too expensive to compile is refused', async () => {
  const wrap = (content: string, head = '') => {
    return `<mjml><mj-head>${head}</mj-head><mj-body><mj-section><mj-column>${content}</mj-column></mj-section></mj-body></mjml>`;
  };
  const selectors = Array.from(
    { length: 400 },
    (_, index) => `<mj-selector path="p:nth-child(${index})"></mj-selector>`,
  ).join('');
  for (const body of [
    'x'.repeat(512_001),
    wrap('<mj-text>x</mj-text>'.repeat(2_500)),
    wrap(`<mj-text>${'<p>x</p>'.repeat(4_500)}</mj-text>`),
    wrap(`<mj-text>${'<div>'.repeat(150)}${'</div>'.repeat(150)}</mj-text>`),
    wrap('<!-- x -->'.repeat(5_000)),
    wrap(`<mj-text>${'<p>x</p>'.repeat(500)}</mj-text>`, `<mj-html-attributes>${selectors}</mj-html-attributes>`),
    wrap('<mj-text>x</mj-text>', `<mj-style inline="inline">${'p{color:red}'.repeat(6_000)}</mj-style>`),
  ]) {
    const [fault] = await faultsOf(body);
    assert.ok(fault?.code === 'too_long' || fault?.code === 'too_deep', `${fault?.code} ${body.slice(0, 80)}`);
  }
});

test('an inline style of MJML is inlined together with the Liquid around it', async () => {
  const body = `<mjml><mj-head><mj-style inline="inline">
    .a { color: {{ c }} } {% if on %}.a b { margin: 0 }{% endif %} .b { {{ all }} }
    </mj-style></mj-head><mj-body><mj-section><mj-column>
    <mj-text css-class="a"><b style="foo">x</b></mj-text><mj-text><p class="b" style="{{ own }}">y</p></mj-text>
    </mj-column></mj-section></mj-body></mjml>`;
  const result = await compileMail({ mode: 'mjml', body, subject: 'x', previewText: '' });
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  const { html } = result.mail;
  assert.match(html, '<b style="{% if on %}margin: 0;{% endif %} foo;">x</b>');
  assert.match(html, '<p class="b" style="{{ all }}; {{ own }};">y</p>');
  assert.match(html, /<td[^>]* class="a" style="[^"]*color: \{\{ c \}\};/);
  assert.not.match(html, /zliquid|undefined/);
  for (const [css, markup] of [
    ['.{{ k }} { color: red }', '<i>z</i>'],
    ['.hot { color: red }', '<i class="{{ k }}">z</i>'],
    ['.b { color: {{ item.c }} }', '{% for item in items %}<i class="b">z</i>{% endfor %}'],
  ] as const) {
    const open = body.replace('.b { {{ all }} }', css).replace('<b style="foo">x</b>', markup);
    const withoutInline = open.replace('<mj-style inline="inline">', '<mj-style>');
    assert.is(
      (await compileMail({ mode: 'mjml', body: withoutInline, subject: 'x', previewText: '' })).ok,
      true,
      'a style that is not inlined compiles',
    );
    const result = await compileMail({ mode: 'mjml', body: open, subject: 'x', previewText: '' });
    assert.equal(result.ok ? [] : result.faults.map(({ code, line }) => [code, line]), [['mjml_invalid', 1]], css);
  }
});

test.run();
