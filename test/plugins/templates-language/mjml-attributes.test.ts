// Placeholders in attributes of MJML, generated from MJML's own definitions: the value of each attribute is the same in the mail as if it
// had been written there, or it is refused with its name and line.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileMail } from '../../../plugins/templates/language/compile.ts';
import { parseTemplate } from '../../../plugins/templates/language/liquid.ts';
import { type MjmlAttribute, mjmlAttributes } from '../../support/mjml-attributes.ts';

const test = suite('templates: placeholders in attributes of MJML');

const compile = (body: string) => compileMail({ mode: 'mjml', body, subject: 'x', previewText: '' });

/** The error with its name and line, or undefined */
async function refusal({ element, attribute, body }: MjmlAttribute, value: string): Promise<string | undefined> {
  const result = await compile(body(value).replace(`<${element} `, `\n<${element} `));
  if (result.ok) return undefined;
  const [fault] = result.faults;
  assert.is(fault?.line, 2, `${element} ${attribute}: ${fault?.message}`);
  const interactive = /^mj-(?:accordion|carousel)/.test(element);
  assert.match(fault?.message ?? '', interactive ? /<mj-(?:accordion|carousel)>/ : new RegExp(`\`${attribute}\``));
  return fault?.message;
}

test('the generated table contains all components of MJML', () => {
  assert.ok(mjmlAttributes.length > 350, `${mjmlAttributes.length}`);
});

test('each attribute accepts a placeholder unchanged, or is refused by name', async () => {
  const accepted = new Map<string, number>();
  for (const attribute of mjmlAttributes) {
    const label = `${attribute.element} ${attribute.attribute}`;
    if (/^mj-(?:accordion|carousel)/.test(attribute.element)) continue;
    const conditional = attribute.body('{% if on %}{{ v }}{% else %}{{ w }}{% endif %}');
    if ((await refusal(attribute, '{{ v }}')) !== undefined) {
      assert.is((await compile(conditional)).ok, false, `${label} in a block`);
      continue;
    }
    accepted.set(attribute.element, (accepted.get(attribute.element) ?? 0) + 1);
    const results = [await compile(attribute.body('{{ v }}')), await compile(conditional)];
    for (const value of attribute.values) {
      const literal = await compile(attribute.body(value));
      if (!literal.ok) throw new Error(`${label}="${value}" ${JSON.stringify(literal.faults)}`);
      for (const mail of results) {
        if (!mail.ok) throw new Error(`${label} ${JSON.stringify(mail.faults)}`);
        const html = parseTemplate(mail.mail.html, 'html').render({ v: value, w: 'other', on: true });
        assert.is(html, literal.mail.html, `${label}="${value}"`);
      }
    }
  }
  // Attributes for colours, links and descriptions accept Liquid.
  assert.equal(
    ['mj-text', 'mj-button', 'mj-image', 'mj-section'].map((element) => (accepted.get(element) ?? 0) > 8),
    [true, true, true, true],
  );
});

test('components with form elements are refused with their line', async () => {
  for (const attribute of mjmlAttributes.filter(({ element }) => /^mj-(?:accordion|carousel)$/.test(element))) {
    assert.match((await refusal(attribute, attribute.values[0] ?? '')) ?? '', 'is not available');
  }
  const body =
    '<mjml><mj-body><mj-section><mj-column>\n<mj-navbar hamburger="hamburger"><mj-navbar-link href="/">x</mj-navbar-link></mj-navbar></mj-column></mj-section></mj-body></mjml>';
  const result = await compile(body);
  assert.equal(result.ok ? [] : result.faults.map(({ line }) => line), [2]);
  assert.is((await compile(body.replace(' hamburger="hamburger"', ''))).ok, true);
});

test('default attributes, and MJML tags inside HTML, are checked too', async () => {
  const wrap = (head: string, content: string) =>
    `<mjml><mj-head>${head}</mj-head><mj-body><mj-section><mj-column>\n${content}</mj-column></mj-section></mj-body></mjml>`;
  for (const [body, line] of [
    [wrap('<mj-attributes><mj-all padding="{{ p }}" /></mj-attributes>', ''), 1],
    [wrap('<mj-attributes><mj-class name="a" width="{{ p }}" /></mj-attributes>', ''), 1],
    [wrap('<mj-attributes><mj-column width="{{ p }}" /></mj-attributes>', ''), 1],
    [
      wrap(
        '<mj-html-attributes><mj-selector path="{{ p }}"><mj-html-attribute name="id">x</mj-html-attribute></mj-selector></mj-html-attributes>',
        '',
      ),
      1,
    ],
    [
      wrap(
        '',
        '<mj-table><mj-raw>{% for i in list %}</mj-raw><tr><td>{{ i }}</td></tr><mj-raw>{% endfor %}</mj-raw></mj-table>',
      ),
      2,
    ],
    [wrap('', '<mj-text><mj-button>x</mj-button></mj-text>'), 2],
  ] as const) {
    const result = await compile(body);
    assert.is(result.ok, false, body);
    assert.is(result.ok ? 0 : result.faults[0]?.line, line, body);
  }
  assert.is((await compile(wrap('', '<mj-text><img width="{{ w }}" alt=""></mj-text>'))).ok, true);
  assert.is(
    (await compile(wrap('<mj-attributes><mj-all color="{{ c }}" /></mj-attributes>', '<mj-text>x</mj-text>'))).ok,
    true,
  );
});

test.run();
