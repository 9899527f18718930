// full-run: slow
/** Random templates have the same result as in liquidjs, or are refused. Only declared faults are thrown. */
import * as fc from 'fast-check';
import { Drop, defaultOperators, Liquid } from 'liquidjs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isTemplateFault } from '../../../plugins/templates/language/fault.ts';
import { parseTemplate, type TemplateKind } from '../../../plugins/templates/language/liquid.ts';
import { OWN_FILTERS } from '../../../plugins/templates/language/own-filters.ts';

const test = suite('templates: agreement with liquidjs');

type Operator = (left: unknown, right: unknown, context: never) => boolean;

const isNil = (value: unknown): boolean =>
  value === undefined || value === null || (value instanceof Drop && value.valueOf() === null);
const operatorOf = (name: string): Operator => defaultOperators[name] as unknown as Operator;
const plain = (value: unknown): unknown => (isNil(value) ? null : value);

/** The operators of liquidjs, changed to follow Shopify's Liquid: no value is greater or less than nil, and nil is blank. */
const operators = Object.fromEntries(
  Object.keys(defaultOperators).map((name) => {
    const operator = operatorOf(name);
    const compare: Operator = (left, right, context) => {
      if (['<', '>', '<=', '>='].includes(name) && (isNil(left) || isNil(right))) return false;
      if (name === 'contains' && (isNil(right) || right === false)) return false;
      return operator(plain(left), plain(right), context);
    };
    return [name, operator.length < 2 ? operator : compare];
  }),
);

/** liquidjs, with the operators and filters of this language where they differ. Other tests check the operators and filters. */
function reference(kind: TemplateKind): Liquid {
  const engine = new Liquid({
    strictFilters: true,
    strictVariables: true,
    lenientIf: true,
    templates: {},
    locale: 'en-US',
    timezoneOffset: 0,
    operators: operators as never,
    ...(kind === 'html' ? { outputEscape: 'escape' as const } : {}),
  });
  engine.registerFilter('json', (value: unknown) => JSON.stringify(plain(value)));
  for (const [name, filter] of OWN_FILTERS) engine.registerFilter(name, filter as never);
  return engine;
}

test('any two values compare as in liquidjs', () => {
  const values = {
    ...{
      text: 'true 1',
      one: 1,
      digit: '1',
      zero: 0,
      nothing: null,
      yes: true,
      no: false,
      none: '',
      object: { size: 1 },
    },
    ...{ list: [1, '1', null, true, 'x'], nested: [[1], ['1'], 1], bare: [], same: [1, '1', null, true, 'x'] },
  };
  const operands = [...Object.keys(values), 'empty', 'blank', 'nil', 'true', '"1"', '1.0'];
  const liquid = reference('plain');
  for (const left of operands)
    for (const operator of ['==', '!=', '<', '>', '<=', '>=', 'contains'])
      for (const right of operands) {
        const source = `{% if ${left} ${operator} ${right} %}yes{% else %}no{% endif %}`;
        assert.is(parseTemplate(source, 'plain').render(values), liquid.parseAndRenderSync(source, values), source);
      }
});

test('the words empty and blank have no size, as in liquidjs', () => {
  const liquid = reference('plain');
  for (const word of ['empty', 'blank']) {
    const source = `{% assign x = ${word} %}{% if x.size %}yes{% elsif a == x.size %}same{% endif %}`;
    assert.is(parseTemplate(source, 'plain').render({}), 'same');
    assert.is(liquid.parseAndRenderSync(source, {}), 'same');
  }
});

const name = fc.constantFrom('a', 'b', 'list', 'rows', 'user', 'n', 'absent', 'x', 'item');
const step = fc.constantFrom(
  '.name',
  '.first',
  '.last',
  '.size',
  '[0]',
  '[-1]',
  '["name"]',
  '.index',
  '.tags',
  '[n]',
  '.constructor',
);
const loop = fc
  .constantFrom('index', 'index0', 'rindex', 'rindex0', 'first', 'last', 'length')
  .map((word) => `forloop.${word}`);
