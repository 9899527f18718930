// Builds the contracts of event variables from fields.

/** A variable of a contract: its JSON Schema, and `optional`, which is not part of the JSON Schema. */
export type VariableField = Readonly<Record<string, unknown>> & { readonly optional?: boolean };

export const text = (description: string, maxLength = 60): VariableField => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description,
});

export const points = (description: string): VariableField => ({
  type: 'array',
  maxItems: 5,
  items: { type: 'string', minLength: 1, maxLength: 120 },
  description,
  optional: true,
});

export const maybe = (field: VariableField): VariableField => ({ ...field, optional: true });

/** The JSON Schema of the variables of an event. */
export interface VariablesContract {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}

/** Builds the contract from fields, with example variables. */
export function contractOf(
  fields: Readonly<Record<string, VariableField>>,
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
