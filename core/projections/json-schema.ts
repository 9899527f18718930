// Zod → JSON Schema 2020-12, converted once for each schema and direction. Called by flat.ts, mcp.ts and openapi.ts.
// Schemas with `.meta({ id })` become definitions; OpenAPI moves them into components, tools inline them.
import { hash } from 'node:crypto';
import * as z from '../contract/schemas/zod.ts';
import { withoutCycles } from './schema-levels.ts';
import {
  type DefinedSchema,
  definitionOf,
  definitionPrefix,
  isRecord,
  type JsonSchema,
  mapSchema,
} from './schema-parts.ts';

/** The schema of accepted input or of output. The two differ by defaults and transforms. */
export type Direction = 'input' | 'output';

const conversionCache: Record<Direction, WeakMap<z.ZodType, DefinedSchema>> = {
  input: new WeakMap(),
  output: new WeakMap(),
};

/** Removes redundant keywords, and keywords that would forbid later additions. */
function tidy(schema: JsonSchema, direction: Direction): void {
  // The format is enough: zod adds a pattern of hundreds of characters to it.
  if (typeof schema.format === 'string') delete schema.pattern;
  if (isRecord(schema.propertyNames) && JSON.stringify(schema.propertyNames) === '{"type":"string"}')
    delete schema.propertyNames;
  // Some clients do not know `not`, which zod writes for a value that cannot exist.
  if (JSON.stringify(schema.additionalProperties) === '{"not":{}}') schema.additionalProperties = false;
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

/** Replaces a list of types by one branch for each, as zod writes null elsewhere: some clients accept only one word as a type. */
function branchTypes(schema: JsonSchema): JsonSchema {
  const { type, format, pattern, minLength, maxLength, ...otherKeywords } = schema;
  if (!Array.isArray(type)) return schema;
  const textKeywords = Object.entries({ minLength, maxLength, format, pattern }).filter(
    ([, value]) => value !== undefined,
  );
  const texts = Object.fromEntries(textKeywords);
  return {
    ...otherKeywords,
    anyOf: (type as string[]).map((typeName) => ({ type: typeName, ...(typeName === 'string' ? texts : {}) })),
  };
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
    const name = `Recursive${hash('sha256', text.replaceAll(`${definitionPrefix}${id}"`, '"')).slice(0, 8)}`;
    names.set(id, text === anyJson(definitionPrefix + id) ? undefined : name);
  }
  const rename = (part: JsonSchema): JsonSchema => {
    const id = definitionOf(part);
    if (id === undefined || !names.has(id)) return part;
    const { $ref: _, ...siblings } = part;
    const name = names.get(id);
    return name === undefined ? siblings : { ...siblings, $ref: definitionPrefix + name };
  };
  const keptDefinitions = Object.entries(definitions).flatMap(([id, definition]) => {
    const name = names.has(id) ? names.get(id) : id;
    return name === undefined ? [] : [[name, mapSchema(definition, rename)] as const];
  });
  return { schema: mapSchema(schema, rename), definitions: Object.fromEntries(keptDefinitions) };
}

function convert(schema: z.ZodType, direction: Direction): DefinedSchema {
  // Only inside a wrapper does a root schema with an id become a definition.
  const wrapper = z.toJSONSchema(z.object({ value: schema }), {
    io: direction,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema, direction),
  }) as unknown as { properties: { value: JsonSchema }; $defs?: Record<string, JsonSchema> };
  // After the conversion: zod joins some types only at its end.
  const { value } = { value: mapSchema(wrapper.properties.value, branchTypes) };
  const definitions = Object.entries(wrapper.$defs ?? {}).map(([id, schema]) => [id, mapSchema(schema, branchTypes)]);
  return nameRecursions({ schema: value, definitions: Object.fromEntries(definitions) });
}

/** The JSON Schema of a Zod schema, and its definitions. */
export function jsonSchemaOf(schema: z.ZodType, direction: Direction): DefinedSchema {
  const cached = conversionCache[direction].get(schema);
  if (cached !== undefined) return cached;
  const schemaOf = convert(schema, direction);
  conversionCache[direction].set(schema, schemaOf);
  return schemaOf;
}

/**
 * The schema with its definitions inlined. Recursive definitions stay under `$defs` at the root, written out level by level, so
 * that no reference is circular.
 */
export function standaloneSchema(defined: DefinedSchema): JsonSchema {
  const { schema, definitions } = withoutCycles(defined);
  const isLevel = (id: string): boolean => definitions[id] !== defined.definitions[id];
  const levelDefinitions = new Set<string>();
  const inlined = (value: JsonSchema): JsonSchema =>
    mapSchema(value, (part) => {
      const id = definitionOf(part);
      const definition = id === undefined ? undefined : definitions[id];
      if (id === undefined || definition === undefined) return part;
      if (isLevel(id)) {
        levelDefinitions.add(id);
        return part;
      }
      const { $ref: _, ...siblings } = part;
      return { ...inlined(definition), ...siblings };
    });
  const root = inlined(schema);
  if (levelDefinitions.size === 0) return root;
  const writtenDefinitions: [string, JsonSchema][] = [];
  // A level refers to the next one, which is added to the set meanwhile.
  for (const id of levelDefinitions) writtenDefinitions.push([id, inlined(definitions[id] ?? {})]);
  const $defs = Object.fromEntries(writtenDefinitions.sort(([a], [b]) => (a < b ? -1 : 1)));
  const rootId = definitionOf(root);
  return rootId === undefined ? { ...root, $defs } : { ...$defs[rootId], $defs };
}

/** The root schema of an object: if the root is only a reference, the referenced definition. */
export function rootSchema({ schema, definitions }: DefinedSchema): JsonSchema {
  const id = definitionOf(schema);
  return id === undefined ? schema : (definitions[id] ?? schema);
}
