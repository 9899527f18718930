import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { defineOperation, type Operation } from '../../core/contract/declaration/operation.ts';
import { isPostriderError } from '../../core/contract/errors/errors.ts';
import { validateInput } from '../../core/pipeline/validate.ts';
import { flatInput, flatRefusal, unflatten } from '../../core/projections/flat.ts';
import { jsonSchemaOf, standaloneSchema } from '../../core/projections/json-schema.ts';
import { plainSchema } from '../../core/projections/plain-schema.ts';
import type { JsonSchema } from '../../core/projections/schema-parts.ts';
import { archiveNote, createNote, listNotes, readNote, shareNote } from './notes-plugin.ts';

const test = suite('flat input');

const propertiesOf = (operation: Operation) => flatInput(operation).schema.properties as Record<string, JsonSchema>;

function refusalOf(operation: Operation, args: Record<string, unknown>) {
  try {
    validateInput(operation, unflatten(operation, args));
  } catch (error) {
    const flatError = flatRefusal(operation, error, 'tool');
    if (isPostriderError(flatError, 'validation_failed')) return flatError;
    throw flatError;
  }
  throw new Error('the input was not refused');
}

test('path, query and body become members of one object that allows no other members', () => {
  const { schema } = flatInput(shareNote);
  assert.is(schema.type, 'object');
  assert.is(schema.additionalProperties, false);
  assert.equal(Object.keys(propertiesOf(shareNote)), ['note', 'silent', 'to', 'message']);
  assert.equal(schema.required, ['note', 'to']);
});

test('a renamed path parameter replaces the body field that has its new name', () => {
  const raw = unflatten(shareNote, { note: 'n1', to: 'ada@example.com' });
  assert.equal(raw, { params: { key: 'n1' }, query: {}, body: { to: 'ada@example.com' } });
});

test('a body field that the schema requires gets its value from the path parameter with the same name', () => {
  const strict = defineOperation({
    id: 'notes.share',
    summary: 'Share a note',
    http: 'POST /v1/notes/{key}/share',
    tool: 'x',
    scopes: ['notes:share'],
    idempotency: 'replay',
    rename: { key: 'note' },
    input: { params: z.object({ key: z.string() }), body: z.object({ note: z.string() }) },
    output: z.object({}),
    audit: { action: 'note.share', target: () => ({ kind: 'note', id: '' }) },
    handler: async () => ({}),
  } as never) as Operation;
  assert.equal(unflatten(strict, { note: 'n1' }), { params: { key: 'n1' }, query: {}, body: { note: 'n1' } });
});

test('a query parameter that is parsed from text is described with its parsed type', () => {
  const { archived, pinned, limit, since } = propertiesOf(listNotes);
  assert.equal(archived, { type: 'boolean', default: false, description: 'Archived ones, too.' });
  assert.equal(pinned, { type: 'boolean' });
  assert.is(limit?.type, 'integer');
  assert.is(limit?.default, 25);
  assert.equal(since, { type: 'string', format: 'date-time' });
  assert.is(flatInput(listNotes).schema.required, undefined);
});

test('booleans, numbers and lists in a flat query equal their text form over REST', () => {
  const flat = { archived: true, pinned: false, limit: 7, tags: ['a', 'b'], kind: ['x', 'y'] };
  const restQuery = { archived: 'true', pinned: 'false', limit: '7', tags: 'a,b', kind: ['x', 'y'] };
  const restInput = validateInput(listNotes, { params: {}, query: restQuery, body: undefined });
  assert.equal(validateInput(listNotes, unflatten(listNotes, flat)), restInput);
  assert.equal(restInput.query, { archived: true, pinned: false, limit: 7, tags: ['a', 'b'], kind: ['x', 'y'] });
});

test('undefined counts as omitted, and so does null if the field accepts only text', () => {
  const input = validateInput(listNotes, unflatten(listNotes, { cursor: undefined, tags: null }));
  assert.equal(input, validateInput(listNotes, { params: {}, query: {}, body: undefined }));
  assert.equal(unflatten(createNote, { title: null, stars: undefined }).body, { title: null });
});

