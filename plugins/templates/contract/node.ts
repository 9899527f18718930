/**
 * The shape of a contract: the subset of JSON Schema 2020-12 that validates a template's variables, as plain JSON.
 * Types only; check.ts checks that a value has this shape.
 */

export type ContractType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';
export type ContractFormat = 'email' | 'uri' | 'date' | 'date-time' | 'uuid';
export type Scalar = string | number | boolean | null;

/** One node of a contract: plain JSON. `additionalProperties` is always explicit if an object is allowed. */
export interface ContractNode {
  type?: ContractType | ContractType[];
  title?: string;
  description?: string;
  properties?: Record<string, ContractNode>;
  required?: string[];
  additionalProperties?: boolean;
  items?: ContractNode;
  minItems?: number;
  maxItems?: number;
  enum?: Scalar[];
  const?: Scalar;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: ContractFormat;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  default?: unknown;
  /** The value is only shown in the mail itself: a code, or a link that grants access. */
  writeOnly?: true;
  examples?: unknown[];
}

/** A whole contract: an object whose properties are the template's variables. */
export interface Contract extends ContractNode {
  type: 'object';
  properties: Record<string, ContractNode>;
  required: string[];
  additionalProperties: boolean;
}
