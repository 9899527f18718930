// Counts the values in a JSON text without parsing it. The result is compared with the parser on fuzzed values.
// full-run: slow
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasTooManyValues } from '../../core/projections/json-size.ts';

const test = suite('the size of a JSON text');

/** The number of values in a parsed text, including the text itself. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + valuesIn(member), 1);
}

const checkBoth = (json: string, limit: number): boolean => {
  const [text, bytes] = [hasTooManyValues(json, limit), hasTooManyValues(Buffer.from(json), limit)];
  assert.is(text, bytes, json);
  return text;
};

test('a text with at most the allowed number of values always passes', () => {
  const texts = fc.oneof(
    fc.json({ maxDepth: 5 }),
    fc.array(fc.string({ unit: 'binary' })).map((list) => JSON.stringify(list, null, 2)),
  );
  const property = fc.property(texts, (json) => checkBoth(json, valuesIn(JSON.parse(json))) === false);
  fc.assert(property, { numRuns: 2_000, seed: 1 });
});

test('a text with many more values never passes, in any form', () => {
  for (const json of [
    '['.repeat(300),
    `[${'1,'.repeat(300)}1]`,
    `{${'"a":{},'.repeat(300)}"a":1}`,
    `[${'"",'.repeat(300)}""]`,
  ])
    assert.ok(checkBoth(json, 100), json);
  const property = fc.property(fc.array(fc.jsonValue({ maxDepth: 2 }), { minLength: 40, maxLength: 60 }), (list) => {
    const json = JSON.stringify(list);
    return json.length <= 38 || checkBoth(json, 19);
  });
  fc.assert(property, { numRuns: 500, seed: 1 });
});

test('commas and brackets inside strings do not count, however the string is escaped', () => {
  for (const inner of [
    ',[{'.repeat(500),
    `${'\\"'.repeat(400)},[{`,
    `${'\\\\'.repeat(400)}`,
    `\\\\\\",${'[,'.repeat(400)}`,
  ])
    assert.not.ok(checkBoth(`{"a":"${inner}","b":[1,2]}`, 5), inner);
  assert.ok(
    checkBoth(`{"a":"\\\\",${'"b":1,'.repeat(400)}"c":"}`, 100),
    'a text that ends with a backslash ends there',
  );
});

test('an invalid text is counted up to its first error', () => {
  for (const json of [
    '"'.repeat(2_001),
    '\\'.repeat(2_000),
    `"${'\\'.repeat(2_000)}`,
    ' '.repeat(2_000),
    '\ud800'.repeat(1_000),
  ])
    assert.not.ok(checkBoth(json, 10));
});

test.run();
