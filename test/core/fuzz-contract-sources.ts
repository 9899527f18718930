// Contracts for fuzzing: random JSON Schemas that are almost valid. Used by fuzz-template-sources.ts.
import fc from 'fast-check';
import { hostileNames, hostileText, hostileValue } from './fuzz-values.ts';

const keywords = fc.constantFrom(
  ...[
    'type',
    'properties',
    'required',
    'additionalProperties',
    'items',
    'enum',
    'const',
    'minLength',
    'maxLength',
    'pattern',
  ],
  ...[
    'format',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'minItems',
    'maxItems',
    'default',
    'title',
    'examples',
    '$ref',
    'allOf',
  ],
);
const patterns = fc.constantFrom(
  ...[
    '^a+$',
    '(a+)+$',
    '(a|aa)*b',
    '[',
    '\\',
    '(?=a)',
    '(?<x>a)\\k<x>',
    'a{1,1000000}',
    '.*.*.*.*=',
    '\\p{L}',
    '(?i)a',
    '^(\\w+\\s?)*$',
  ],
);
const types = fc.constantFrom<unknown>(
  'string',
  'number',
  'integer',
  'boolean',
  'null',
  'array',
  'object',
  ['string', 'null'],
  'date',
  7,
);
const names = fc.oneof(fc.constantFrom('name', 'items', 'a', 'b', 'x'), hostileNames, hostileText);

const { node } = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({ type: types }),
    fc
      .array(
        fc.tuple(
          keywords,
          fc.oneof(
            {
              arbitrary: fc.constantFrom<unknown>(
                0,
                1,
                5,
                -1,
                1.5,
                2e6,
                true,
                false,
                [],
                ['name'],
                ['a', 1, null],
                {},
                'email',
                'uri',
              ),
              weight: 4,
            },
            { arbitrary: patterns, weight: 2 },
            { arbitrary: hostileValue, weight: 1 },
          ),
        ),
        { maxLength: 4 },
      )
      .chain((members) => types.map((type) => ({ type, ...Object.fromEntries(members) }))),
    fc
      .array(fc.tuple(names, tie('node')), { maxLength: 4 })
      .map((members) => ({ type: 'object', properties: Object.fromEntries(members) })),
    tie('node').map((items) => ({ type: 'array', items })),
  ),
}));

const open = { type: 'object', additionalProperties: true };
const usual = {
  type: 'object',
  properties: { name: { type: 'string' }, items: { type: 'array', items: {} }, a: open, x: open },
};

/** Contracts of all kinds. Most often the contract is missing or open. */
export const contracts = fc.oneof(
  { arbitrary: fc.constantFrom<unknown>(null, undefined, open), weight: 6 },
  { arbitrary: node, weight: 5 },
  { arbitrary: fc.constant<unknown>(usual), weight: 1 },
);
