// The components of the OpenAPI document: schemas with an id are written once and referenced. Called by openapi.ts.
// While the document is being made, references contain their direction; `settle` gives them their final names.
import type { z } from 'zod';
import { type Direction, jsonSchemaOf } from './json-schema.ts';
import { type DefinedSchema, definitionOf, isRecord, type JsonSchema, mapSchema } from './schema-parts.ts';

/**
 * Moves defaults of a request body into the descriptions: client generators (openapi-typescript by default) treat a field with
 * a default as always present, and would require callers to send it.
 */
function withoutDefault(schema: JsonSchema): JsonSchema {
  if (!('default' in schema)) return schema;
  const { default: value, description, ...rest } = schema;
  const sentence = `Default: ${JSON.stringify(value)}.`;
  return {
    ...rest,
    description: typeof description === 'string' ? `${description.replace(/[.]?$/, '.')} ${sentence}` : sentence,
  };
}

const pendingPrefix = '#/pending/';
const componentPrefix = '#/components/schemas/';

interface SchemaDirections {
  input?: JsonSchema;
  output?: JsonSchema;
}

/** Collects schemas and returns references. */
export interface SchemaComponents {
  /** A schema for the document; parts with an id become components. */
  use(schema: z.ZodType, direction: Direction): JsonSchema;
  /** The same for a parameter's converted schema, which keeps its default. */
  parameter(defined: DefinedSchema): JsonSchema;
  /** The document with final references, and the components in alphabetical order. */
  settle(document: JsonSchema): { readonly document: JsonSchema; readonly schemas: Record<string, JsonSchema> };
}

/** Rewrites every pending reference in the document. */
function mapReferences(value: unknown, name: (direction: Direction, id: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => mapReferences(item, name));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    if (key !== '$ref' || typeof inner !== 'string' || !inner.startsWith(pendingPrefix))
      return [key, mapReferences(inner, name)];
    const [direction, id] = inner.slice(pendingPrefix.length).split('/') as [Direction, string];
    return [key, name(direction, id)];
  });
  return Object.fromEntries(entries);
}

function namesIn(schema: JsonSchema): Set<string> {
  const names = new Set<string>();
  mapReferences(schema, (_, id) => {
    names.add(id);
    return id;
  });
  return names;
}

/** Whether both directions have the same schema, apart from the direction in references. */
const sameText = ({ input, output }: SchemaDirections): boolean =>
  JSON.stringify(input).replaceAll(`${pendingPrefix}input/`, pendingPrefix) ===
  JSON.stringify(output).replaceAll(`${pendingPrefix}output/`, pendingPrefix);

/** Ids whose input schema differs from their output schema, directly or through a reference. */
function idsWithTwoForms(schemasById: ReadonlyMap<string, SchemaDirections>): Set<string> {
  const withBoth = [...schemasById].filter(([, { input, output }]) => input !== undefined && output !== undefined);
  const different = new Set(withBoth.filter(([, pair]) => !sameText(pair)).map(([id]) => id));
  for (let previousSize = -1; previousSize !== different.size; ) {
    previousSize = different.size;
    for (const [id, { input }] of withBoth)
      if ([...namesIn(input as JsonSchema)].some((name) => different.has(name))) different.add(id);
  }
  return different;
}

/**
 * An empty collection. `composed` contains schemas by id that replace those of operations: an operation declares an open
 * schema, and the composed plugins fill it.
 */
export function createSchemaComponents(composed: ReadonlyMap<string, z.ZodType> = new Map()): SchemaComponents {
  const byId = new Map<string, SchemaDirections>();

  const refer = (schema: JsonSchema, direction: Direction): JsonSchema =>
    mapSchema(schema, (part) => {
      const id = definitionOf(part);
      const referred = id === undefined ? part : { ...part, $ref: `${pendingPrefix}${direction}/${id}` };
      return direction === 'input' ? withoutDefault(referred) : referred;
    });

  const define = (id: string, schema: JsonSchema, direction: Direction): void => {
    const entry = byId.get(id) ?? {};
    byId.set(id, entry);
    const referencingSchema = refer(schema, direction);
    if (entry[direction] !== undefined && JSON.stringify(entry[direction]) !== JSON.stringify(referencingSchema)) {
      throw new Error(`Two different schemas have the id ${id}. Rename one of them.`);
    }
    entry[direction] = referencingSchema;
  };

  const put = ({ schema, definitions }: DefinedSchema, direction: Direction): JsonSchema => {
    for (const [id, definition] of Object.entries(definitions)) {
      const replacement = composed.get(id);
      define(
        id,
        replacement === undefined ? definition : put(jsonSchemaOf(replacement, direction), direction),
        direction,
      );
    }
    return refer(schema, direction);
  };

  return {
    use: (schema, direction) => put(jsonSchemaOf(schema, direction), direction),
    parameter({ schema, definitions }) {
      const { default: value, ...rest } = schema;
      const schemaWithDefault = put({ schema: rest, definitions }, 'input');
      return value === undefined ? schemaWithDefault : { ...schemaWithDefault, default: value };
    },
    settle(document) {
      const dividedIds = idsWithTwoForms(byId);
      const withFinalNames = (value: JsonSchema): JsonSchema =>
        mapReferences(
          value,
          (direction, id) => `${componentPrefix}${direction === 'input' && dividedIds.has(id) ? `${id}Input` : id}`,
        ) as JsonSchema;
      const schemas: [string, JsonSchema][] = [];
      for (const [id, { input, output }] of byId) {
        schemas.push([id, withFinalNames((output ?? input) as JsonSchema)]);
        if (dividedIds.has(id)) schemas.push([`${id}Input`, withFinalNames(input as JsonSchema)]);
      }
      schemas.sort(([a], [b]) => (a < b ? -1 : 1));
      return { document: withFinalNames(document), schemas: Object.fromEntries(schemas) };
    },
  };
}
