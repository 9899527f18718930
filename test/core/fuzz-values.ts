// Values for fuzzing: valid values made from the JSON Schema of an operation, hostile values, and valid values with hostile changes.
// `jsonText` writes them as JSON, including texts that JSON.stringify cannot produce. Used by the fuzz-*.test.ts files.
import fc from 'fast-check';
import { isRecord, type JsonSchema } from '../../core/projections/schema-parts.ts';

const rawPattern = /"@raw\(([A-Za-z0-9+/=]*)\)@"/g;

/** Marks a value that is written as exactly this text: 1e999, -0, a thousand brackets. */
export const raw = (text: string): string => `@raw(${Buffer.from(text).toString('base64')})@`;

/** Writes a value as JSON text. */
export const jsonText = (value: unknown): string =>
  (JSON.stringify(value) ?? 'null').replace(rawPattern, (_, text: string) => Buffer.from(text, 'base64').toString());

/** Names that objects inherit from their prototype, and other names that are not fields. */
export const hostileNames = fc.constantFrom(
  ...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'toJSON', 'then', 'length'],
  ...['', ' ', '0', '-1', 'a.b', 'a\0b', '\ud800', 'id', 'workspace_id', 'sandbox', '$where', '{{x}}', 'é', 'e\u0301'],
);

const pieces = [
  ...['', ' ', '\0', 'a\0b', '\ud800', 'x\udfff', '\udc00\ud800', '\u202e', '\u2028', '\ufeff', '\u00ad', '\u200b'],
  ...['é', 'e\u0301', 'ﬀ', 'İ', 'ß', '😀', 'ａ', '\u{10ffff}', '\t', '\r\nBcc: eve@evil.example', '\n', '\v', '\x7f'],
  ...['__proto__', 'constructor', 'toString', 'null', 'undefined', 'NaN', 'true', '-0', '1e308', '1e999', '0x10', '+1'],
  ...["' OR 1=1 --", '"; drop table sends; --', '%', '_', '%%', '\\', "\\'", '*', '.*', 'key_', '.%', '$1', '?', ':x'],
  ...['..', '../../etc/passwd', '%2F', '%00', '%ff', '%2e%2e', 'file:///etc/passwd', 'http://127.0.0.1/', '//evil'],
  ...[
    '{{7*7}}',
    '{% for i in (1..9999999) %}x{% endfor %}',
    '{% include "x" %}',
    '{{ "a" | x }}',
    '{%',
    '}}',
    '<mjml>',
  ],
  ...[
    '<script>alert(1)</script>',
    'javascript:alert(1)',
    '#{7*7}',
    '(a+)+$',
    '`+process.exit()+`',
    'a@b.cc',
    '@',
    'a@b',
  ],
  ...['2026-11-20T15:04:05Z', '9999-12-31T23:59:59-23:59', '0000-01-01T00:00:00+23:59', '2026-02-30T00:00:00Z'],
  ...['275760-09-13T00:00:00Z', '2026-01-01T00:00:00.000000000000001Z', '2026-12-31T23:59:60Z', 'QQ==', 'A===', '===='],
];

const units = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
);

/** Texts that some part of the service may handle incorrectly */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...pieces), weight: 6 },
  { arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 4 }).map((parts) => parts.join('')), weight: 2 },
  { arbitrary: fc.string({ unit: units, maxLength: 40 }), weight: 2 },
  {
    arbitrary: fc
      .tuple(fc.constantFrom(...pieces, 'a', 'é'), fc.constantFrom(81, 199, 201, 255, 2_001, 70_000))
      .map(([piece, length]) => (piece === '' ? 'x' : piece).repeat(length)),
    weight: 1,
  },
);

const numbers = fc.constantFrom<unknown>(
  ...[0, 1, -1, 0.5, 101, 2 ** 31, 2 ** 53, -(2 ** 63), 1e21, 5e-324, Number.MAX_VALUE],
  ...['-0', '1e308', '1e309', '-1e999', '1E+2', '0.1e-400', '9'.repeat(400)].map(raw),
);

const deep = fc
  .tuple(fc.constantFrom(...['[', '{"a":', '[{"a":']), fc.constantFrom(3, 63, 64, 65, 257, 20_000))
  .map(([open, levels]) => {
    const close = open === '[' ? ']' : open === '[{"a":' ? '}]' : '}';
    return raw(`${open.repeat(levels)}0${close.repeat(levels)}`);
  });

const wide = fc
  .tuple(fc.constantFrom('0', '"a"', 'null', '{}', '[]', '{"a":1}'), fc.constantFrom(11, 51, 1_001, 30_000))
  .chain(([item, count]) =>
    fc.constantFrom(
      raw(`[${Array(count).fill(item).join()}]`),
      raw(`{${Array.from({ length: count }, (_, index) => `"k${index}":${item}`).join()}}`),
    ),
  );

/** Defines own members, even for names such as __proto__ that assignment would not define. */
function objectOf(members: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(members);
}

/** Any JSON value, without a schema */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: hostileText, weight: 8 },
  { arbitrary: numbers, weight: 3 },
  { arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [{}], [null], ''), weight: 3 },
  {
    arbitrary: fc
      .array(fc.tuple(fc.oneof(hostileNames, hostileText), fc.oneof(hostileText, numbers)), { maxLength: 4 })
      .map(objectOf),
    weight: 2,
  },
  { arbitrary: fc.array(fc.oneof(hostileText, numbers), { maxLength: 6 }), weight: 1 },
  { arbitrary: fc.constant({ toString: 1, valueOf: 1 }).map((value) => [value]), weight: 1 },
  { arbitrary: fc.constant({ toString: 1, valueOf: 1 }), weight: 1 },
  { arbitrary: deep, weight: 1 },
  { arbitrary: wide, weight: 1 },
);

