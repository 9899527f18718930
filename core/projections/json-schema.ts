// Zod → JSON Schema 2020-12, converted once for each schema and direction. Called by flat.ts, mcp.ts and openapi.ts.
// Schemas with `.meta({ id })` become definitions; OpenAPI moves them into components, tools inline them.
import { hash } from 'node:crypto';
import * as z from '../contract/zod.ts';

/** A JSON Schema, as plain data. */
export type JsonSchema = Record<string, unknown>;

/** The schema of accepted input or of output. The two differ by defaults and transforms. */
export type Direction = 'input' | 'output';

/** A schema and the definitions that it refers to as `#/$defs/<id>`. Shared: never change it in place. */
export interface DefinedSchema {
  readonly schema: JsonSchema;
  readonly definitions: Readonly<Record<string, JsonSchema>>;
}

const prefix = '#/$defs/';
const converted: Record<Direction, WeakMap<z.ZodType, DefinedSchema>> = { input: new WeakMap(), output: new WeakMap() };

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Removes redundant keywords, and keywords that would forbid later additions. */
function tidy(schema: JsonSchema, direction: Direction): void {
  // The format is enough: zod adds a pattern of hundreds of characters to it.
  if (typeof schema.format === 'string') delete schema.pattern;
  if (isRecord(schema.propertyNames) && JSON.stringify(schema.propertyNames) === '{"type":"string"}')
    delete schema.propertyNames;
  // Answers may get new fields within a version, so generated clients must not refuse them.
  if (direction === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
  // Beyond these bounds, a number is not exact in JSON anyway.
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if ('example' in schema) {
    schema.examples ??= [schema.example];
    delete schema.example;
  }
}

/** zod's schema for `z.json()`, with a placeholder for its reference to itself. It accepts any value. */
const anyJson = (self: string): string =>
  JSON.stringify({
    anyOf: [
      ...['string', 'number', 'boolean', 'null'].map((type) => ({ type })),
      { type: 'array', items: { $ref: self } },
      { type: 'object', additionalProperties: { $ref: self } },
    ],
  });

/** zod numbers recursive schemas without an id. This replaces each by `{}`, or by a definition named after its content. */
function nameRecursions({ schema, definitions }: DefinedSchema): DefinedSchema {
  const numbered = Object.entries(definitions).filter(([id]) => id.startsWith('__'));
  if (numbered.length === 0) return { schema, definitions };
  const names = new Map<string, string | undefined>();
  for (const [id, definition] of numbered) {
    const text = JSON.stringify(definition);
    const name = `Recursive${hash('sha256', text.replaceAll(`${prefix}${id}"`, '"')).slice(0, 8)}`;
    names.set(id, text === anyJson(prefix + id) ? undefined : name);
  }
  const rename = (part: JsonSchema): JsonSchema => {
    const id = definitionOf(part);
    if (id === undefined || !names.has(id)) return part;
    const { $ref: _, ...beside } = part;
    const name = names.get(id);
    return name === undefined ? beside : { ...beside, $ref: prefix + name };
  };
  const kept = Object.entries(definitions).flatMap(([id, definition]) => {
    const name = names.has(id) ? names.get(id) : id;
    return name === undefined ? [] : [[name, mapSchema(definition, rename)] as const];
  });
  return { schema: mapSchema(schema, rename), definitions: Object.fromEntries(kept) };
}

function convert(schema: z.ZodType, direction: Direction): DefinedSchema {
  // Only inside a wrapper does a root schema with an id become a definition.
  const whole = z.toJSONSchema(z.object({ value: schema }), {
    io: direction,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema, direction),
  }) as unknown as { properties: { value: JsonSchema }; $defs?: Record<string, JsonSchema> };
  return nameRecursions({ schema: whole.properties.value, definitions: whole.$defs ?? {} });
}

/** The JSON Schema of a Zod schema, and its definitions. */
export function jsonSchemaOf(schema: z.ZodType, direction: Direction): DefinedSchema {
  const known = converted[direction].get(schema);
  if (known !== undefined) return known;
  const made = convert(schema, direction);
  converted[direction].set(schema, made);
  return made;
}

/** The id that a `$ref` names, or undefined. */
export function definitionOf(schema: JsonSchema): string | undefined {
  const { $ref } = schema;
  return typeof $ref === 'string' && $ref.startsWith(prefix) ? $ref.slice(prefix.length) : undefined;
}

/** Keywords whose value maps names to schemas; a property may have the name of a keyword. */
const ofNames = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas']);
/** Keywords whose value is data. */
const ofData = new Set(['default', 'const', 'enum', 'examples', 'required']);

function mapKeyword(name: string, value: unknown, change: (schema: JsonSchema) => JsonSchema): unknown {
  if (ofData.has(name)) return value;
  if (Array.isArray(value)) return value.map((item) => (isRecord(item) ? mapSchema(item, change) : item));
  if (!isRecord(value)) return value;
  if (!ofNames.has(name)) return mapSchema(value, change);
  return Object.fromEntries(
    Object.entries(value).map(([inner, schema]) => [inner, isRecord(schema) ? mapSchema(schema, change) : schema]),
  );
}

/** Rewrites every schema in a schema, innermost first. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  return change(
    Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, mapKeyword(name, value, change)])),
  );
}

/** The schema with its definitions inlined. Recursive definitions stay under `$defs` at the root. */
export function standaloneSchema({ schema, definitions }: DefinedSchema): JsonSchema {
  const kept = new Set<string>();
  const put = (value: JsonSchema, inside: readonly string[]): JsonSchema =>
    mapSchema(value, (part) => {
      const id = definitionOf(part);
      const definition = id === undefined ? undefined : definitions[id];
      if (id === undefined || definition === undefined) return part;
      if (inside.includes(id) || kept.has(id)) {
        kept.add(id);
        return part;
      }
      const { $ref: _, ...beside } = part;
      const whole = put(definition, [...inside, id]);
      return kept.has(id) ? part : { ...whole, ...beside };
    });
  const root = put(schema, []);
  if (kept.size === 0) return root;
  const resolve = (id: string): JsonSchema => put(definitions[id] ?? {}, [id]);
  const $defs = Object.fromEntries([...kept].sort().map((id) => [id, resolve(id)]));
  const own = definitionOf(root);
  return own === undefined ? { ...root, $defs } : { ...resolve(own), $defs };
}

/** The root schema of an object: if the root is only a reference, the referenced definition. */
export function rootSchema({ schema, definitions }: DefinedSchema): JsonSchema {
  const id = definitionOf(schema);
  return id === undefined ? schema : (definitions[id] ?? schema);
}