const path = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(name, fc.array(step, { maxLength: 2 })).map(([root, steps]) => root + steps.join('')),
  },
  { weight: 1, arbitrary: loop },
);
const literal = fc.constantFrom('1', '2.5', '-3', '"t"', "'<&'", 'true', 'false', 'nil', 'empty', 'blank', '""');
const operand = fc.oneof({ weight: 3, arbitrary: path }, { weight: 1, arbitrary: literal });
const operator = fc.constantFrom('==', '!=', '>', '<', '>=', '<=', 'contains', 'and', 'or');
const condition = fc
  .tuple(operand, fc.array(fc.tuple(operator, operand), { maxLength: 2 }))
  .map(([first, rest]) => [first, ...rest.flat()].join(' '));
const filter = fc.constantFrom(
  ...[
    'upcase',
    'downcase',
    'capitalize',
    'size',
    'first',
    'last',
    'reverse',
    'join',
    'join: "-"',
    'sort',
    'uniq',
    'compact',
  ],
  ...[
    'default: "d"',
    'default: x',
    'append: a',
    'prepend: "<"',
    'plus: 2',
    'minus: n',
    'times: 3',
    'divided_by: 2',
    'round',
  ],
  ...[
    'map: "name"',
    'where: "name", "A"',
    'sum',
    'sum: "n"',
    'split: ","',
    'truncate: 5',
    'slice: 1, 2',
    'replace: "A", a',
  ],
  ...[
    'strip',
    'url_encode',
    'json',
    'date: "%Y-%m-%d"',
    'concat: list',
    'at_least: 3',
    'modulo: 2',
    'reject: "name", "A"',
  ],
);
const expression = fc
  .tuple(operand, fc.array(filter, { maxLength: 2 }))
  .map(([value, filters]) => [value, ...filters].join(' | '));
const text = fc.constantFrom('text ', '\n', '&amp; ', 'é', '  ', '<b>', '</b>');

const { body } = fc.letrec<{ body: string; node: string }>((tie) => ({
  body: fc.array(tie('node'), { maxLength: 4 }).map((nodes) => nodes.join('')),
  node: fc.oneof(
    { maxDepth: 3 },
    text,
    expression.map((value) => `{{ ${value} }}`),
    expression.map((value) => `{{- ${value} -}}`),
    fc.tuple(condition, tie('body'), condition, tie('body'), tie('body')).map(([test1, one, test2, two, three]) => {
      return `{% if ${test1} %}${one}{% elsif ${test2} %}${two}{% else %}${three}{% endif %}`;
    }),
    fc
      .tuple(condition, tie('body'), tie('body'))
      .map(([test1, one, two]) => `{% unless ${test1} %}${one}{% else %}${two}{% endunless %}`),
    fc
      .tuple(
        fc.constantFrom('item', 'x'),
        fc.oneof(path, fc.constantFrom('(1..3)', '(n..4)', '(1..n)')),
        tie('body'),
        tie('body'),
      )
      .chain(([variable, list, one, two]) =>
        fc
          .subarray(['limit: 2', 'offset: 1', 'reversed', 'limit: n'])
          .map((more) => `{% for ${variable} in ${list} ${more.join(' ')} %}${one}{% else %}${two}{% endfor %}`),
      ),
    fc
      .tuple(fc.constantFrom('x', 'a', 'y'), expression)
      .map(([variable, value]) => `{% assign ${variable} = ${value} %}`),
    fc
      .tuple(fc.constantFrom('x', 'y'), tie('body'))
      .map(([variable, one]) => `{% capture ${variable} %}${one}{% endcapture %}`),
    fc.tuple(operand, tie('body'), tie('body'), tie('body')).map(([value, a, b, c]) => {
      return `{% case ${value} %}{% when 1 %}${a}{% when "t", true or 2 %}${b}{% else %}${c}{% endcase %}`;
    }),
    fc.constantFrom(
      '{% cycle "one", "two" %}',
      '{% cycle n: "p", "z" %}',
      '{% break %}',
      '{% continue %}',
      '{% raw %}{{ a }}{% endraw %}',
    ),
    fc.constantFrom(
      '{% comment %}{{ nope }}{% endcomment %}',
      '{% # note %}',
      '{% echo a | upcase %}',
      '{% liquid\nassign y = n\necho y\n%}',
    ),
  ),
}));

