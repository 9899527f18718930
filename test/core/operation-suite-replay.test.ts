// Finds the different request with which the generated suite repeats an idempotency key, for every usual form of a body.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { timeInput, z } from '../../core/index.ts';
import { differingBody } from '../../hosts/testing/operation-suite/differing-body.ts';

const test = suite('different bodies for replays');

const forms: Readonly<Record<string, readonly [z.ZodType, unknown]>> = {
  'an enum': [z.enum(['guest', 'host']), 'guest'],
  'an enum with a default': [z.enum(['guest', 'host']).default('guest'), 'guest'],
  'an optional enum': [z.enum(['guest', 'host']).optional(), 'host'],
  'a yes': [z.boolean(), true],
  'a time': [timeInput, '2026-11-20T15:00:00Z'],
  'a number within limits': [z.int().min(8).max(20), 8],
  'a number within limits that may be null': [z.int().min(8).max(20).nullable(), null],
  'an optional text with a format': [
    z
      .string()
      .regex(/^[A-Z]{3}$/)
      .optional(),
    'EUR',
  ],
  'a list': [z.array(z.enum(['a'])).min(1), ['a']],
};

for (const [name, [schema, value]] of Object.entries(forms))
  test(`${name} gets another value`, () => {
    const differentBody = differingBody({ field: schema }, { field: value });
    assert.ok(differentBody !== undefined);
    const [before, after] = [schema.parse(value), schema.parse(differentBody['field'])];
    assert.not.equal(JSON.stringify(after), JSON.stringify(before));
  });

test('a body without fields, or with only a constant field, has no different body', () => {
  assert.is(differingBody({ field: z.literal('x') }, { field: 'x' }), undefined);
  assert.is(differingBody({}, {}), undefined);
});

test.run();
