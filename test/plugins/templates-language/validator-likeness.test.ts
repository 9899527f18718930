// full-run: slow
/** Random contracts of the subset and random variables: the result equals that of ajv, the reference for JSON Schema 2020-12. */
import Ajv2020 from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkContract } from '../../../plugins/templates/contract/schema.ts';
import { compileValidator } from '../../../plugins/templates/contract/validator.ts';

const test = suite('templates: agreement with ajv');
const ajv = () => new Ajv2020.default({ strict: false, validateFormats: false, allErrors: true, useDefaults: true });

const text = fc.oneof(fc.constantFrom('a', 'b', '', 'ab1', '😀x', '2024-02-30'), fc.string({ maxLength: 4 }));
const number = fc.oneof(
  fc.integer({ min: -3, max: 5 }),
  fc.constantFrom(0.5, 1e21, -1e-7, 1.5, 2 ** 53),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const names = fc.constantFrom('a', 'b', 'c', 'd-e', '_f');
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object');
const count = fc.integer({ min: 0, max: 4 });

const { schema } = fc.letrec<{ schema: Record<string, unknown> }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.record(
      {
        type: fc.oneof(
          { weight: 4, arbitrary: type },
          { weight: 1, arbitrary: fc.uniqueArray(type, { minLength: 1, maxLength: 3 }) },
        ),
        minLength: count,
        maxLength: count,
        pattern: fc.constantFrom('^a', '\\d', '[ab]+$', '^.{2}$'),
        minimum: number,
        maximum: number,
        exclusiveMinimum: number,
        exclusiveMaximum: number,
        enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 }),
        const: scalar,
        default: scalar,
      },
      { requiredKeys: ['type'], noNullPrototype: true },
    ),
    fc.record({ enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 }) }, { noNullPrototype: true }),
    fc.record(
      {
        type: fc.constantFrom('array', ['array', 'null'], ['array', 'string']),
        items: tie('schema'),
        minItems: count,
        maxItems: count,
      },
      { requiredKeys: ['type'], noNullPrototype: true },
    ),
    fc.record(
      {
        type: fc.constantFrom('object', ['object', 'null'], ['object', 'array', 'number']),
        properties: fc.dictionary(names, tie('schema'), { maxKeys: 3, noNullPrototype: true }),
        required: fc.uniqueArray(names, { maxLength: 2 }),
        additionalProperties: fc.boolean(),
      },
      { requiredKeys: ['type', 'properties'], noNullPrototype: true },
    ),
  ),
}));

const contract = fc.record(
  {
    properties: fc.dictionary(names, schema, { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
    required: fc.uniqueArray(names, { maxLength: 2 }),
    additionalProperties: fc.boolean(),
  },
  { requiredKeys: ['properties'], noNullPrototype: true },
);

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const variables = fc.dictionary(names, value, { maxKeys: 5, noNullPrototype: true });

/** Removes keywords that do not apply to their type, and empty lists of required names, because contracts refuse both. */
function tidy(json: unknown): unknown {
  let current = structuredClone(json);
  for (let round = 0; round < 50; round++) {
    const result = checkContract(current);
    if (result.ok) return current;
    current = structuredClone(current);
    for (const { path, code } of result.faults) removeAt(current, path, code);
  }
  return undefined;
}

function removeAt(root: unknown, path: string, code: string): void {
  const steps = path.split('.').slice(1);
  const last = steps.pop();
  let holder = root as Record<string, unknown> | undefined;
  for (const step of steps) holder = holder?.[step] as Record<string, unknown> | undefined;
  if (!holder || last === undefined) return;
  const list = holder[last];
  if (code === 'required_unknown' && Array.isArray(list)) {
    const properties = (holder['properties'] ?? {}) as object;
    holder[last] = list.filter((name) => Object.hasOwn(properties, name));
  } else delete holder[last];
}

/** A value that follows the schema, so that many variables are accepted */
function suggest(json: unknown, seed: number): unknown {
  const node = json as Record<string, unknown>;
  if (Array.isArray(node['enum'])) return node['enum'][seed % node['enum'].length];
  if ('const' in node) return node['const'];
  const types = [node['type']].flat();
  switch (types[seed % types.length]) {
    case 'string':
      return ['a', 'ab', 'b1', 'aab1', '', '😀'][seed % 6];
    case 'number':
    case 'integer':
      return [0, 1, 2, -1, 4, 0.5, Number(node['minimum'] ?? 3), Number(node['maximum'] ?? 3)][seed % 8];
    case 'boolean':
      return seed % 2 === 0;
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: seed % 4 }, (_, index) => suggest(node['items'] ?? { type: 'string' }, seed + index));
    default: {
      const entries = Object.entries((node['properties'] ?? {}) as object);
      const keptEntries = entries.filter(
        ([name], index) => (seed + index) % 5 !== 0 || (node['required'] as string[])?.includes(name),
      );
      return Object.fromEntries(keptEntries.map(([name, child], index) => [name, suggest(child, seed * 7 + index)]));
    }
  }
}

test('the same values are accepted and refused as in ajv, and the same defaults are filled in', () => {
  const verdicts = { accepted: 0, refused: 0 };
  void fc.assert(
    fc.property(contract, variables, fc.nat({ max: 5000 }), (json, random, seed) => {
      const tidyContract = tidy(json);
      const checked = checkContract(tidyContract);
      if (!checked.ok) return;
      const validate = compileValidator(checked.contract);
      const reference = ajv().compile(checked.contract);
      for (const input of [random, suggest(checked.contract, seed)]) {
        const before = JSON.stringify(input);
        const result = validate(input);
        assert.is(JSON.stringify(input), before, 'the variables were changed');
        const copy = structuredClone(input);
        const ajvResult = reference(copy);
        const context = () =>
          JSON.stringify({ contract: checked.contract, given: input, faults: result.faults, errors: reference.errors });
        assert.is(result.faults.length === 0, ajvResult, context());
        verdicts[ajvResult ? 'accepted' : 'refused']++;
        if (!ajvResult) continue;
        assert.equal(result.variables, copy, context());
        assert.equal(validate(result.variables), { variables: result.variables, faults: [] });
      }
    }),
    { numRuns: 300, includeErrorInReport: true },
  );
  assert.ok(verdicts.accepted > 40 && verdicts.refused > 40, JSON.stringify(verdicts));
});

test('checking any JSON never throws an error, and every accepted contract can be compiled', () => {
  const keyword = fc.constantFrom(
    ...[
      'type',
      'properties',
      'required',
      'items',
      'enum',
      'const',
      'minLength',
      'pattern',
      'minimum',
      'default',
      'examples',
      '__proto__',
    ],
    ...['additionalProperties', 'format', 'title', '$ref'],
  );
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ maxDepth: 1 }),
      type,
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(keyword, names), tie('json'), { maxKeys: 4 }),
    ),
  }));
  void fc.assert(
    fc.property(json, json, (input, values) => {
      const result = checkContract(input);
      if (!result.ok) {
        assert.ok(result.faults.length > 0);
        return;
      }
      assert.equal(checkContract(result.contract), result);
      const { faults } = compileValidator(result.contract)(values);
      assert.ok(faults.every(({ path }) => path.startsWith('variables')));
    }),
    { numRuns: 3000, includeErrorInReport: true },
  );
});

test.run();