const ofFormat: Readonly<Record<string, fc.Arbitrary<string>>> = {
  email: fc
    .tuple(fc.stringMatching(/^[a-z0-9]{1,12}$/), fc.constantFrom('example.com', 'exämple.org', 'a.example'))
    .map(([local, domain]) => `${local}@${domain}`),
  'date-time': fc.oneof(
    fc
      .date({ min: new Date('0001-01-01'), max: new Date('9998-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    fc.constantFrom('9999-12-31T23:59:59-23:59', '0000-01-01T00:00:00+23:59', '0000-01-01T00:00:00Z'),
  ),
};

function validText(schema: JsonSchema): fc.Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength = 60 } = schema as { [name: string]: never };
  if (typeof format === 'string' && Object.hasOwn(ofFormat, format)) return ofFormat[format] as fc.Arbitrary<string>;
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern));
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 60) });
}

function validObject(schema: JsonSchema, definitions: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const requiredNames = new Set(Array.isArray(schema.required) ? (schema.required as string[]) : []);
  const namedMembers = Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [name, validValue(part as JsonSchema, definitions, depth)]),
  );
  const shape = fc.record(namedMembers, {
    requiredKeys: Object.keys(namedMembers).filter((name) => requiredNames.has(name)),
  });
  if (!isRecord(schema.additionalProperties)) return shape;
  const value = validValue(schema.additionalProperties, definitions, depth);
  return fc.dictionary(fc.stringMatching(/^[A-Za-z-]{1,12}$/), value, { maxKeys: 3 });
}

/** The number of times that a recursive reference in a schema is followed */
const maxReferences = 3;

/** Values that match a JSON Schema. Some may still be refused by refinements, which a JSON Schema cannot express. */
export function validValue(schema: JsonSchema, definitions: JsonSchema = {}, depth = 0): fc.Arbitrary<unknown> {
  const { $ref, const: constant, type } = schema;
  if (typeof $ref === 'string') {
    const definition = definitions[$ref.slice('#/$defs/'.length)];
    if (!isRecord(definition)) return fc.constant('a value');
    return depth < maxReferences ? validValue(definition, definitions, depth + 1) : fc.constant({});
  }
  if (constant !== undefined) return fc.constant(constant);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  for (const choice of [schema.anyOf, schema.oneOf])
    if (Array.isArray(choice))
      return fc.oneof(...choice.map((part) => validValue(part as JsonSchema, definitions, depth)));
  const { minimum = 0, maximum = 1_000, minItems = 0, maxItems = 3 } = schema as { [name: string]: number };
  switch (type) {
    case 'string':
      return validText(schema);
    case 'integer':
      return fc.integer({ min: minimum, max: maximum });
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(validValue(isRecord(schema.items) ? schema.items : {}, definitions, depth), {
        minLength: minItems,
        maxLength: Math.min(maxItems, 3),
      });
    case 'object':
      return validObject(schema, definitions, depth);
    default:
      return fc.constantFrom<unknown>('a text', 7, true, null, { a: ['b'] });
  }
}

/** One change at one place in a valid value */
interface Mutation {
  readonly at: number;
  readonly how: 'replace' | 'add' | 'drop' | 'wrap' | 'rename' | 'repeat';
  readonly name: string;
  readonly value: unknown;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.integer({ min: 1, max: 60 }),
  how: fc.constantFrom('replace', 'replace', 'replace', 'add', 'drop', 'wrap', 'rename', 'repeat'),
  name: fc.oneof(hostileNames, hostileText),
  value: hostileValue,
});

/** Every path in a value, beginning with the root */
function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, member]) => pathsIn(member, [...path, name]))];
}

function changeAt(value: unknown, path: readonly string[], change: (value: unknown) => unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === step ? changeAt(item, rest, change) : item));
  return objectOf(
    Object.entries(value as object).map(([name, member]) =>
      name === step ? [name, changeAt(member, rest, change)] : [name, member],
    ),
  );
}

function applyMutation(value: unknown, { at, how, name, value: hostile }: Mutation): unknown {
  const paths = pathsIn(value);
  const path = paths[at % paths.length] ?? [];
  const [last, parent] = [path.at(-1), path.slice(0, -1)];
  const members = (inner: unknown): [string, unknown][] => (isRecord(inner) ? Object.entries(inner) : []);
  switch (how) {
    case 'replace':
      return changeAt(value, path, () => hostile);
    case 'wrap':
      return changeAt(value, path, (inner) => [inner]);
    case 'repeat':
      return changeAt(value, path, (inner) => [inner, inner]);
    case 'add':
      return changeAt(value, path, (inner) =>
        isRecord(inner) ? objectOf([...members(inner), [name, hostile]]) : inner,
      );
    case 'drop':
      return changeAt(value, parent, (inner) => objectOf(members(inner).filter(([own]) => own !== last)));
    case 'rename':
      return changeAt(value, parent, (inner) =>
        objectOf(members(inner).map(([own, member]) => [own === last ? name : own, member])),
      );
  }
}

/** A valid value: unchanged (one in four), changed in up to three places, or sometimes replaced by any other value */
export const mutate = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { arbitrary: valid, weight: 5 },
    { arbitrary: fc.tuple(valid, mutation).map(([value, change]) => applyMutation(value, change)), weight: 12 },
    {
      arbitrary: fc
        .tuple(valid, fc.array(mutation, { minLength: 2, maxLength: 3 }))
        .map(([value, changes]) => changes.reduce(applyMutation, value)),
      weight: 2,
    },
    { arbitrary: hostileValue, weight: 1 },
  );
