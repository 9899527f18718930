// The kinds of variables that facts have, as parts of their contracts.

/** A part of a contract. `optional` is not part of the JSON Schema. */
export type Field = Readonly<Record<string, unknown>> & { readonly optional?: boolean };

export const text = (description: string, maxLength = 60): Field => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description,
});

export const points = (description: string): Field => ({
  type: 'array',
  maxItems: 5,
  items: { type: 'string', minLength: 1, maxLength: 120 },
  description,
  optional: true,
});

export const maybe = (field: Field): Field => ({ ...field, optional: true });

/** A JSON Schema of the variables of a fact. */
export interface VariablesContract {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}

/** The contract of some fields, with the variables of an example. */
export function contractOf(
  fields: Readonly<Record<string, Field>>,
  example: Readonly<Record<string, unknown>>,
): VariablesContract {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { optional: _, ...schema }]) => [name, schema])),
    required: entries.flatMap(([name, { optional }]) => (optional ? [] : [name])),
    additionalProperties: false,
    examples: [example],
  };
}
