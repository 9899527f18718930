// Makes another valid body of a request: the fixture's body with one field changed. For the check that a repeated key with a
// different request is refused.
import type { z } from 'zod';

type Fields = Readonly<Record<string, z.ZodType>>;
type Body = Readonly<Record<string, unknown>>;

/** The parts of a schema that this file reads. */
interface Parts {
  readonly def?: { readonly innerType?: Parts };
  readonly options?: readonly unknown[];
  readonly minValue?: number | null;
  readonly maxValue?: number | null;
}

/** The schema without its wrappers for optional, nullable or default values. */
const innermost = (schema: Parts): Parts =>
  schema.def?.innerType === undefined ? schema : innermost(schema.def.innerType);

/** Values that many fields accept. */
const commonValues = [
  ...['different', 'different@example.org', 'manual', 'https://example.org/different', '2030-05-06T07:08:09Z'],
  ...['2030-05-06', true, false, null, 7, ['different'], {}],
] as const;

function candidates(schema: z.ZodType, value: unknown): unknown[] {
  const { options = [], minValue, maxValue } = innermost(schema as Parts);
  const texts = options.filter((option) => typeof option === 'string');
  const limits = [minValue, maxValue].filter((limit) => typeof limit === 'number');
  const repeatedText = Array.isArray(value) ? [[...value, ...value]] : [];
  return [...commonValues, ...texts, ...limits, ...repeatedText, undefined];
}

/** A body with one changed field. Undefined if no field accepts another of the known values. */
export function differingBody(fields: Fields, body: Body): Body | undefined {
  for (const [name, schema] of Object.entries(fields)) {
    const before = JSON.stringify(schema.safeParse(body[name]).data);
    for (const value of candidates(schema, body[name])) {
      const { success, data } = schema.safeParse(value);
      if (success && JSON.stringify(data) !== before) return { ...body, [name]: value };
    }
  }
  return undefined;
}