test('an unknown argument is refused with its own name', () => {
  for (const [operation, args] of [
    [createNote, { title: 'a', colour: 'red' }],
    [listNotes, { colour: 'red' }],
    [readNote, { key: 'n1', colour: 'red' }],
    [shareNote, { note: 'n1', to: 'ada@example.com', colour: 'red' }],
    [archiveNote, { key: 'n1', colour: 'red' }],
  ] as const) {
    assert.equal(
      refusalOf(operation, args).details?.map(({ path, code }) => ({ path, code })),
      [{ path: 'colour', code: 'unknown_field' }],
      operation.id,
    );
  }
});

test('an error in a renamed path parameter is reported with the name of the argument', () => {
  const missing = refusalOf(shareNote, { to: 'nobody' });
  assert.equal(missing.details?.map(({ path }) => path).sort(), ['note', 'to']);
  assert.match(missing.message, /^note is required\./);
});

test('the URL name of a renamed path parameter is refused as an argument', () => {
  const details = refusalOf(shareNote, { note: 'n1', to: 'ada@example.com', key: 'n2' }).details;
  assert.equal(
    details?.map(({ path, code }) => ({ path, code })),
    [{ path: 'key', code: 'unknown_field' }],
  );
});

test('an argument named __proto__ is refused as unknown', () => {
  const args = JSON.parse('{"title":"a","__proto__":{"stars":5}}') as Record<string, unknown>;
  assert.is(refusalOf(createNote, args).details?.[0]?.path, '__proto__');
});

test('the root of a flat schema has no oneOf, anyOf, allOf or $ref', () => {
  for (const operation of [listNotes, readNote, createNote, shareNote, archiveNote]) {
    for (const word of ['oneOf', 'anyOf', 'allOf', '$ref'])
      assert.not.ok(word in flatInput(operation).schema, operation.id);
  }
});

test('fields may be named like JSON Schema keywords, and named schemas are inlined', () => {
  const inner = z.object({ default: z.string(), type: z.string(), required: z.boolean() }).meta({ id: 'Odd' });
  const schema = jsonSchemaOf(z.object({ properties: inner, $ref: z.string(), list: z.array(inner) }), 'input');
  const { properties } = standaloneSchema(schema) as { properties: Record<string, JsonSchema> };
  assert.equal(Object.keys(properties), ['properties', '$ref', 'list']);
  assert.equal(properties.properties?.required, ['default', 'type', 'required']);
  assert.equal(properties.list?.items, properties.properties);
});

test('a schema that refers to itself is expanded three levels deep', () => {
  type Tree = { readonly name: string; readonly children: Tree[] };
  const tree: z.ZodType<Tree> = z
    .lazy(() => z.object({ name: z.string(), children: z.array(tree) }))
    .meta({ id: 'Tree' });
  const schema = standaloneSchema(jsonSchemaOf(z.object({ root: tree, twin: tree }), 'input'));
  const levels = Object.entries(schema.$defs as Record<string, { properties: { children: { items: JsonSchema } } }>);
  assert.equal(
    levels.map(([name, { properties }]) => [name, properties.children.items]),
    [
      ['Tree', { $ref: '#/$defs/TreeLevel2' }],
      ['TreeLevel2', { $ref: '#/$defs/TreeLevel3' }],
      ['TreeLevel3', { type: 'object' }],
    ],
  );
  assert.equal(schema.properties, { root: { $ref: '#/$defs/Tree' }, twin: { $ref: '#/$defs/Tree' } });
});

test('a schema without references has each definition once, and mentions it in words where it is used again', () => {
  type Tree = { readonly name: string; readonly children: Tree[] };
  const about = 'A part of the whole, with the parts that it has in turn, in the order in which they were added to it.';
  const tree: z.ZodType<Tree> = z
    .lazy(() => z.object({ name: z.string().describe(about), children: z.array(tree) }))
    .meta({ id: 'Tree' });
  const plain = plainSchema(jsonSchemaOf(z.object({ root: tree, twin: tree.describe('The other.') }), 'input'));
  assert.not.match(JSON.stringify(plain), '$ref');
  const { root, twin } = plain.properties as { root: JsonSchema; twin: JsonSchema };
  assert.equal(twin, { type: 'object', description: 'The other. As in root.' });
  let level = root as { properties?: { children: { items: JsonSchema } } };
  for (const depth of [1, 2, 3]) {
    assert.ok(level.properties !== undefined, `level ${depth}`);
    level = level.properties.children.items;
  }
  assert.equal(level, { type: 'object' });
});

