// Layouts: allowed positions of the body, the compiled result, and the lines of errors.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  CompileMemo,
  compileMail,
  type MailCompileFault,
  type MailSource,
} from '../../../plugins/templates/language/compile.ts';
import { parseTemplate } from '../../../plugins/templates/language/liquid.ts';

const test = suite('templates: layouts');

const MJML = `<mjml>
  <mj-head><mj-attributes><mj-text color="#123456" /></mj-attributes></mj-head>
  <mj-body>
    <mj-section><mj-column><mj-text>{{ company }}</mj-text></mj-column></mj-section>
    {% content %}
    <mj-section><mj-column><mj-text>Bye, {{ company }}</mj-text></mj-column></mj-section>
  </mj-body>
</mjml>`;
const HTML = '<html>\n<body>\n<h1>{{ company }}</h1>\n<div>{% content %}</div>\n<p>Bye</p>\n</body>\n</html>';

const section = (text: string) => `<mj-section><mj-column>\n<mj-text>${text}</mj-text>\n</mj-column></mj-section>`;

async function compile(source: Partial<MailSource>) {
  return compileMail({ mode: 'mjml', body: '', subject: 'Hi', previewText: '', ...source });
}

async function compileOrThrow(source: Partial<MailSource>) {
  const result = await compile(source);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.mail;
}

async function faults(source: Partial<MailSource>): Promise<Pick<MailCompileFault, 'path' | 'line' | 'code'>[]> {
  const result = await compile(source);
  return result.ok ? [] : result.faults.map(({ path, line, code }) => ({ path, ...(line && { line }), code }));
}

const compileLayout = (body: string, more: Partial<MailSource> = {}) => compile({ body, isLayout: true, ...more });

