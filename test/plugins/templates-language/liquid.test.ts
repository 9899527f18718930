import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseTemplate } from '../../../plugins/templates/language/liquid.ts';
import { faultOf } from './faults.ts';

const test = suite('templates: Liquid');
const html = (source: string, variables = {}, options = {}) => parseTemplate(source, 'html').render(variables, options);
const plain = (source: string, variables = {}, options = {}) =>
  parseTemplate(source, 'plain').render(variables, options);

test('variables and dotted paths are escaped in HTML and unchanged in plain text', () => {
  const variables = { user: { name: 'Ada & "Co" <x>' }, count: 3 };
  assert.is(html('<b>{{ user.name }}</b> {{count}}', variables), '<b>Ada &amp; &#34;Co&#34; &lt;x&gt;</b> 3');
  assert.is(plain('{{ user.name }} {{count}}', variables), 'Ada & "Co" <x> 3');
});

test('output is not escaped only with the filter raw', () => {
  assert.is(html('{{ a | raw }}{{ a }}', { a: '<i>x</i>' }), '<i>x</i>&lt;i&gt;x&lt;/i&gt;');
  assert.is(html('{{ a | raw | upcase }}', { a: '<i>' }), '&lt;I&gt;');
});

test('output of an escaping filter is not escaped twice, and plain text refuses escaping filters', () => {
  assert.is(html('{{ a | escape }}', { a: '<' }), '&lt;');
  assert.is(html('{{ a | newline_to_br }}', { a: '<\nb' }), '&lt;<br />\nb');
  assert.is(html('{{ a | escape | newline_to_br }}', { a: '<\nb' }), '&lt;<br />\nb');
  assert.is(plain('{{ a | escape }}{{ a | newline_to_br }}', { a: '<\n' }), '<\n<\n');
});

test('conditions, loops, assignments and captures work', () => {
  const source = `{% assign greeting = "Hi" %}{% capture who %}{{ name | upcase }}{% endcapture %}{{ greeting }} {{ who }}:
{%- for item in items limit: 2 %}{% unless forloop.first %},{% endunless %} {{ forloop.index }}. {{ item.name }}
{%- if item.price > 5 %} (dear){% elsif item.price == 5 %} (fair){% else %} (cheap){% endif %}{% endfor %}`;
  const items = [
    { name: 'a', price: 9 },
    { name: 'b', price: 5 },
    { name: 'c', price: 1 },
  ];
  assert.is(plain(source, { name: 'ada', items }), 'Hi ADA: 1. a (dear), 2. b (fair)');
});

test('a missing variable is refused, except in a condition or before a default', () => {
  const fault = faultOf(() => plain('a\n{{ user.name }}', { user: {} }));
  assert.is(fault.code, 'variable_missing');
  assert.is(fault.line, 2);
  assert.match(fault.message, 'user.name');
  assert.is(plain('{% if user.name %}x{% else %}y{% endif %}{{ user.name | default: "z" }}', {}), 'yz');
});

test('printing an object is refused', () => {
  assert.is(faultOf(() => plain('{{ user }}', { user: { name: 'x' } })).code, 'not_text');
  assert.is(faultOf(() => plain('{{ user }}', { user: Object.create(null) })).code, 'not_text');
});

test('a mistake is reported with its line', () => {
  const faultAt = (source: string) => {
    const { code, line } = faultOf(() => parseTemplate(source, 'html'));
    return [code, line];
  };
  assert.equal(faultAt('one\ntwo {{ a | nope }}'), ['unknown_filter', 2]);
  assert.equal(faultAt('\n\n{% include "x" %}'), ['unknown_tag', 3]);
  assert.equal(faultAt('\n{% if a %}x'), ['syntax', 2]);
  assert.equal(faultAt('<p>\n<a {{ a }}>'), ['liquid_position', 2]);
  assert.equal(faultAt('<p>\n\n<script>'), ['markup_unsafe', 3]);
  assert.equal(faultAt('\n{{ "a" "b" }}'), ['syntax', 2]);
});

test('the error for Handlebars syntax shows the Liquid syntax', () => {
  const forms: readonly [source: string, form: string][] = [
    ['{{#if vip}}a{{/if}}', '{% if vip %}…{% endif %}.'],
    ['{{#unless vip}}a{{/unless}}', '{% unless vip %}…{% endunless %}.'],
    ['{{#equals plan "pro"}}a{{/equals}}', '{% if plan == "pro" %}…{% endif %}.'],
    ['{{#each items}}{{this.x}}{{/each}}', '{% for item in items %}…{% endfor %}. Inside, {{this.x}} is {{ item.x }}.'],
    ['{{^vip}}a{{/vip}}', '{% unless vip %}…{% endunless %}.'],
    ['{{{ html }}}', '{{ html }}, or {{ html | raw }} for HTML'],
    ['{{~#if vip~}}a', '{% if vip %}…{% endif %}.'],
    ['{{insert name "default=friend"}}', '{{ name | default: "friend" }}.'],
    ['{{> footer}}', 'no partials'],
    ['{{{pm:unsubscribe}}}', '%unsubscribe_url%'],
  ];
  for (const [source, form] of forms) {
    const { code, line, message } = faultOf(() => parseTemplate(`<p>{{ name }}</p>\n${source}`, 'html'));
    assert.equal([code, line], ['syntax', 2], source);
    assert.ok(message.startsWith('This is Handlebars. ') && message.includes(form), `${source}: ${message}`);
  }
  assert.match(faultOf(() => parseTemplate('{{ a }}{% if %}x{% endif %}', 'html')).message, 'This is not valid Liquid');
});

