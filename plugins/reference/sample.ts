// A value that a schema accepts, for operations without a recorded example. Called by snippets.ts.
import { nameOf, type OpenapiDocument, type Schema, schemaOf } from './document.ts';
import { branchesOf, withoutNull } from './schema-type.ts';

const texts: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  'date-time': '2026-11-20T15:04:05.000Z',
  date: '2026-11-20',
  uri: 'https://example.com/page',
  uuid: '3f0c2b1e-6b1f-4d6e-9a53-0c8f1a2b3c4d',
};

/** How much of an object a sample shows. */
export type Extent = 'required' | 'all';

function textOf({ format, minLength = 0, maxLength }: Schema, name: string): string {
  const formatSample = format === undefined ? undefined : texts[format];
  if (formatSample !== undefined) return formatSample;
  const text = name === '' ? 'text' : name;
  return text.padEnd(minLength, '.').slice(0, maxLength);
}

function numberOf({ minimum, exclusiveMinimum, maximum }: Schema): number {
  const min = minimum ?? (exclusiveMinimum === undefined ? 1 : exclusiveMinimum + 1);
  return maximum === undefined ? min : Math.min(min, maximum);
}

/** Makes the value. `name` is the field's name. */
export function sampleOf(
  document: OpenapiDocument,
  input: Schema,
  extent: Extent,
  name = '',
  ancestors: readonly string[] = [],
): unknown {
  const { schema: withoutNullType } = withoutNull(input);
  const reference = withoutNullType.$ref === undefined ? undefined : nameOf(withoutNullType.$ref);
  if (reference !== undefined && ancestors.includes(reference)) return null;
  const path = reference === undefined ? ancestors : [...ancestors, reference];
  const schema = schemaOf(document, withoutNullType);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  const [example] = schema.examples ?? [];
  if (example !== undefined) return example;
  const [value] = schema.enum ?? [];
  if (value !== undefined) return value;
  const [branch] = branchesOf(schema);
  if (branch !== undefined) return sampleOf(document, branch, extent, name, path);
  if (schema.properties !== undefined) {
    const required = new Set(schema.required);
    const visibleFields = Object.entries(schema.properties).filter(
      ([field]) => extent === 'all' || required.has(field),
    );
    return Object.fromEntries(
      visibleFields.map(([field, property]) => [field, sampleOf(document, property, extent, field, path)]),
    );
  }
  const [type] = typeof schema.type === 'object' ? schema.type : [schema.type];
  switch (type) {
    case 'array':
      return schema.items === undefined ? [] : [sampleOf(document, schema.items, extent, name, path)];
    case 'object':
      return {};
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return true;
    default:
      return textOf(schema, name);
  }
}
