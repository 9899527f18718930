// Schemas that are built at their first use behave exactly like zod's own schemas.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as zod from 'zod';
import { lazily } from '../../core/contract/schemas/lazy-schema.ts';
import { z } from '../../core/index.ts';

const test = suite('schemas built on first use');

type Zod = Omit<typeof zod, 'locales' | 'z' | 'default'>;

/** The same declarations, built with the functions of the core or of zod */
const declarations: Readonly<Record<string, (from: Zod) => zod.ZodType>> = {
  'a text with checks': (from) => from.string().trim().min(2).max(5).regex(/^a/, 'Start with a.').describe('A text.'),
  'a number': (from) => from.number().int().gte(1).lte(10).multipleOf(2).default(4),
  'a flag in a query': (from) => from.stringbool().optional(),
  'a closed object': (from) =>
    from.strictObject({ id: from.string().meta({ id: 'Id' }), tags: from.array(from.enum(['a', 'b'])).max(2) }),
  'an extended object': (from) =>
    from
      .object({ a: from.int(), b: from.boolean() })
      .extend({ c: from.literal('c').nullable() })
      .partial()
      .required({ a: true })
      .omit({ b: true }),
  'an open object': (from) => from.looseObject({ a: from.email() }).nullish(),
  'a record': (from) => from.record(from.string().startsWith('x'), from.unknown()),
  'a union': (from) => from.union([from.url(), from.null()]).describe('An address or none.'),
  'a discriminated union': (from) =>
    from.discriminatedUnion('kind', [
      from.object({ kind: from.literal('a'), value: from.string() }),
      from.object({ kind: from.literal('b'), value: from.number() }),
    ]),
  'a transform': (from) =>
    from
      .string()
      .refine((text) => text !== 'no', 'Not no.')
      .transform((text) => text.length)
      .pipe(from.number().min(1)),
  'a list and a catch': (from) => from.string().toUpperCase().array().or(from.never()).catch(['none']),
};

const values: readonly unknown[] = [
  ...['a', ' ab ', 'abcdefg', 'ba', '', 'no', 'true', 'https://example.com/'],
  ...[0, 2, 3, 12, 2.5, true, null, undefined],
  ...[[], ['a'], ['a', 'b', 'a'], ['c']],
  ...[{}, { id: 'x', tags: ['a'] }, { id: 1, tags: [] }, { id: 'x', tags: [], more: 1 }],
  ...[{ a: 1, c: null }, { a: 1, b: 'x', c: 'd' }, { a: 'ada@example.com', more: 1 }, { a: 'ada' }],
  ...[{ x1: 1 }, { y: 1 }, { kind: 'a', value: 'x' }, { kind: 'b', value: 'x' }, { kind: 'c' }],
];

const answersOf = (schema: zod.ZodType) =>
  values.map((value) => {
    const { success, data, error } = schema.safeParse(value);
    return success ? { data } : { issues: error.issues };
  });

for (const [title, declare] of Object.entries(declarations)) {
  test(`${title} accepts and refuses the same values as zod, with the same messages`, () => {
    const answers = answersOf(declare(z));
    assert.equal(answers, answersOf(declare(zod)));
    assert.ok(
      answers.some(({ issues }) => issues === undefined),
      'the schema accepts none of the values',
    );
  });

  for (const io of ['input', 'output'] as const)
    test(`${title} has the same JSON Schema as zod (${io})`, () => {
      const options = { io, unrepresentable: 'any' } as const;
      assert.equal(z.toJSONSchema(declare(z), options), zod.toJSONSchema(declare(zod), options));
    });
}

test('a schema is built once, when one of its members is first read', () => {
  let buildCount = 0;
  const text = lazily(() => {
    buildCount += 1;
    return zod.string();
  });
  const objectSchema = z.object({ text: text().min(2).describe('A text.').optional() });
  assert.is(buildCount, 0);
  assert.not(objectSchema.safeParse({ text: 'a' }).success);
  assert.ok(objectSchema.safeParse({ text: 'ab' }).success);
  assert.is(buildCount, 1);
});

test('a schema is an instance of its class, before and after its first use', () => {
  assert.ok(z.object({}) instanceof z.ZodObject);
  assert.not(z.object({}) instanceof z.ZodString);
  const usedSchema = z.string();
  usedSchema.parse('a');
  assert.ok(usedSchema instanceof z.ZodString);
  assert.ok('_zod' in usedSchema && '_zod' in z.string());
});

test('metadata stays on its schema, and describe() copies it without the id', () => {
  const namedSchema = z.string().meta({ id: 'LazyNamed', title: 'A name' });
  assert.is(namedSchema.meta()?.title, 'A name');
  assert.is(z.globalRegistry.get(namedSchema)?.id, 'LazyNamed');
  const describedSchema = namedSchema.describe('Another.');
  assert.equal(
    [describedSchema.description, describedSchema.meta()?.title, describedSchema.meta()?.id],
    ['Another.', 'A name', undefined],
  );
});

test('a schema that refers to itself by a getter does not recurse without end', () => {
  interface Tree {
    readonly name: string;
    readonly children: readonly Tree[];
  }
  const tree: zod.ZodType<Tree> = z.object({
    name: z.string(),
    get children() {
      return z.array(tree);
    },
  });
  const leaf = { name: 'leaf', children: [] };
  assert.equal(tree.parse({ name: 'root', children: [leaf] }), { name: 'root', children: [leaf] });
  assert.not(tree.safeParse({ name: 'root', children: [{ name: 1 }] }).success);
});

test("parts of a schema can be read, and zod's own schemas can be parts", () => {
  const objectSchema = z.object({ own: z.string().min(2), other: zod.number().max(3) });
  assert.is(objectSchema.shape.own.safeParse('a').success, false);
  assert.is(objectSchema.safeParse({ own: 'ab', other: 4 }).success, false);
  assert.equal(zod.object({ whole: objectSchema }).parse({ whole: { own: 'ab', other: 3 } }), {
    whole: { own: 'ab', other: 3 },
  });
  assert.is(objectSchema.keyof().safeParse('own').success, true);
});

test('an error in a declaration is thrown at every use, starting with the first', () => {
  const faultySchema = z.discriminatedUnion('kind', [z.object({ other: z.string() })] as never);
  assert.throws(() => faultySchema.parse({ kind: 'a' }));
  assert.throws(() => faultySchema.parse({ kind: 'a' }));
});

test.run();
