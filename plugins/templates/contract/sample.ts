// Variables that fit a template's contract: its examples, or generated values if its author gave none. Pure.

type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Texts by format; other texts are named after their field. */
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

const numberOr = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

function sampleList({ items, minItems, maxItems }: Schema, name: string): unknown[] {
  const count = Math.min(Math.max(1, numberOr(minItems, 0)), numberOr(maxItems, Number.POSITIVE_INFINITY));
  return isSchema(items) ? Array.from({ length: count }, () => sampleOf(items, name)) : [];
}

function sampleNumber({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: Schema): number {
  const min = numberOr(minimum, numberOr(exclusiveMinimum, 0) + 1);
  return Math.min(min, numberOr(maximum, numberOr(exclusiveMaximum, Number.POSITIVE_INFINITY) - 1));
}

const sampleText = ({ minLength, maxLength }: Schema, name: string): string =>
  name.padEnd(numberOr(minLength, 0), '.').slice(0, numberOr(maxLength, name.length + numberOr(minLength, 0)));

/** A value that fits a schema's type, format and enumerated values. */
export function sampleOf(schema: Schema, name = ''): unknown {
  for (const preset of [schema.const, schema.default]) if (preset !== undefined) return preset;
  for (const list of [schema.examples, schema.enum]) if (Array.isArray(list) && list.length > 0) return list[0];
  const [type] = Array.isArray(schema.type) ? schema.type : [schema.type];
  switch (type) {
    case 'object':
      return sampleObject(schema);
    case 'array':
      return sampleList(schema, name);
    case 'integer':
    case 'number':
      return sampleNumber(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return formats[String(schema.format)] ?? sampleText(schema, name);
  }
}

/** The examples that are complete sets of variables. */
export const examplesOf = ({ examples }: { readonly examples?: unknown }): Schema[] =>
  Array.isArray(examples) ? examples.filter(isSchema) : [];

/** The variables that fill a preview: the first example, or a sample. */
export const previewVariablesOf = (contract: object): Schema =>
  examplesOf(contract)[0] ?? sampleObject({ ...contract });
