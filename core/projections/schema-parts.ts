// JSON Schemas as plain data: their types, references to definitions, and rewriting of every schema in a schema. Pure; used by
// the files that convert, flatten and shorten schemas.

/** A JSON Schema, as plain data. */
export type JsonSchema = Record<string, unknown>;

/** A schema and the definitions that it refers to as `#/$defs/<id>`. Shared: never change it in place. */
export interface DefinedSchema {
  readonly schema: JsonSchema;
  readonly definitions: Readonly<Record<string, JsonSchema>>;
}

/** The prefix of a `$ref` to a definition. */
export const definitionPrefix = '#/$defs/';
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The id that a `$ref` names, or undefined. */
export function definitionOf(schema: JsonSchema): string | undefined {
  const { $ref } = schema;
  return typeof $ref === 'string' && $ref.startsWith(definitionPrefix)
    ? $ref.slice(definitionPrefix.length)
    : undefined;
}

/** Keywords whose value maps names to schemas; a property may have the name of a keyword. */
const namedSchemaKeywords = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas']);
/** Keywords whose value is data. */
const dataKeywords = new Set(['default', 'const', 'enum', 'examples', 'required']);

/**
 * A change of a schema inside another one; `step` is added to its path: `.name` for a property, `[]` for an item, or an empty
 * text.
 */
type InnerChange = (schema: JsonSchema, step: string) => JsonSchema;

function mapKeyword(name: string, value: unknown, change: InnerChange): unknown {
  if (dataKeywords.has(name)) return value;
  if (Array.isArray(value)) return value.map((item) => (isRecord(item) ? change(item, '') : item));
  if (!isRecord(value)) return value;
  if (!namedSchemaKeywords.has(name)) return change(value, name === 'items' ? '[]' : '');
  return Object.fromEntries(
    Object.entries(value).map(([inner, schema]) => [
      inner,
      isRecord(schema) ? change(schema, name === 'properties' ? `.${inner}` : '') : schema,
    ]),
  );
}

/** Rewrites the schemas directly inside a schema. */
export const mapInner = (schema: JsonSchema, change: InnerChange): JsonSchema =>
  Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, mapKeyword(name, value, change)]));

/** Rewrites every schema in a schema, innermost first. */
export const mapSchema = (schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema =>
  change(mapInner(schema, (inner) => mapSchema(inner, change)));