test('a fragment replaces the content tag and uses the head of the layout, and the text part is derived from both', async () => {
  const mail = await compileOrThrow({ body: section('Hello {{ name }}'), layout: { body: MJML, text: null } });
  const html = parseTemplate(mail.html, 'html').render({ name: 'Ada', company: 'Acme' });
  assert.match(html, /Acme[\s\S]*Hello Ada[\s\S]*Bye, Acme/);
  assert.is(html.match(/color:#123456/g)?.length, 3, 'the head of the layout applies to the body');
  const text = parseTemplate(mail.text, 'plain').render({ name: 'Ada', company: 'Acme' });
  assert.equal(text.split(/\s*\n\s*/), ['Acme', 'Hello Ada', 'Bye, Acme']);
  const variables = new Set(mail.placeholders.map(({ path }) => path.join('.')));
  assert.equal([...variables].sort(), ['company', 'name']);
});

test('an HTML fragment replaces the content tag, and the styles of both are inlined', async () => {
  const layout = { body: HTML.replace('<body>', '<head><style>p{color:red}</style></head><body>'), text: null };
  const mail = await compileOrThrow({ mode: 'html', body: '<p>Hello {{ name }}</p>', layout });
  assert.match(mail.html, '<div><p style="color: red;">Hello {{ name }}</p></div>');
  assert.match(mail.html, '<p style="color: red;">Bye</p>');
});

test("the template's own text part is inserted into the text part of the layout if the layout has one", async () => {
  const withText = { body: section('Hello'), text: 'Hello in text' };
  assert.is((await compileOrThrow({ ...withText, layout: { body: MJML, text: null } })).text, 'Hello in text');
  const text = '{{ company }}\n\n{% content %}\n\nBye';
  const mail = await compileOrThrow({ ...withText, layout: { body: MJML, text } });
  assert.is(mail.text, '{{ company }}\n\nHello in text\n\nBye');
  const withDerivedText = await compileOrThrow({ body: section('Hello'), layout: { body: MJML, text } });
  assert.match(withDerivedText.text, /Hello[\s\ufdd0-\ufdd9]+Bye, /);
});

test('names that the layout assigns are known in the body, and are not variables', async () => {
  const body = MJML.replace('{% content %}', '{% assign greeting = "Hi" %}{% content %}');
  const mail = await compileOrThrow({ body: section('{{ greeting }} {{ name }}'), layout: { body, text: null } });
  assert.match(parseTemplate(mail.html, 'html').render({ name: 'Ada', company: 'Acme' }), 'Hi Ada');
  assert.is(
    mail.placeholders.some(({ path }) => path[0] === 'greeting'),
    false,
  );
});

test('an error has its line in the body or in the layout', async () => {
  const layout = { body: MJML, text: null };
  assert.equal(await faults({ body: section('{{ name | nonsense }}'), layout }), [
    { path: 'body', line: 2, code: 'unknown_filter' },
  ]);
  assert.equal(await faults({ body: `${section('ok')}\n<mj-nonsense />`, layout }), [
    { path: 'body', line: 4, code: 'mjml_invalid' },
  ]);
  assert.equal(await faults({ body: `${section('ok')}\nloose text`, layout }), [
    { path: 'body', line: 4, code: 'markup_unsafe' },
  ]);
  const above = MJML.replace('<mj-head>', '<mj-nonsense /><mj-head>');
  assert.equal(await faults({ body: section('ok'), layout: { body: above, text: null } }), [
    { path: 'layout.body', line: 2, code: 'mjml_invalid' },
  ]);
  const below = MJML.replace('Bye, {{ company }}', '{{ company | nonsense }}');
  assert.equal(await faults({ body: section('a\nb\nc'), layout: { body: below, text: null } }), [
    { path: 'layout.body', line: 6, code: 'unknown_filter' },
  ]);
  const inText = { body: MJML, text: 'one\n{% content\n%}\n{{ company | nonsense }}' };
  assert.equal(await faults({ body: section('ok'), text: 'a\nb', layout: inText }), [
    { path: 'layout.text', line: 4, code: 'unknown_filter' },
  ]);
});

test('each placeholder has its path and its line in the body or in the layout', async () => {
  const mail = await compileOrThrow({ body: section('{{ name }}'), layout: { body: MJML, text: null } });
  const positions = mail.placeholders.map(({ path, part, line }) => `${path.join('.')} ${part}:${line}`);
  assert.ok(positions.includes('name body:2'), String(positions));
  assert.ok(
    positions.includes('company layout.body:4') && positions.includes('company layout.body:6'),
    String(positions),
  );
  const tight = { body: '<p>{{ a }}{% content\n%}{{ b }}</p>\n{{ c }}', text: null };
  const one = await compileOrThrow({ mode: 'html', body: '{{ d }}\n{{ e }}', layout: tight });
  const parts = one.placeholders.slice(0, 5).map(({ path, part, line }) => `${path.join('.')} ${part}:${line}`);
  assert.equal(parts, ['a layout.body:1', 'd body:1', 'e body:2', 'b layout.body:2', 'c layout.body:3']);
});

test('a whole document is refused as a fragment', async () => {
  for (const body of [
    `<mjml><mj-body>${section('x')}</mj-body></mjml>`,
    `<mj-head></mj-head>${section('x')}`,
    `<mj-body>${section('x')}</mj-body>`,
  ]) {
    const faultList = await faults({ body, layout: { body: MJML, text: null } });
    assert.equal(faultList, [{ path: 'body', line: 1, code: 'not_a_fragment' }], body);
  }
  for (const body of ['<html><body>x</body></html>', '\n<body>x</body>', '<head><title>x</title></head>']) {
    const [first] = await faults({ mode: 'html', body, layout: { body: HTML, text: null } });
    assert.is(first?.code, 'not_a_fragment', body);
  }
});

test('a block, an element or an attribute that a body opens must be closed in the body', async () => {
  const layout = { body: MJML.replace('{% content %}', '{% if a %}{% endif %}{% content %}'), text: null };
  assert.equal(await faults({ body: '{% endif %}x{% if b %}', layout }), [
    { path: 'body', line: 1, code: 'unknown_tag' },
  ]);
  assert.is((await faults({ body: '<mj-section><mj-column>', layout }))[0]?.code, 'markup_unsafe');
  const inHtml = await faults({ mode: 'html', body: '<p title="', layout: { body: HTML, text: null } });
  assert.is(inHtml[0]?.code, 'block_position');
});

test('the content tag is allowed only in layouts, once, without arguments, and where a body may be', async () => {
  const misplacedTags: Record<string, Partial<MailSource>> = {
    'in an email': { body: `<mjml><mj-body>{% content %}</mj-body></mjml>` },
    'in a body with a layout': { body: '{% content %}', layout: { body: MJML, text: null } },
    'in a subject': { subject: '{% content %}', body: '<mjml><mj-body></mj-body></mjml>' },
    'in a text part': { text: '{% content %}', body: '<mjml><mj-body></mj-body></mjml>' },
    nowhere: { isLayout: true, body: '<mjml><mj-body></mj-body></mjml>' },
    twice: { isLayout: true, body: MJML.replace('{% content %}', '{% content %}\n{%- content -%}') },
    'in a block': { isLayout: true, body: MJML.replace('{% content %}', '{% if a %}{% content %}{% endif %}') },
    'in a loop': { isLayout: true, body: MJML.replace('{% content %}', '{% for a in b %}{% content %}{% endfor %}') },
    'in an attribute': { isLayout: true, mode: 'html', body: '<p title="{% content %}">x</p>' },
    'in a style': { isLayout: true, mode: 'html', body: '<style>{% content %}</style>' },
    'in a title': { isLayout: true, mode: 'html', body: '<title>{% content %}</title>' },
    'in a comment of HTML': { isLayout: true, mode: 'html', body: '<p>x</p><!-- {% content %} -->' },
    'in the head of MJML': { isLayout: true, body: MJML.replace('</mj-head>', '{% content %}</mj-head>') },
    'outside of MJML': { isLayout: true, body: '{% content %}' },
    'in a button': {
      isLayout: true,
      body: '<mjml><mj-body><mj-section><mj-column><mj-button>{% content %}</mj-button></mj-column></mj-section></mj-body></mjml>',
    },
    'in a liquid tag': { isLayout: true, mode: 'html', body: '<p>{% liquid\n content\n%}</p>' },
    'only in a comment of Liquid': {
      isLayout: true,
      mode: 'html',
      body: '<p>{% comment %}{% content %}{% endcomment %}</p>',
    },
    'only in raw': { isLayout: true, mode: 'html', body: '<p>{% raw %}{% content %}{% endraw %}</p>' },
  };
  for (const [position, source] of Object.entries(misplacedTags)) {
    const faultList = await faults(source);
    assert.ok(
      faultList.some(({ code }) => code === 'content_misplaced'),
      `${position}: ${JSON.stringify(faultList)}`,
    );
  }
  assert.is((await faults({ isLayout: true, mode: 'html', body: '<p>{% content x %}</p>' }))[0]?.code, 'syntax');
  assert.equal(await faults(misplacedTags.twice ?? {}), [{ path: 'body', line: 6, code: 'content_misplaced' }]);
});

test('a layout is compiled around a sample body at every allowed position', async () => {
  const positions = {
    body: '{% content %}',
    wrapper: '<mj-wrapper>{% content %}</mj-wrapper>',
    section: '<mj-section>{% content %}</mj-section>',
    group: '<mj-section><mj-group>{% content %}</mj-group></mj-section>',
    column: '<mj-section><mj-column>{% content %}</mj-column></mj-section>',
    hero: '<mj-hero>{% content %}</mj-hero>',
    text: '<mj-section><mj-column><mj-text>Dear reader, <b>{% content %}</b></mj-text></mj-column></mj-section>',
    raw: '<mj-raw><div>{% content %}</div></mj-raw>',
  };
  for (const [position, inner] of Object.entries(positions)) {
    const result = await compileLayout(`<mjml><mj-body>${inner}</mj-body></mjml>`);
    assert.ok(result.ok, `${position}: ${JSON.stringify(result)}`);
    assert.match(result.mail.html, 'The body of a template stands here.');
    assert.match(result.mail.text, 'The body of a template stands here.');
  }
  const html = await compileLayout(HTML, { mode: 'html', text: 'Top\n{% content %}' });
  assert.ok(html.ok);
  assert.is(html.mail.text, 'Top\nThe body of a template stands here.');
});

test('errors of a layout have their line in its body', async () => {
  assert.equal(await faults({ isLayout: true, body: MJML.replace('Bye, {{ company }}', '{{ a | nonsense }}') }), [
    { path: 'body', line: 6, code: 'unknown_filter' },
  ]);
  assert.equal(await faults({ isLayout: true, body: MJML.replace('{% content %}', '{% content %}<mj-nonsense />') }), [
    { path: 'body', line: 5, code: 'mjml_invalid' },
  ]);
  assert.equal(await faults({ isLayout: true, body: MJML, text: 'no tag' }), [
    { path: 'text', code: 'content_misplaced' },
  ]);
});

test('the limits apply to the layout and the body together', async () => {
  const half = `<p>${'x'.repeat(300_000)}</p>`;
  const layout = { body: `<div>${half}{% content %}</div>`, text: null };
  assert.equal(await faults({ mode: 'html', body: half, layout }), [{ path: 'body', code: 'too_long' }]);
});

test('the mail declares its language unless the author has declared another', async () => {
  const document = (attributes: string) => `<mjml${attributes}><mj-body>${section('x')}</mj-body></mjml>`;
  const tagsOf = (html: string) => [...html.matchAll(/\slang="([^"]*)"/g)].map(([, lang]) => lang);
  assert.equal(tagsOf((await compileOrThrow({ body: document('') })).html), [], 'unknown is not a language');
  assert.equal(tagsOf((await compileOrThrow({ body: document(''), lang: 'de-AT' })).html), ['de-AT', 'de-AT']);
  assert.equal(tagsOf((await compileOrThrow({ body: document(' lang="en"'), lang: 'de' })).html), ['en', 'en']);
  assert.equal(
    tagsOf((await compileOrThrow({ body: section('x'), layout: { body: MJML, text: null }, lang: 'fr' })).html),
    ['fr', 'fr'],
  );
  const html = async (body: string) => (await compileOrThrow({ mode: 'html', body, lang: 'de' })).html;
  assert.match(await html('<html><body>x</body></html>'), '<html lang="de">');
  assert.match(await html('<html class="a"><body>x</body></html>'), '<html lang="de" class="a">');
  assert.equal(tagsOf(await html('<html lang="en"><body>x</body></html>')), ['en']);
  assert.equal(tagsOf(await html('<html lang="{{ l }}"><body>x</body></html>')), ['{{ l }}']);
  assert.equal(tagsOf(await html('<p>x</p>')), []);
  assert.equal(tagsOf(await html('<html><body><p lang="und">x</p></body></html>')), ['de', 'und']);
});

test('a mail in a right-to-left language has this direction unless the author declares another', async () => {
  const mail = async (body: string, lang: string, layout?: { body: string; text: null }) =>
    (await compileOrThrow({ body, lang, ...(layout === undefined ? {} : { layout }) })).html;
  const document = (attributes = '', head = '') =>
    `<mjml${attributes}>${head}<mj-body>${section('x')}</mj-body></mjml>`;
  const sides = (html: string) => [
    ...new Set(
      [...html.matchAll(/\bdir="(\w+)"|\bdirection:(\w+)|<td\s+align="(\w+)"/g)].map((found) =>
        found.slice(1).find(Boolean),
      ),
    ),
  ];
  for (const lang of ['ar', 'he-IL', 'fa', 'ur', 'ckb', 'az-Arab'])
    assert.equal(sides(await mail(document(), lang)), ['rtl', 'right'], lang);
  for (const lang of ['de', 'az', 'ar-Latn']) assert.not.ok(sides(await mail(document(), lang)).includes('rtl'), lang);
  for (const head of ['<mj-head />', '<mj-head></mj-head>', '<mj-head><mj-title>T</mj-title></mj-head>'])
    assert.equal(sides(await mail(document('', head), 'ar')), ['rtl', 'right'], head);
  const ownAttributes = '<mj-head><mj-attributes><mj-text align="center" color="#123456" /></mj-attributes></mj-head>';
  assert.equal(sides(await mail(document('', ownAttributes), 'ar')), ['rtl', 'center']);
  assert.not.ok(sides(await mail(document(' dir="ltr"'), 'ar')).includes('rtl'));
  assert.equal(sides(await mail(section('x'), 'ar', { body: MJML, text: null })), ['rtl', 'right']);
  const html = async (body: string) => (await compileOrThrow({ mode: 'html', body, lang: 'ar' })).html;
  assert.match(await html('<html><body>x</body></html>'), '<html lang="ar" dir="rtl">');
  assert.match(await html('<html dir="ltr"><body>x</body></html>'), '<html lang="ar" dir="ltr">');
  assert.match(await html('<html lang="en"><body>x</body></html>'), '<html lang="en">');
});

test('a source is compiled once for each writing direction', async () => {
  const memo = new CompileMemo();
  const source = {
    mode: 'mjml',
    body: `<mjml><mj-body>${section('x')}</mj-body></mjml>`,
    subject: 's',
    previewText: '',
  } as const;
  const [german, arabic] = [
    await compileMail({ ...source, lang: 'de' }, memo),
    await compileMail({ ...source, lang: 'ar' }, memo),
  ];
  assert.ok(german.ok && arabic.ok);
  assert.not.match(german.mail.html, 'rtl');
  assert.match(arabic.mail.html, 'dir="rtl"');
});

test('a mail without a title has its subject as the title', async () => {
  const titleOf = async (source: Parameters<typeof compileOrThrow>[0]) =>
    /<title>(.*?)<\/title>/.exec((await compileOrThrow(source)).html)?.[1];
  const document = (head = '') => `<mjml>${head}<mj-body>${section('x')}</mj-body></mjml>`;
  assert.is(
    await titleOf({ body: document(), subject: 'Bed & breakfast for {{ name }}' }),
    'Bed &amp; breakfast for {{ name }}',
  );
  const choice = '{% if paid %}Paid{% else %}Open{% endif %}';
  assert.is(await titleOf({ body: document(), subject: choice }), choice);
  const ownTitle = '<mj-head><mj-title>Mine</mj-title></mj-head>';
  assert.is(await titleOf({ body: document(ownTitle), subject: 'Other' }), 'Mine');
  assert.is(
    await titleOf({ body: document(), subject: '{{ name | raw }}' }),
    '',
    'the title cannot contain this markup',
  );
});

test.run();
