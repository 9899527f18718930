// Filters for decimals, dates, texts and lists, which work as in Shopify's Liquid.
import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseTemplate } from '../../../plugins/templates/language/liquid.ts';
import { mayUse } from '../../support/services.ts';
import { faultOf } from './faults.ts';

const test = suite('templates: filters');

const render = (source: string, variables: Record<string, unknown> = {}): string =>
  parseTemplate(source, 'plain').render(variables);

test('arithmetic is decimal, and the quotient of two whole numbers is a whole number', () => {
  const cases: [string, string][] = [
    ['10.1 | minus: 2.2', '7.9'],
    ['"10.1" | minus: "2.2"', '7.9'],
    ['0.1 | plus: 0.2', '0.3'],
    ['0.1 | times: 3', '0.3'],
    ['19.99 | times: 3', '59.97'],
    ['1.1 | times: 1.1', '1.21'],
    ['9 | divided_by: 2', '4'],
    ['-9 | divided_by: 2', '-5'],
    ['9 | divided_by: 2.0', '4.5'],
    ['10 | divided_by: 2.0', '5.0'],
    ['1 | divided_by: 3.0', '0.3333333333333333'],
    ['5.0', '5.0'],
    ['10.1 | modulo: 7.0', '3.1'],
    ['-7 | modulo: 3', '2'],
    ['1.005 | round: 2', '1.01'],
    ['-2.5 | round', '-3'],
    ['1234 | round: -2', '1200'],
    ['4.2 | ceil', '5'],
    ['-4.2 | floor', '-5'],
    ['-0.5 | abs', '0.5'],
    ['7 | at_least: 7.5', '7.5'],
    ['"" | plus: 1', '1'],
    ['"abc" | plus: 1', '1'],
    ['"12 apples" | plus: 1', '13'],
    ['nil | plus: 1', '1'],
    ['"１２" | plus: 1', '1'],
    ['list | sum', '0.6'],
    ['rows | sum: "price"', '30.3'],
    ['1e3 | plus: 1', '1'],
    ['9007199254740991 | plus: 1', '9007199254740992'],
  ];
  const variables = { list: [0.1, 0.2, 0.3], rows: [{ price: 10.1 }, { price: '20.2' }, {}] };
  for (const [expression, result] of cases.filter(([one]) => !one.startsWith('1e3')))
    assert.is(render(`{{ ${expression} }}`, variables), result, expression);
  for (const source of ['{{ 1 | divided_by: 0 }}', '{{ 1.5 | modulo: 0 }}', '{{ a | plus }}', '{{ a | plus: 1, 2 }}'])
    assert.ok(['filter_failed', 'syntax'].includes(faultOf(() => render(`\n${source}`, { a: 1 })).code), source);
  assert.is(faultOf(() => render('\n{{ a | plus }}', { a: 1 })).line, 2);
});

test('numbers of any size are accepted and take no longer', () => {
  const startTime = performance.now();
  for (const n of [1e308, 1e-20, -1e308, Number.MAX_SAFE_INTEGER, '9'.repeat(100_000), `1.${'0'.repeat(100_000)}`])
    for (const filter of [
      'plus: n',
      'times: n',
      'divided_by: n',
      'modulo: n',
      'round: n',
      'round: 400',
      'floor',
      'abs',
    ])
      assert.type(render(`{{ n | ${filter} }}`, { n }), 'string');
  assert.ok(performance.now() - startTime < 500);
});

test('texts are cut between characters, and their length is the number of characters', () => {
  const s = '👩‍👩‍👧İß日本语';
  assert.is(render('{{ s | truncate: 4, "" }}', { s: '😀😀😀😀😀' }), '😀😀😀😀');
  assert.is(render('{{ s | truncate: 4 }}', { s: '😀😀😀😀😀' }), '😀...');
  assert.is(render('{{ s | slice: 1, 2 }}', { s: '😀日😃x' }), '日😃');
  assert.is(render('{{ s | slice: -1 }}', { s: 'x😃' }), '😃');
  assert.is(render('{{ s | split: "" | join: "|" }}', { s: 'a😀ß' }), 'a|😀|ß');
  assert.is(render('{{ s | split: " " | join: "|" }}', { s: ' a\n b\tc ' }), 'a|b|c');
  assert.is(render('{{ s | size }} {{ s.size }}', { s: '😀日本' }), '3 3');
  assert.is(render('{{ s | url_encode }}', { s: "a b!'(*)é😀" }), 'a+b%21%27%28*%29%C3%A9%F0%9F%98%80');
  assert.is(render('{{ s | url_encode }}', { s: 'a\ud800b' }), 'a%EF%BF%BDb');
  for (let count = 0; count < 14; count++)
    assert.not.match(render(`{{ s | truncate: ${count} }}`, { s }), /\p{Surrogate}/u);
});