const scalar = fc.oneof(
  fc.constantFrom('A', 'b,c', '<i>', '', '7'),
  fc.integer({ min: -3, max: 9 }),
  fc.boolean(),
  fc.constant(null),
);
const row = fc.record(
  { name: scalar, n: scalar, tags: fc.array(scalar, { maxLength: 2 }) },
  { requiredKeys: ['name'], noNullPrototype: true },
);
const variables = fc.record(
  {
    a: scalar,
    b: scalar,
    n: fc.integer({ min: 0, max: 4 }),
    list: fc.array(scalar, { maxLength: 4 }),
    rows: fc.array(row, { maxLength: 3 }),
    user: row,
    x: scalar,
  },
  { requiredKeys: ['n', 'list'], noNullPrototype: true },
);

/** Errors that liquidjs does not have, because this language is stricter on purpose */
const STRICTER: readonly string[] = [
  'not_text',
  'too_deep',
  'block_position',
  'liquid_position',
  'syntax',
  'filter_failed',
];

function attempt(run: () => string): { text: string } | { error: unknown } {
  try {
    return { text: run() };
  } catch (error) {
    return { error };
  }
}

for (const kind of ['plain', 'html'] as const) {
  test(`${kind} templates have the same result as in liquidjs, or are refused`, () => {
    const engine = reference(kind);
    let count = 0;
    void fc.assert(
      fc.property(body, variables, (source, values) => {
        const before = JSON.stringify(values);
        const result = attempt(() => parseTemplate(source, kind).render(values));
        const expected = attempt(() => engine.parseAndRenderSync(source, structuredClone(values)));
        assert.is(JSON.stringify(values), before, 'the variables were changed');
        if ('error' in result) {
          assert.ok(isTemplateFault(result.error), String(result.error));
          assert.ok(
            'error' in expected || STRICTER.includes(result.error.code),
            `${result.error.code}: ${result.error.message}`,
          );
          return;
        }
        // liquidjs calls members of its own objects, even the constructor of their class.
        if ('error' in expected && /Class constructor/.test(String(expected.error))) return;
        // In liquidjs, nil is an object without properties. Here, a property of nil is nil.
        const [, unread] = ('error' in expected && /undefined variable: (\w+)\./.exec(String(expected.error))) || [];
        if (unread !== undefined && new RegExp(`assign ${unread} = ni`).test(source)) return;
        // Filters read a missing property of an element as nil.
        if ('error' in expected && /undefined variable: name,/.test(String(expected.error))) return;
        assert.ok(
          'text' in expected,
          `rendered what liquidjs refuses: ${'error' in expected && String(expected.error)}`,
        );
        assert.is(result.text, expected.text);
        count++;
      }),
      { numRuns: 1500, includeErrorInReport: true },
    );
    assert.ok(count > 150, `only ${count} templates were rendered`);
  });
}

test('any text is parsed or refused with a declared fault, and its rendering succeeds or fails with a declared fault', () => {
  const fragment = fc.constantFrom(
    ...[
      '{{',
      '}}',
      '{%',
      '%}',
      '{%-',
      'if ',
      'endif',
      'for ',
      ' in ',
      'endfor',
      'a',
      '.b',
      '|',
      ':',
      '"',
      "'",
      '(1..9)',
      '[',
      ']',
    ],
    ...[
      '<a href="',
      '">',
      '<!--',
      '-->',
      '<style>',
      '</style>',
      '<',
      '>',
      '=',
      '&',
      '\n',
      'raw',
      'endraw',
      'liquid',
      'case',
      'when ',
    ],
    ...['<!--[if mso]>', '<![endif]-->', '__proto__', 'constructor', '\u0000', '\ud83d', '💥', '1e999', '\\'],
  );
  const source = fc.array(fc.oneof({ weight: 4, arbitrary: fragment }, { weight: 1, arbitrary: fc.string() }), {
    maxLength: 30,
  });
  void fc.assert(
    fc.property(
      source,
      fc.constantFrom('html', 'plain', 'line'),
      fc.dictionary(fc.string(), fc.jsonValue()),
      (parts, kind, values) => {
        const result = attempt(() =>
          parseTemplate(parts.join(''), kind as TemplateKind).render({ a: '<x>', ...values }),
        );
        if ('error' in result) assert.ok(isTemplateFault(result.error), String(result.error));
      },
    ),
    { numRuns: 5000, includeErrorInReport: true },
  );
});

test.run();