test('no tag reads another template', () => {
  for (const tag of [
    'include "x"',
    'render "x"',
    'layout "x"',
    'block x',
    'tablerow a in b',
    'increment a',
    'decrement a',
  ]) {
    assert.is(faultOf(() => parseTemplate(`{% ${tag} %}`, 'plain')).code, 'unknown_tag', tag);
  }
});

test('no filter evaluates code, draws or hashes', () => {
  const names = [
    'where_exp: "a", "b"',
    'find_exp: "a", "b"',
    'group_by: "a"',
    'push: 1',
    'sample',
    'sha256',
    'base64_decode',
  ];
  for (const name of names) {
    assert.is(faultOf(() => parseTemplate(`{{ a | ${name} }}`, 'plain')).code, 'unknown_filter', name);
  }
});

test('a template of one line renders to one line', () => {
  const subject = parseTemplate('  Receipt {{ number }}\n', 'line');
  assert.is(subject.render({ number: 7 }), 'Receipt 7');
  for (const value of ['1\n2', '1\r2', '1\u0000', '1\u2028', '\u0085']) {
    assert.is(faultOf(() => subject.render({ number: value })).code, 'line_break', JSON.stringify(value));
  }
  assert.is(subject.render({ number: 'a\tb' }), 'Receipt a\tb');
  assert.is(faultOf(() => parseTemplate('a\nb', 'line')).code, 'line_break');
});

test('the caller sets the time of `now`', () => {
  const now = Date.UTC(2031, 4, 6, 12);
  assert.is(plain('{{ "now" | date: "%Y-%m-%d %H:%M" }}', {}, { now }), '2031-05-06 12:00');
  assert.is(plain('{{ at | date: "%d.%m.%Y" }}', { at: '2026-01-02T23:00:00Z' }, { now }), '02.01.2026');
});

test('rendering does not change the variables and can be repeated', () => {
  const variables = Object.freeze({ items: Object.freeze([3, 1, 2]) as readonly number[], a: 'x' });
  const template = parseTemplate(
    '{% assign a = "y" %}{{ items | sort | join }}{{ items | reverse | join }}{{ a }}',
    'plain',
  );
  assert.is(template.render(variables), '1 2 32 1 3y');
  assert.is(template.render(variables), '1 2 32 1 3y');
});

test('a function among the variables is never called', () => {
  let wasCalled = 0;
  const trap = () => {
    wasCalled++;
    return 'x';
  };
  assert.is(faultOf(() => plain('{{ a }}', { a: trap })).code, 'variable_missing');
  assert.is(faultOf(() => plain('{{ a.b }}', { a: { b: trap } })).code, 'variable_missing');
  assert.is(wasCalled, 0);
});

test('all variables that a template reads are listed, through loops and assignments', () => {
  const source = `{{ user.name }}{% for item in order.items %}{{ item.name }}{% if item.gift %}{{ item.gift.note }}{% endif %}{% endfor %}
{% assign first = order.items | first %}{{ first.sku }}{{ note | default: "" }}{% for i in (1..count) %}{{ i }}{% endfor %}
{% assign dear = order.items | where: "dear" %}{% for one in dear %}{{ one.price }}{% endfor %}{{ list[0] }}{{ map[key] }}`;
  const placeholders = parseTemplate(source, 'html').placeholders.map(({ path, usage, guarded }) => {
    return `${path.join('.')} ${usage}${guarded ? ' guarded' : ''}`;
  });
  assert.equal(placeholders, [
    ...['user.name value', 'order.items list', 'order.items.[].name value', 'order.items.[].gift condition'],
    ...[
      'order.items.[].gift.note value guarded',
      'order.items value',
      'order.items.[].sku value',
      'note value guarded',
    ],
    ...[
      'count value',
      'order.items list',
      'order.items.[].dear value guarded',
      'order.items list',
      'order.items.[].price value',
    ],
    ...['list.[] value', 'key value', 'map.* value'],
  ]);
});

test('a placeholder at the start of a URL is marked', () => {
  const { placeholders } = parseTemplate('<a href="{{ a }}">{{ b }}</a><a href="https://x/{{ c }}">', 'html');
  assert.equal(
    placeholders.filter(({ url }) => url).map(({ path }) => path.join('.')),
    ['a'],
  );
});

test.run();