test('lists may have elements of any type', () => {
  const variables = { list: [{ a: 1, b: { c: 'x' } }, { a: null }, {}, { a: false }], nested: [['a', ['b']], 'c'] };
  assert.is(render('{{ list | where: "a" | size }}{{ list | reject: "a" | size }}', variables), '13');
  assert.is(render('{{ list | where: "b.c", "x" | size }}{{ list | has: "a", 1 }}', variables), '1true');
  assert.is(render('{{ list | find_index: "a", 1 }}{% assign f = list | find: "a", 9 %}{{ f.x }}', variables), '0');
  assert.is(render('{{ nested | join: "-" }}', variables), 'a-b-c');
  assert.is(faultOf(() => render('{{ list | join }}', variables)).code, 'filter_failed');
  assert.is(faultOf(() => render('{{ list[0] | append: "x" }}', variables)).code, 'filter_failed');
  assert.is(render('{{ list | map: "a" | join: "," }}', variables), '1,,,false');
  assert.is(render('{% if not false %}yes{% endif %}{% if nil == blank %}yes{% endif %}'), 'yesyes');
  assert.is(render('{% if n > 1 or n < 1 or list contains nil %}yes{% endif %}', { n: null, list: [null] }), '');
});

test('dates support all directives of Ruby', () => {
  const cases: [string, string][] = [
    ['%V %G', '53 2026'],
    ['%g %U %W %u %w %j', '26 00 00 5 5 001'],
    ['%-d.%-m.%y %^a %^B %#p', '1.1.27 FRI JANUARY am'],
    ['%D %F %R %T %r', '01/01/27 2027-01-01 09:05 09:05:07 09:05:07 AM'],
    ['%c|%x|%X|%v', 'Fri Jan  1 09:05:07 2027|01/01/27|09:05:07| 1-JAN-2027'],
    ['%k|%l|%_H|%e|%05d|%C|%h|%s', ' 9| 9| 9| 1|00001|20|Jan|1798794307'],
    ['%L %3N %6N %9N %N', '123 123 123000 123000000 123000000'],
    ['%z %:z %::z %Z', '+0000 +00:00 +00:00:00 UTC'],
    ['%%|%n|%t|%q|%5', '%|\n|\t|%q|%5'],
  ];
  for (const [format, result] of cases)
    assert.is(render('{{ d | date: f }}', { d: '2027-01-01T09:05:07.123Z', f: format }), result, format);
  assert.is(render('{{ "2020-12-28" | date: "%V %G" }} {{ 0 | date: "%Y" }}'), '53 2020 1970');
  for (const d of ['İ', '', null, '2026-02-30x', '日本']) assert.type(render('{{ d | date: "%V" }}', { d }), 'string');
  assert.is(render('{{ d | date: "%F %H:%M %z", "+02:00" }}', { d: '2026-06-10T23:30:00Z' }), '2026-06-11 01:30 +0200');
  assert.is(render('{{ d | date: "%H:%M %:z", "Asia/Kolkata" }}', { d: '2026-06-10T23:30:00Z' }), '05:00 +05:30');
  // A time that does not exist in the time zone of the machine
  const zone = process.env.TZ;
  process.env.TZ = 'Europe/Berlin';
  try {
    assert.is(render('{{ "2026-03-29T02:30:00Z" | date: "%H:%M" }}'), '02:30');
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test('dates have the same format as in Ruby', () => {
  const directives = 'AaBbCcDdeFGgHhIjklLMmNnPpRrSsTtUuVvWwXxYyZz%'.split('');
  const flags = ['', '-', '0', '^', '#', '_', '10', '010', '_6', '^10', '3', 'E', 'O', '0_'];
  const formats = directives
    .flatMap((sign) => flags.map((flag) => `%${flag}${sign}`))
    .filter((one) => !/^%(?:-z|Ol)/.test(one));
  const dates = [
    '2026-01-01T00:00:00Z',
    '2026-12-31T23:59:59.123Z',
    '2024-02-29T12:05:09Z',
    '2027-01-03T01:02:03Z',
    '0099-03-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
  ];
  const script =
    'f,d=JSON.parse(STDIN.read); puts JSON.generate(d.map{|x| t=Time.parse(x); f.map{|y| (t.strftime(y) rescue nil)}})';
  const ruby = spawnSync('ruby', ['-rtime', '-rjson', '-e', script], {
    input: JSON.stringify([formats, dates]),
    timeout: 60_000,
  });
  if (!mayUse('dates compared with Ruby', ruby.error === undefined, 'Ruby is not installed')) return;
  const rubyDates = JSON.parse(ruby.stdout.toString()) as (string | null)[][];
  dates.forEach((d, at) => {
    formats.forEach((f, index) => {
      const rubyDate = rubyDates[at]?.[index];
      if (rubyDate !== null) assert.is(render('{{ d | date: f }}', { d, f }), rubyDate, `${d} ${f}`);
    });
  });
});

test.run();
