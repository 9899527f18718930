// Contracts that try to run code, to take unlimited time, or to use features that contracts do not allow, each with the code of the
// expected error detail. Used by attack-contracts.test.ts.

/** One attack: its name, the schema of the variable `x` (or the whole contract), and the code of the expected error detail */
export type ContractAttack = readonly [name: string, contract: unknown, code: string];

const owned = 'globalThis.owned=1';
const withVariable = (x: unknown): unknown => ({ type: 'object', properties: { x } });
const withVariableNamed = (name: string): unknown => ({
  type: 'object',
  properties: Object.fromEntries([[name, { type: 'string' }]]),
});
const nest = (levels: number): unknown =>
  levels === 0 ? { type: 'string' } : { type: 'array', items: nest(levels - 1) };

const names: readonly (readonly [string, string])[] = [
  ['a quote', `a'];${owned};//`],
  ['a double quote', `a"];${owned};//`],
  ['a backtick', `a\`+(${owned})+\``],
  ['a template literal', `\${${owned}}`],
  ['a line break', `a\n${owned}`],
  ['a line separator', `a\u2028${owned}`],
  ['a backslash', `a\\u0027];${owned}`],
  ['a comment', `a*/${owned}/*`],
  ['a dot', 'a.b'],
  ['brackets', 'a[0]'],
  ['a space', 'a b'],
  ['a digit first', '1a'],
  ['nothing', ''],
  ['full width', 'ｎａｍｅ'],
  ['too many letters', 'a'.repeat(65)],
  ['constructor', 'constructor'],
  ['prototype', 'prototype'],
  ['toString', 'toString'],
  ['hasOwnProperty', 'hasOwnProperty'],
  ['a word of Liquid', 'forloop'],
];

const numbers: readonly (readonly [string, unknown])[] = [
  ['a text with code', `0);${owned};(0`],
  ['a text with a digit', '1'],
  ['a list', [1]],
  ['an object', { valueOf: 1 }],
  ['true', true],
  ['null', null],
  ['a fraction', 1.5],
  ['a negative number', -1],
  ['too much', 1e9],
];

const patterns = [
  '(a+)+$',
  '(a|a)*$',
  '(a|aa)+$',
  '([a-z]+)*$',
  '(.*)*x',
  '^(\\w+\\s?)*$',
  '(x+x+)+y',
  'a{1,1000}{1,1000}',
  'a{100000}',
  '(?=a)b',
  '(?<!a)b',
  '(a)\\1',
  '(?<n>a)\\k<n>',
  '[',
  '(',
  'a**',
  '\\',
  'a'.repeat(300),
];

const keywords = [
  '$ref',
  '$defs',
  '$id',
  '$$root',
  '$$async',
  '$$strict',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
];
const more = [
  'patternProperties',
  'propertyNames',
  'custom',
  'optional',
  'messages',
  'props',
  'strict',
  'convert',
  'min',
  'length',
];

/** All contract attacks. */
export const contractAttacks: readonly ContractAttack[] = [
  ...names.map(
    ([name, variable]): ContractAttack => [
      `a variable named with ${name}`,
      withVariableNamed(variable),
      'name_forbidden',
    ],
  ),
  ...numbers.flatMap(([name, value]): ContractAttack[] => [
    [`minLength: ${name}`, withVariable({ type: 'string', minLength: value }), 'value_invalid'],
    [`maxItems: ${name}`, withVariable({ type: 'array', maxItems: value }), 'value_invalid'],
  ]),
  ...numbers
    .slice(0, 6)
    .map(
      ([name, value]): ContractAttack => [
        `minimum: ${name}`,
        withVariable({ type: 'number', minimum: value }),
        'value_invalid',
      ],
    ),
  ...patterns.map(
    (pattern): ContractAttack => [
      `the pattern ${pattern.slice(0, 20)}`,
      withVariable({ type: 'string', pattern }),
      'pattern_refused',
    ],
  ),
  ...[...keywords, ...more].map(
    (keyword): ContractAttack => [
      `the keyword ${keyword}`,
      withVariable({ type: 'string', [keyword]: owned }),
      'keyword_unknown',
    ],
  ),
  ['a type that only the engine knows', withVariable({ type: 'custom' }), 'value_invalid'],
  ['a type with a function', withVariable({ type: 'function' }), 'value_invalid'],
  ['a type that is code', withVariable({ type: `string;${owned}` }), 'value_invalid'],
  ['a list with the same type twice', withVariable({ type: ['string', 'string'] }), 'value_invalid'],
  ['an empty list of types', withVariable({ type: [] }), 'value_invalid'],
  ['an enum of objects', withVariable({ type: 'string', enum: [{ toString: owned }] }), 'value_invalid'],
  ['an enum without values', withVariable({ type: 'string', enum: [] }), 'value_invalid'],
  ['a const that is an object', withVariable({ type: 'string', const: {} }), 'value_invalid'],
  ['a format that does not exist', withVariable({ type: 'string', format: 'constructor' }), 'value_invalid'],
  ['a pattern that is not a text', withVariable({ type: 'string', pattern: { source: 'a' } }), 'value_invalid'],
  [
    'a schema for additional variables',
    withVariable({ type: 'object', additionalProperties: { type: 'string' } }),
    'value_invalid',
  ],
  ['variables in a list', { type: 'object', properties: [] }, 'value_invalid'],
  ['a variable whose schema is a text', withVariable('string'), 'value_invalid'],
  ['required that is not a list', { type: 'object', required: 'x' }, 'value_invalid'],
  ['a required variable that is not declared', { type: 'object', required: ['constructor'] }, 'required_unknown'],
  ['a minimum above the maximum', withVariable({ type: 'string', minLength: 2, maxLength: 1 }), 'bounds_crossed'],
  [
    'a default that the contract refuses',
    withVariable({ type: 'string', maxLength: 1, default: 'ab' }),
    'default_invalid',
  ],
  ['a contract that is a list', { type: 'array' }, 'value_invalid'],
  ['a keyword in the wrong place', withVariable({ type: 'string', properties: {} }), 'keyword_misplaced'],
  ['very deep nesting', withVariable(nest(40)), 'too_large'],
  [
    'six hundred variables',
    {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`v${n}`, { type: 'string' }])),
    },
    'too_large',
  ],
  ['a very long description', withVariable({ type: 'string', description: 'x'.repeat(70_000) }), 'too_large'],
];
