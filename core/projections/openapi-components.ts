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

const pending = '#/pending/';
const place = '#/components/schemas/';

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
    if (key !== '$ref' || typeof inner !== 'string' || !inner.startsWith(pending))
      return [key, mapReferences(inner, name)];
    const [direction, id] = inner.slice(pending.length).split('/') as [Direction, string];
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
  JSON.stringify(input).replaceAll(`${pending}input/`, pending) ===
  JSON.stringify(output).replaceAll(`${pending}output/`, pending);

/** Ids whose input schema differs from their output schema, directly or through a reference. */
function divided(named: ReadonlyMap<string, SchemaDirections>): Set<string> {
  const both = [...named].filter(([, { input, output }]) => input !== undefined && output !== undefined);
  const different = new Set(both.filter(([, pair]) => !sameText(pair)).map(([id]) => id));
  for (let before = -1; before !== different.size; ) {
    before = different.size;
    for (const [id, { input }] of both)
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
      const referred = id === undefined ? part : { ...part, $ref: `${pending}${direction}/${id}` };
      return direction === 'input' ? withoutDefault(referred) : referred;
    });

  const define = (id: string, schema: JsonSchema, direction: Direction): void => {
    const entry = byId.get(id) ?? {};
    byId.set(id, entry);
    const text = refer(schema, direction);
    if (entry[direction] !== undefined && JSON.stringify(entry[direction]) !== JSON.stringify(text)) {
      throw new Error(`Two different schemas have the id ${id}. Rename one of them.`);
    }
    entry[direction] = text;
  };

  const put = ({ schema, definitions }: DefinedSchema, direction: Direction): JsonSchema => {
    for (const [id, definition] of Object.entries(definitions)) {
      const instead = composed.get(id);
      define(id, instead === undefined ? definition : put(jsonSchemaOf(instead, direction), direction), direction);
    }
    return refer(schema, direction);
  };

  return {
    use: (schema, direction) => put(jsonSchemaOf(schema, direction), direction),
    parameter({ schema, definitions }) {
      const { default: value, ...rest } = schema;
      const placed = put({ schema: rest, definitions }, 'input');
      return value === undefined ? placed : { ...placed, default: value };
    },
    settle(document) {
      const apart = divided(byId);
      const final = (value: JsonSchema): JsonSchema =>
        mapReferences(
          value,
          (direction, id) => `${place}${direction === 'input' && apart.has(id) ? `${id}Input` : id}`,
        ) as JsonSchema;
      const schemas: [string, JsonSchema][] = [];
      for (const [id, { input, output }] of byId) {
        schemas.push([id, final((output ?? input) as JsonSchema)]);
        if (apart.has(id)) schemas.push([`${id}Input`, final(input as JsonSchema)]);
      }
      schemas.sort(([a], [b]) => (a < b ? -1 : 1));
      return { document: final(document), schemas: Object.fromEntries(schemas) };
    },
  };
}
