// Path, query and body as one flat object: the arguments of tools and of in-process calls, and their JSON Schema. Pure:
// called by mcp.ts, core/mcp and in-process.ts. The pipeline validates the result like any request.
import type { z } from 'zod';
import type { Operation } from '../contract/declaration/operation.ts';
import { type ErrorDetail, isPostriderError } from '../contract/errors/errors.ts';
import { checkSpelling } from '../contract/errors/input-faults.ts';
import { listKnownNames, suggestionFor } from '../contract/errors/suggestion.ts';
import { type CallOrigin, unknownField, withFieldHints } from '../pipeline/unknown-fields.ts';
import { type RawInput, validationFailed } from '../pipeline/validate.ts';
import { jsonSchemaOf, rootSchema, standaloneSchema } from './json-schema.ts';
import type { DefinedSchema, JsonSchema } from './schema-parts.ts';

/** The part of the request that an argument belongs to. */
export interface FlatArgument {
  readonly part: 'params' | 'query' | 'body';
  /** The field's name in that part. */
  readonly field: string;
  /** Whether it is a path parameter that the body's schema also requires as a field. */
  readonly repeated: boolean;
  /** Whether it is a query parameter of type text: a list is joined with commas. */
  readonly joined: boolean;
}

/** An operation's input as one object. */
export interface FlatInput {
  /** `type: object`, without oneOf, anyOf or allOf at its root. Shared: never change it in place. */
  readonly schema: JsonSchema;
  /** The same with references to its definitions. */
  readonly defined: DefinedSchema;
  readonly arguments: ReadonlyMap<string, FlatArgument>;
}

const cache = new WeakMap<Operation, FlatInput>();

interface Fields {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: ReadonlySet<string>;
  readonly definitions: DefinedSchema['definitions'];
}

const noFields: Fields = { properties: {}, required: new Set(), definitions: {} };

function fieldsOf(schema: z.ZodObject | undefined): Fields {
  if (schema === undefined) return noFields;
  const defined = jsonSchemaOf(schema, 'input');
  const { properties, required } = rootSchema(defined) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return { properties: properties ?? {}, required: new Set(required), definitions: defined.definitions };
}

const isTextBoolean = ({ enum: values }: JsonSchema): boolean =>
  Array.isArray(values) && values.length === 2 && values.includes('true') && values.includes('false');

/** The JSON form of a query parameter: a field that parses a boolean from text is a boolean here. openapi.ts uses it, too. */
export function queryParameterSchema(field: z.ZodType, schema: JsonSchema): JsonSchema {
  const output = rootSchema(jsonSchemaOf(field, 'output'));
  const isBoolean = output.type === 'boolean' || isTextBoolean(schema);
  if (schema.type === 'boolean' || !isBoolean) return schema;
  const { description = output.description, examples } = schema;
  return {
    type: 'boolean',
    ...(typeof output.default === 'boolean' ? { default: output.default } : {}),
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined
      ? {}
      : { examples: (examples as unknown[]).map((value) => value === true || value === 'true') }),
  };
}

function build(operation: Operation): FlatInput {
  const { params, query, body } = operation.input;
  const parts = { params: fieldsOf(params), query: fieldsOf(query), body: fieldsOf(body) };
  const properties: [string, JsonSchema][] = [];
  const required: string[] = [];
  const argumentsByName = new Map<string, FlatArgument>();
  const add = (name: string, argument: FlatArgument, schema: JsonSchema) => {
    properties.push([name, schema]);
    if (parts[argument.part].required.has(argument.field)) required.push(name);
    argumentsByName.set(name, argument);
  };
  for (const [field, schema] of Object.entries(parts.params.properties)) {
    const name = operation.rename[field] ?? field;
    add(name, { part: 'params', field, repeated: parts.body.required.has(name), joined: false }, schema);
  }
  for (const [field, schema] of Object.entries(parts.query.properties)) {
    if (argumentsByName.has(field)) continue;
    const declared = query?.shape[field] as z.ZodType;
    const asJson = queryParameterSchema(declared, schema);
    add(field, { part: 'query', field, repeated: false, joined: schema.type === 'string' }, asJson);
  }
  for (const [field, schema] of Object.entries(parts.body.properties)) {
    if (!argumentsByName.has(field)) add(field, { part: 'body', field, repeated: false, joined: false }, schema);
  }
  const defined: DefinedSchema = {
    schema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    },
    definitions: { ...parts.params.definitions, ...parts.query.definitions, ...parts.body.definitions },
  };
  return { schema: standaloneSchema(defined), defined, arguments: argumentsByName };
}

