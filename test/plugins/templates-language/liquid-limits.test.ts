/** Hostile templates: each must be refused with a declared fault, or must render without harm. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OUTPUT_LIMIT, SOURCE_LIMIT, TAG_LIMIT } from '../../../plugins/templates/language/limits.ts';
import { parseTemplate } from '../../../plugins/templates/language/liquid.ts';
import { faultOf } from './faults.ts';

const test = suite('templates: limits');
const refusal = (source: string, variables = {}) =>
  faultOf(() => parseTemplate(source, 'plain').render(variables)).code;

test('a template cannot reach prototypes, constructors or globals', () => {
  const variables = { a: {}, s: 'text', n: 1, list: [1], item: { name: 'x' } };
  for (const source of [
    ...[
      '{{ a.constructor }}',
      '{{ a.__proto__ }}',
      '{{ a["constructor"]["constructor"] }}',
      '{{ s.constructor.name }}',
    ],
    ...[
      '{{ list.constructor }}',
      '{{ list.__proto__.map }}',
      '{{ n.toFixed }}',
      '{{ constructor }}',
      '{{ __proto__ }}',
    ],
    ...[
      '{{ a.hasOwnProperty }}',
      '{{ s.length.constructor }}',
      '{{ process.env }}',
      '{{ globalThis }}',
      '{{ this }}',
      '{{ global }}',
    ],
    ...['{{ list.map }}', '{{ a.toString }}', '{{ require }}', '{{ forloop.constructor }}', '{{ s["__proto__"] }}'],
    ...['{% for i in list %}{{ forloop.constructor }}{% endfor %}'],
  ]) {
    assert.is(refusal(source, variables), 'variable_missing', source);
  }
  const inFilters = '{{ rows | map: "constructor" | first }}{{ rows | where: "toString" | size }}';
  assert.is(parseTemplate(inFilters, 'plain').render({ rows: [{ a: 1 }] }), '0');
});

test('code of other template engines is printed as text', () => {
  for (const text of [['$', '{7*7}'].join(''), '<%= 7*7 %>', '#{7*7}', '*{7*7}', '{{"{{7*7}}"}}', '@(7*7)', '{7*7}']) {
    const result = parseTemplate(text, 'plain').render({});
    assert.not.match(result, '49');
  }
});

test('the value of a variable is never parsed as a template', () => {
  const value = '{{ secret }}{% for i in (1..9) %}x{% endfor %}';
  assert.is(
    parseTemplate('{{ a }}{{ a | append: a | slice: 0, 5 }}', 'plain').render({ a: value, secret: 'x' }),
    `${value}{{ se`,
  );
});

test('the sort filters and the parsing of markup refuse large values', () => {
  const list = Array.from({ length: 50_000 }, (_, index) => `v${(index * 7_919) % 50_000}`);
  for (const filter of ['sort', 'sort_natural'])
    assert.is(refusal(`{% assign a = list | ${filter} %}`, { list }), 'limit_memory', filter);
  const few = list.slice(0, 2_000);
  assert.match(parseTemplate('{{ list | sort | first }}', 'plain').render({ list: few }), /^v/);
  const raw = parseTemplate('{{ text | raw }}', 'html');
  const text = '<b>x</b>'.repeat(10_000);
  assert.is(raw.render({ text }), text);
  assert.is(faultOf(() => raw.render({ text: text.repeat(4) })).code, 'limit_memory');
});

test('endless and huge loops are refused', () => {
  const loops: [string, object][] = [
    ['{% for i in (1..100000000) %}x{% endfor %}', {}],
    ['{% for i in (1..n) %}x{% endfor %}', { n: 1e308 }],
    ['{% for i in (n..m) %}x{% endfor %}', { n: 9007199254740992, m: 9007199254740994 }],
    ['{% for i in (-99999999..1) %}x{% endfor %}', {}],
    ['{% for i in (1..9000) %}{% for j in (1..9000) %}x{% endfor %}{% endfor %}', {}],
    ['{% for i in (1..9000) %}{% for j in (1..9000) %}{% endfor %}{% endfor %}', {}],
    [`${'{% for i in (1..99) %}'.repeat(9)}x${'{% endfor %}'.repeat(9)}`, {}],
    [
      '{% for i in (1..9000) %}{% for j in list %}{% if j %}{% endif %}{% endfor %}{% endfor %}',
      { list: new Array(1000).fill(1) },
    ],
    ['{{ (1..9999999) | join }}', {}],
    ['{% assign a = (1..9999999) %}', {}],
  ];
  for (const [source, variables] of loops) {
    assert.ok(['limit_loop', 'limit_memory', 'limit_time'].includes(refusal(source, variables)), source);
  }
});

test('the values that a condition searches count for the limit', () => {
  const conditionFault = (condition: string, variables: object) =>
    refusal(`{% for i in (1..900) %}{% if ${condition} %}x{% endif %}{% endfor %}`, variables);
  const text = 'a'.repeat(20_000);
  assert.is(conditionFault('text contains "b"', { text }), 'limit_loop');
  assert.is(conditionFault('text == other', { text, other: `${text.slice(1)}b` }), 'limit_loop');
  assert.is(conditionFault('list contains 1', { list: new Array(200).fill(0) }), 'limit_loop');
  const few = { text: 'a short text', list: [1, 2, 3] };
  const source =
    '{% for i in (1..900) %}{% if text contains "short" and list contains i %}{{ i }}{% endif %}{% endfor %}';
  assert.is(parseTemplate(source, 'plain').render(few), '123');
});

test('an output above the limit is refused', () => {
  const block = 'x'.repeat(1000);
  assert.is(refusal(`{% for i in (1..5000) %}${block}{% endfor %}`), 'limit_output');
  assert.is(refusal('{% for i in (1..5000) %}{{ a }}{% endfor %}', { a: block }), 'limit_output');
  assert.is(refusal('{{ a }}'.repeat(1200), { a: block }), 'limit_output');
  assert.is(parseTemplate('{{ a }}', 'plain').render({ a: 'x'.repeat(OUTPUT_LIMIT) }).length, OUTPUT_LIMIT);
});

test('texts and lists that grow in a loop are refused', () => {
  const grow = (step: string) => `{% assign a = "xx" %}{% for i in (1..60) %}{% assign a = ${step} %}{% endfor %}`;
  for (const source of [
    grow('a | append: a'),
    grow('a | replace: "x", a'),
    grow('a | url_encode | append: a'),
    `{% assign a = "x,x" | split: "," %}{% for i in (1..60) %}{% assign a = a | concat: a %}{% endfor %}`,
    `{% for i in (1..60) %}{% capture a %}{{ a }}{{ a }}xx{% endcapture %}{% endfor %}`,
    '{% assign r = list | map: "tags" %}{% for i in (1..30) %}{% assign r = r | concat: r %}{% endfor %}{{ r }}',
  ]) {
    const code = refusal(source, { a: 'x', list: [{ tags: ['a'.repeat(500)] }, { tags: ['b'] }] });
    assert.ok(['limit_memory', 'limit_output'].includes(code), `${source}: ${code}`);
  }
});

test('a date and a slice use no more memory than their result', () => {
  const source = '{{ a | slice: 0, 1000000000 }} {{ "2020-01-01" | date: "%1000000000Y%999999999N" }}';
  assert.is(parseTemplate(source, 'plain').render({ a: 'x' }).length, 2 + 100 + 100);
});

test('comparing nested lists that share their elements ends quickly', () => {
  const deep = (levels: number): unknown[] => {
    let list: unknown[] = ['x'];
    for (let level = 0; level < levels; level++) list = [list, list];
    return list;
  };
  assert.is(refusal('{% if a == b %}{% endif %}', { a: deep(50), b: deep(50) }), 'limit_memory');
  assert.is(refusal('{% case a %}{% when b %}{% endcase %}', { a: deep(50), b: deep(50) }), 'limit_memory');
  assert.is(refusal('{{ a }}', { a: deep(50) }), 'limit_memory');
  assert.is(refusal('{{ a | join }}', { a: deep(50) }), 'limit_memory');
});

test('a source is refused if it is too long, has too many tags or is nested too deeply', () => {
  const parse = (source: string) => faultOf(() => parseTemplate(source, 'html')).code;
  assert.is(parse('x'.repeat(SOURCE_LIMIT + 1)), 'too_long');
  assert.is(parse('{{a}}'.repeat(TAG_LIMIT + 1)), 'too_many_tags');
  assert.is(parse(`{% liquid\n${'echo a\n'.repeat(TAG_LIMIT + 1)}%}`), 'too_many_tags');
  assert.is(parse(`${'{% if a %}'.repeat(40)}x${'{% endif %}'.repeat(40)}`), 'too_deep');
  assert.is(parse('{% if a %}'.repeat(2400) + '{% endif %}'.repeat(2400)), 'too_deep');
  assert.is(parse(`{{ a${'.b'.repeat(30)} }}`), 'too_deep');
});

test('a variable that is nested extremely deeply gives a declared fault', () => {
  let list: unknown = 'x';
  for (let level = 0; level < 50_000; level++) list = [list];
  assert.is(refusal('{{ a }}', { a: list }), 'limit_memory');
});

test('a filter with a value of the wrong type gives a declared fault', () => {
  assert.is(refusal('{{ a | url_decode }}', { a: '%' }), 'filter_failed');
  assert.is(refusal('{{ a | upcase }}', { a: { toString: 1 } }), 'filter_failed');
});

test.run();
