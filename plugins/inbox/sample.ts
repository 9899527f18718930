// Variables that fit a template's contract, for a template whose author gave no example. Pure.

type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Texts by their format; others are named after their field. */
const formats: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  uri: 'https://example.com/',
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00.000Z',
  uuid: '0b8f3a52-6a1e-4f0e-9d52-3f0c7c1d2e4a',
};

function sampleObject({ properties, required }: Schema): Record<string, unknown> {
  if (!isSchema(properties)) return {};
  const needed = Array.isArray(required) ? required : [];
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) =>
      needed.includes(name) && isSchema(schema) ? [[name, sampleOf(schema, name)]] : [],
    ),
  );
}

/** A value that fits a schema's type, format and enumerated values. */
export function sampleOf(schema: Schema, name = ''): unknown {
  for (const given of [schema.const, schema.default]) if (given !== undefined) return given;
  for (const list of [schema.examples, schema.enum]) if (Array.isArray(list) && list.length > 0) return list[0];
  switch (schema.type) {
    case 'object':
      return sampleObject(schema);
    case 'array':
      return isSchema(schema.items) ? [sampleOf(schema.items, name)] : [];
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? schema.minimum : 1;
    case 'boolean':
      return true;
    default:
      return formats[String(schema.format)] ?? name;
  }
}