/** The flat input of an operation, made once. A renamed path parameter also fills the body's field of that name. */
export function flatInput(operation: Operation): FlatInput {
  const cached = cache.get(operation);
  if (cached !== undefined) return cached;
  const flat = build(operation);
  cache.set(operation, flat);
  return flat;
}

/** A JSON value as text in a URL. A value without a text form stays as it is, and the schema refuses it. */
function toText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint' ? String(value) : value;
}

function toQueryValue(value: unknown, joined: boolean): unknown {
  if (!Array.isArray(value)) return toText(value);
  const texts = value.map(toText);
  // A list with other values stays a list: the schema of a text refuses it.
  return joined && texts.every((text) => typeof text === 'string') ? texts.join(',') : texts;
}

/**
 * Splits arguments into the three parts of a request. Unknown arguments go to a part whose strict schema refuses them by name.
 * Undefined arguments count as missing. For path and query, null also counts as missing, because they cannot express null.
 */
export function unflatten(operation: Operation, args: Readonly<Record<string, unknown>>): RawInput {
  const flat = flatInput(operation);
  const params: [string, unknown][] = [];
  const query: [string, unknown][] = [];
  const body: [string, unknown][] = [];
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined) continue;
    const argument = flat.arguments.get(name);
    if (argument === undefined) {
      (operation.input.body === undefined ? query : body).push([name, value]);
    } else if (argument.part === 'body') {
      body.push([argument.field, value]);
    } else if (value !== null) {
      if (argument.part === 'query') query.push([argument.field, toQueryValue(value, argument.joined)]);
      else params.push([argument.field, toText(value)]);
      if (argument.repeated) body.push([name, value]);
    }
  }
  // fromEntries defines properties: a name such as __proto__ stays a plain, refused field.
  return {
    params: Object.fromEntries(params),
    query: Object.fromEntries(query),
    body: operation.input.body === undefined ? undefined : Object.fromEntries(body),
  };
}

/** The fault of a renamed path parameter, with its argument name; the fault of an unknown argument, with a similar name. */
function flatFault(detail: ErrorDetail, flat: FlatInput, renamed: ReadonlyMap<string, string>): ErrorDetail {
  if (detail.code === 'unknown_field') {
    const suggestion = detail.path.includes('.') ? undefined : suggestionFor(detail.path, flat.arguments.keys());
    if (suggestion !== undefined) return unknownField(detail.path, `Did you mean ${suggestion}?`);
    if (detail.path.includes('.') || detail.message.endsWith(checkSpelling)) return detail;
    const knownNames = listKnownNames(flat.arguments.keys());
    return knownNames === undefined ? detail : unknownField(detail.path, knownNames);
  }
  const [firstPart = '', ...otherParts] = detail.path.split('.');
  const name = renamed.get(firstPart);
  if (name === undefined) return detail;
  const path = [name, ...otherParts].join('.');
  const subject = `${detail.path} `;
  const message = detail.message.startsWith(subject)
    ? `${path} ${detail.message.slice(subject.length)}`
    : detail.message;
  return { ...detail, path, message };
}

/** A schema's refusal, reworded for a caller who gives all arguments as one object. */
export function flatRefusal(operation: Operation, error: unknown, origin: CallOrigin): unknown {
  if (!isPostriderError(error, 'validation_failed') || error.details === undefined) return error;
  const { query, body } = operation.input;
  const usedNames = new Set([...Object.keys(query?.shape ?? {}), ...Object.keys(body?.shape ?? {})]);
  const renamed = new Map(Object.entries(operation.rename).filter(([field]) => !usedNames.has(field)));
  const flat = flatInput(operation);
  const faults = error.details.map((detail) => flatFault(detail, flat, renamed));
  const details = withFieldHints(operation, faults, origin);
  if (details.every((detail, index) => detail === error.details?.[index])) return error;
  const refusal = validationFailed(details);
  if (isPostriderError(refusal)) refusal.requestId = error.requestId;
  return refusal;
}