test('any JSON becomes the empty schema, and a recursive schema without an id is named after its content', () => {
  const free = jsonSchemaOf(z.object({ extra: z.record(z.string(), z.json()), one: z.json().optional() }), 'output');
  assert.equal(free, {
    schema: {
      type: 'object',
      properties: { extra: { type: 'object', additionalProperties: {} }, one: {} },
      required: ['extra'],
    },
    definitions: {},
  });
  type Tree = { readonly children: Tree[] };
  const tree: z.ZodType<Tree> = z.lazy(() => z.object({ children: z.array(tree) }));
  const [name = '', ...more] = Object.keys(
    jsonSchemaOf(z.object({ a: z.json(), tree, again: tree }), 'input').definitions,
  );
  assert.match(name, /^Recursive[0-9a-f]{8}$/);
  assert.is(more.length, 0);
  assert.equal(Object.keys(jsonSchemaOf(z.object({ tree }), 'input').definitions), [name]);
});

// Builds any operation from these fields. Its flat arguments must give the same input as a REST request.
const scalar = fc.oneof(fc.string({ minLength: 1, maxLength: 8 }), fc.integer({ min: -999, max: 999 }), fc.boolean());
const fieldNames = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,5}$/), { minLength: 3, maxLength: 9 });
const ofText = { string: z.string(), number: z.coerce.number(), boolean: z.stringbool() };
const ofJson = { string: z.string(), number: z.number(), boolean: z.boolean() };
const kindOf = (value: unknown) => typeof value as keyof typeof ofText;

const calls = fieldNames.chain((names) =>
  fc.record({
    names: fc.constant(names),
    values: fc.array(scalar, { minLength: names.length, maxLength: names.length }),
    parts: fc.array(fc.constantFrom('params', 'query', 'body'), { minLength: names.length, maxLength: names.length }),
    renamed: fc.boolean(),
  }),
);

test('flat arguments and the REST request give the same input, for any operation', () => {
  void fc.assert(
    fc.property(calls, ({ names, values, parts, renamed }) => {
      const fields = names.map((name, at) => ({
        name,
        value: values[at] as string | number | boolean,
        part: parts[at],
      }));
      const shape = (part: string, kinds: Record<string, z.ZodType>) =>
        Object.fromEntries(
          fields
            .filter((field) => field.part === part)
            .map(({ name, value }) => [name, kinds[kindOf(value)] as z.ZodType]),
        );
      const inPath = fields.filter(({ part }) => part === 'params').map(({ name }) => name);
      const rename = renamed ? Object.fromEntries(inPath.map((name) => [name, `${name}_renamed`])) : {};
      const operation = defineOperation({
        id: 'any.call',
        summary: 'Anything',
        http: `POST /v1/any/${inPath.map((name) => `{${name}}`).join('/')}`,
        scopes: ['any'],
        idempotency: 'replay',
        rename,
        input: {
          params: z.object(Object.fromEntries(inPath.map((name) => [name, z.string()]))),
          query: z.object(shape('query', ofText)),
          body: z.object(shape('body', ofJson)),
        },
        output: z.object({}),
        fixture: async () => ({}),
        handler: async () => ({}),
      });
      const pick = (part: string, change: (value: unknown) => unknown) =>
        Object.fromEntries(
          fields.filter((field) => field.part === part).map(({ name, value }) => [name, change(value)]),
        );
      const restRequest = {
        params: pick('params', String),
        query: pick('query', String),
        body: pick('body', (value) => value),
      };
      const flat = Object.fromEntries(fields.map(({ name, value }) => [rename[name] ?? name, value]));
      // An invalid input, such as a text for a boolean, is refused in both forms. Here every value is valid.
      assert.equal(validateInput(operation, unflatten(operation, flat)), validateInput(operation, restRequest));
      assert.equal(Object.keys(propertiesOf(operation)).sort(), Object.keys(flat).sort());
      assert.equal([...((flatInput(operation).schema.required ?? []) as string[])].sort(), Object.keys(flat).sort());
    }),
    { numRuns: 200 },
  );
});

test.run();
