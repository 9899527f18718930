// Merge patches: the examples of RFC 7396 (appendix A) whose patch is an object, and the schema of the bodies.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mergePatch, mergePatchOf, z } from '../../core/index.ts';

const test = suite('merge patches');

const examples: readonly (readonly [object, object, object])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

test('objects are merged, null removes a member, and any other value replaces it', () => {
  for (const [target, patch, result] of examples) assert.equal(mergePatch({ ...target }, { ...patch }), result);
  assert.equal(mergePatch({ a: 1 }, { a: undefined }), { a: 1 });
});

test('a field named __proto__ is an ordinary field', () => {
  const result = mergePatch({}, JSON.parse('{"__proto__":{"admin":true}}'));
  assert.is(Object.getPrototypeOf(result), Object.prototype);
  assert.ok(Object.hasOwn(result, '__proto__'));
});

test('the schema allows each field to be null or absent, and refuses unknown fields', () => {
  const body = mergePatchOf({ name: z.string(), size: mergePatchOf({ height: z.int() }) });
  const validPatches: readonly object[] = [{}, { name: null }, { size: { height: null } }, { name: 'A', size: null }];
  for (const patch of validPatches) assert.equal(body.parse(patch), patch);
  for (const patch of [{ nam: 'A' }, { size: { width: 1 } }, { name: 1 }]) assert.not.ok(body.safeParse(patch).success);
});

test.run();
