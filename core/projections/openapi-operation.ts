// One operation as an object of the OpenAPI document: parameters, bodies, answers, and x- fields. Called by openapi.ts.
// Reads declarations and recorded examples only.
import type { z } from 'zod';
import type { OperationExample } from '../contract/declaration/example.ts';
import type { Operation } from '../contract/declaration/operation.ts';
import { callName } from './call-name.ts';
import { queryParameterSchema } from './flat.ts';
import { jsonSchemaOf, rootSchema } from './json-schema.ts';
import { isTool, toolHints } from './mcp.ts';
import type { SchemaComponents } from './openapi-components.ts';
import { codesOf, type ErrorResponses } from './openapi-errors.ts';
import { sentence, successResponses, supportsConditions } from './openapi-successes.ts';
import type { JsonSchema } from './schema-parts.ts';

/** The collections that the operations fill. */
export interface OpenapiParts {
  readonly components: SchemaComponents;
  readonly errors: ErrorResponses;
  readonly examples: ReadonlyMap<string, OperationExample>;
}

/** The first word of an operation's id. */
export const areaOf = ({ id }: Pick<Operation, 'id'>): string => id.split('.', 1)[0] ?? id;

const parameterRef = (name: string): JsonSchema => ({ $ref: `#/components/parameters/${name}` });

const jsonTypes = new Set(['integer', 'number', 'boolean']);

/** Parses the text of a URL according to the parameter's schema. */
function parameterValue(text: string, { type }: JsonSchema): unknown {
  return typeof type === 'string' && jsonTypes.has(type) ? JSON.parse(text) : text;
}

function parametersIn(
  location: 'path' | 'query',
  { input, rename }: Operation,
  { components }: OpenapiParts,
  values: Readonly<Record<string, string>> = {},
): JsonSchema[] {
  const schema = location === 'path' ? input.params : input.query;
  if (schema === undefined) return [];
  const defined = jsonSchemaOf(schema, 'input');
  const { properties = {}, required = [] } = rootSchema(defined) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => {
    const asJson = location === 'query' ? queryParameterSchema(schema.shape[name] as z.ZodType, property) : property;
    const { description, ...rest } = components.parameter({ schema: asJson, definitions: defined.definitions });
    return {
      name,
      in: location,
      required: location === 'path' || required.includes(name),
      ...(description === undefined ? {} : { description }),
      ...(rename[name] === undefined ? {} : { 'x-argument': rename[name] }),
      schema: rest,
      ...(values[name] === undefined ? {} : { example: parameterValue(values[name], asJson) }),
    };
  });
}

function describe(operation: Operation): string {
  const { summary, description, scopes, anyKey, deprecated, tool } = operation;
  const parts = [sentence(description ?? summary)];
  parts.push(
    anyKey ? 'Needs any valid key.' : `Needs the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`,
  );
  if (tool !== undefined) parts.push(`Tool with the same effect: \`${tool.name}\`.`);
  if (deprecated !== undefined)
    parts.push(`Deprecated since ${deprecated.since}, ends on ${deprecated.sunset}: ${deprecated.link}`);
  return parts.join('\n\n');
}

function requestBodyOf(
  { input, accepts }: Operation,
  components: SchemaComponents,
  example: OperationExample | undefined,
): JsonSchema | undefined {
  if (input.body === undefined) return undefined;
  const { required } = rootSchema(jsonSchemaOf(input.body, 'input')) as { required?: readonly string[] };
  const json = {
    schema: components.use(input.body, 'input'),
    ...(example?.body === undefined ? {} : { example: example.body }),
  };
  const content = Object.fromEntries(['application/json', ...accepts].map((type) => [type, json]));
  return { required: required !== undefined && required.length > 0, content };
}

/** The x- fields: properties without an OpenAPI keyword. */
function extensionsOf(operation: Operation, example: OperationExample | undefined): JsonSchema {
  const { id, deprecated, scopes, idempotency, audit, errors, emits, contentKind } = operation;
  const { area, name } = callName(id);
  return {
    ...(deprecated === undefined
      ? {}
      : { deprecated: true, 'x-sunset': deprecated.sunset, 'x-deprecation': { ...deprecated } }),
    'x-scopes': [...scopes],
    'x-idempotency': idempotency,
    ...(isTool(operation) ? { 'x-tool': operation.tool.name, 'x-tool-hints': toolHints(operation) } : {}),
    'x-call': `${area}.${name}`,
    ...(audit === undefined ? {} : { 'x-audit': audit.action }),
    ...(contentKind === undefined ? {} : { 'x-surface': contentKind }),
    ...(errors.length === 0 ? {} : { 'x-errors': [...errors] }),
    ...(example?.credits === undefined ? {} : { 'x-credits': example.credits }),
    ...(emits.length === 0 ? {} : { 'x-events': [...emits] }),
  };
}

/** The object at the operation's path and method. */
export function operationObject(operation: Operation, parts: OpenapiParts): JsonSchema {
  const { idempotency, method } = operation;
  const isChange = idempotency !== 'read';
  const example = parts.examples.get(operation.id);
  const parameters = [
    ...parametersIn('path', operation, parts, example?.params),
    ...parametersIn('query', operation, parts, example?.query),
    ...(isChange ? [parameterRef('IdempotencyKey'), parameterRef('DryRun')] : []),
    ...(operation.ifMatch ? [parameterRef('IfMatch')] : []),
    ...(supportsConditions(operation) ? [parameterRef('IfNoneMatch')] : []),
  ];
  const requestBody = method === 'GET' ? undefined : requestBodyOf(operation, parts.components, example);
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: describe(operation),
    tags: [areaOf(operation)],
    ...extensionsOf(operation, example),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: {
      ...successResponses(operation, parts.components, example),
      ...parts.errors.use(codesOf(operation)),
    },
  };
}
