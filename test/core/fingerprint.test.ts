// Fingerprints of requests: which requests count as the same, and which as different.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPostriderError } from '../../core/contract/errors/errors.ts';
import { canonicalJson, fingerprint } from '../../core/pipeline/fingerprint.ts';

const test = suite('fingerprint');
const fingerprintOf = (body: unknown): string => fingerprint({ params: {}, query: {}, body });

/** The same value, with the members of every object in another order */
function shuffleMembers(value: unknown, chance: () => number): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffleMembers(item, chance));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => ({
    name,
    item: shuffleMembers(item, chance),
    order: chance(),
  }));
  const copy = {};
  for (const { name, item } of entries.sort((one, other) => one.order - other.order)) {
    Object.defineProperty(copy, name, { value: item, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}

test('names are sorted by their UTF-16 units, as in the example of RFC 8785', () => {
  const value = {
    '€': 'Euro Sign',
    '\r': 'Carriage Return',
    \ufb33: 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '😀': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    ö: 'Latin Small Letter O With Diaeresis',
  };
  const expected =
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis",' +
    '"€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}';
  assert.is(canonicalJson(value), expected);
});

test('the fingerprint writes numbers, literals and texts as RFC 8785 does', () => {
  const value = {
    numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001, -0],
    string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
    literals: [null, true, false],
  };
  const expected =
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0],' +
    '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}';
  assert.is(canonicalJson(value), expected);
});

test('the fingerprint is the SHA-256 of the canonical text, in base64url', () => {
  const input = { query: { limit: 5 }, params: { key: 'welcome' }, body: { b: 1, a: [2, 1] } };
  const text = '{"body":{"a":[2,1],"b":1},"params":{"key":"welcome"},"query":{"limit":5}}';
  assert.is(fingerprint(input), createHash('sha256').update(text).digest('base64url'));
});

test('the fingerprint does not depend on the order of members, with any JSON value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.infiniteStream(fc.nat()), (value, stream) => {
      const copy = shuffleMembers(value, () => stream.next().value as number);
      assert.is(fingerprintOf(copy), fingerprintOf(value));
    }),
    { numRuns: 500 },
  );
});

test('a round trip through JSON keeps the fingerprint, and the canonical text parses to the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      assert.is(fingerprintOf(JSON.parse(JSON.stringify(value))), fingerprintOf(value));
      assert.equal(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: 500 },
  );
});

test('different JSON values have different fingerprints', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const same = canonicalJson(one) === canonicalJson(other);
      assert.is(fingerprintOf(one) === fingerprintOf(other), same);
      let equal = true;
      try {
        assert.equal(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
      } catch {
        equal = false;
      }
      assert.is(same, equal);
    }),
    { numRuns: 500 },
  );
});

test('values that only look alike have different fingerprints', () => {
  const values: unknown[] = [
    { a: 1 },
    { a: '1' },
    { a: [1] },
    { a: null },
    {},
    { a: [1, 2] },
    { a: [2, 1] },
    { a: true },
    { a: 'true' },
    { a: '' },
    { a: {} },
    { a: [] },
    { a: [null] },
    { a: 'x","b":"y' },
    { a: 'x', b: 'y' },
    { a: '\ud800' },
    { a: '\ud801' },
    { a: '\ufffd' },
    { a: 'é' },
    { a: 'e\u0301' },
    JSON.parse('{"__proto__":{"a":1}}'),
    JSON.parse('{"constructor":1}'),
  ];
  assert.is(new Set(values.map(fingerprintOf)).size, values.length);
  const fingerprints = [
    fingerprint({ params: { a: 1 } }),
    fingerprint({ query: { a: 1 } }),
    fingerprint({ body: { a: 1 } }),
  ];
  assert.is(new Set(fingerprints).size, 3);
});

test('the fingerprint ignores undefined values, and equal numbers are equal', () => {
  assert.is(fingerprintOf({ a: 1, b: undefined }), fingerprintOf({ a: 1 }));
  assert.is(fingerprintOf([undefined]), fingerprintOf([null]));
  assert.is(fingerprint({ params: {}, query: undefined, body: { a: 1 } }), fingerprint({ params: {}, body: { a: 1 } }));
  assert.is(fingerprintOf({ a: -0 }), fingerprintOf({ a: 0 }));
  assert.is(fingerprintOf(JSON.parse('[1e3, 1.0, 100e-2, 0.1e1]')), fingerprintOf([1000, 1, 1, 1]));
});

test('the fingerprint writes dates like JSON, integers beyond 2⁵³ exactly, and bytes as base64', () => {
  assert.is(fingerprintOf({ at: new Date(0) }), fingerprintOf({ at: '1970-01-01T00:00:00.000Z' }));
  assert.is(canonicalJson({ n: 2n ** 64n }), '{"n":18446744073709551616}');
  assert.is(fingerprintOf({ file: Buffer.from('abc') }), fingerprintOf({ file: 'YWJj' }));
  assert.is(fingerprintOf({ file: new Uint8Array([97, 98, 99]) }), fingerprintOf({ file: 'YWJj' }));
});

test('a long body has the fingerprint of its canonical text', () => {
  const file = Buffer.alloc(3_000_000, 'attachment').toString('base64');
  const many = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, index) => [`name ${index}`, 'ü"'.repeat(index % 50)]),
  );
  const body = { z: file, many, list: Array.from({ length: 40_000 }, (_, index) => index), a: [file, { file }] };
  const text = canonicalJson({ params: {}, query: {}, body });
  assert.ok(text.length > 12_000_000);
  assert.is(fingerprintOf(body), createHash('sha256').update(text).digest('base64url'));
  assert.is.not(fingerprintOf({ ...body, z: `${file}A` }), fingerprintOf(body));
});

test('the fingerprint refuses deep nesting before the stack overflows', () => {
  const nestedLists = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
  assert.ok(fingerprintOf(nestedLists(200)));
  for (const depth of [300, 100_000, 1_000_000]) {
    let caught: unknown;
    try {
      fingerprintOf(nestedLists(depth));
    } catch (error) {
      caught = error;
    }
    assert.ok(isPostriderError(caught, 'validation_failed'), `${depth} levels`);
  }
});

test.run();
