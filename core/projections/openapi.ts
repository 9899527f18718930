// The OpenAPI 3.1 document, out of the declarations alone: operations, errors, events. Deterministic: the same plugins
// give the same bytes, in whatever order they are composed. Called by service.openapi() and GET /v1/openapi.json.
import type { z } from 'zod';
import type { ServiceFacts } from '../contract/context.ts';
import type { Operation } from '../contract/operation.ts';
import type { Registry } from '../pipeline/core.ts';
import { queryParameterSchema } from './flat.ts';
import type { JsonSchema } from './json-schema.ts';
import { jsonSchemaOf, rootSchema } from './json-schema.ts';
import type { SchemaComponents } from './openapi-components.ts';
import { createSchemaComponents } from './openapi-components.ts';
import { createErrorResponses, errorSchema } from './openapi-errors.ts';
import { headers, securitySchemes, sharedParameters } from './openapi-shared.ts';
import { webhooksOf } from './openapi-webhooks.ts';
import { release } from './release.ts';

/** What the document says of the service itself. */
export type OpenapiFacts = Pick<ServiceFacts, 'name' | 'publicUrl'>;

interface Parts {
  readonly registry: Registry;
  readonly components: SchemaComponents;
  readonly errors: ReturnType<typeof createErrorResponses>;
}

const areaOf = ({ id }: Operation): string => id.split('.', 1)[0] ?? id;
const headerRef = (name: string): JsonSchema => ({ $ref: `#/components/headers/${name}` });
const parameterRef = (name: string): JsonSchema => ({ $ref: `#/components/parameters/${name}` });
const sentence = (text: string): string => text.replace(/[.:]?$/, '.');

function parametersIn(
  place: 'path' | 'query',
  schema: z.ZodObject | undefined,
  components: SchemaComponents,
): JsonSchema[] {
  if (schema === undefined) return [];
  const defined = jsonSchemaOf(schema, 'input');
  const { properties = {}, required = [] } = rootSchema(defined) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => {
    const asJson = place === 'query' ? queryParameterSchema(schema.shape[name] as z.ZodType, property) : property;
    const { description, ...rest } = components.parameter({ schema: asJson, definitions: defined.definitions });
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

function successOf(operation: Operation, { components }: Parts): JsonSchema {
  const mutating = operation.idempotency !== 'read';
  const names = [
    'X-Request-Id',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'X-RateLimit-Scope',
    ...(operation.idempotency === 'replay' ? ['Idempotent-Replay'] : []),
    ...(mutating ? ['Dry-Run', 'Dry-Run-Credits', 'Dry-Run-Events', 'Dry-Run-Jobs'] : []),
    ...(operation.deprecated === undefined ? [] : ['Deprecation', 'Sunset', 'Link']),
  ];
  return {
    description: sentence(operation.summary),
    headers: Object.fromEntries(names.map((name) => [name, headerRef(name)])),
    content: { 'application/json': { schema: components.use(operation.output, 'output') } },
  };
}

function describe(operation: Operation): string {
  const { summary, description, scopes, anyKey, deprecated, tool } = operation;
  const parts = [sentence(description ?? summary)];
  parts.push(
    anyKey ? 'Any valid key will do.' : `Needs the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`,
  );
  if (tool !== undefined) parts.push(`The same as a tool: \`${tool.name}\`.`);
  if (deprecated !== undefined)
    parts.push(`Deprecated since ${deprecated.since}, ends on ${deprecated.sunset}: ${deprecated.link}`);
  return parts.join('\n\n');
}

function requestBodyOf({ input }: Operation, components: SchemaComponents): JsonSchema | undefined {
  if (input.body === undefined) return undefined;
  const { required } = rootSchema(jsonSchemaOf(input.body, 'input')) as { required?: readonly string[] };
  const content = { 'application/json': { schema: components.use(input.body, 'input') } };
  return { required: required !== undefined && required.length > 0, content };
}

function operationObject(operation: Operation, parts: Parts): JsonSchema {
  const { input, idempotency, method } = operation;
  const mutating = idempotency !== 'read';
  const parameters = [
    ...parametersIn('path', input.params, parts.components),
    ...parametersIn('query', input.query, parts.components),
    ...(mutating ? [parameterRef('IdempotencyKey'), parameterRef('DryRun')] : []),
  ];
  const requestBody = method === 'GET' ? undefined : requestBodyOf(operation, parts.components);
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: describe(operation),
    tags: [areaOf(operation)],
    ...(operation.deprecated === undefined ? {} : { deprecated: true, 'x-sunset': operation.deprecated.sunset }),
    'x-scopes': [...operation.scopes],
    'x-idempotency': idempotency,
    ...(operation.tool === undefined ? {} : { 'x-tool': operation.tool.name }),
    ...(operation.audit === undefined ? {} : { 'x-audit': operation.audit.action }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: { [String(operation.status)]: successOf(operation, parts), ...parts.errors.use(operation) },
  };
}

const methodOrder = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Operations by path, then method, whatever the order of the plugins. */
function sorted(registry: Registry): Operation[] {
  return [...registry.operations.values()].sort((a, b) =>
    a.path === b.path ? methodOrder.indexOf(a.method) - methodOrder.indexOf(b.method) : a.path < b.path ? -1 : 1,
  );
}

function tagsOf(operations: readonly Operation[], hasEvents: boolean): JsonSchema[] {
  const areas = [...new Set(operations.map(areaOf))].sort();
  const tags: JsonSchema[] = areas.map((name) => ({
    name,
    description: operations
      .filter((operation) => areaOf(operation) === name)
      .map(({ summary }) => summary)
      .join(' · '),
  }));
  return hasEvents
    ? [...tags, { name: 'webhooks', description: 'What the service posts to the addresses that subscribe.' }]
    : tags;
}

/** The document of the composed operations and events. */
export function openapiDocument(registry: Registry, facts: OpenapiFacts): Record<string, unknown> {
  const components = createSchemaComponents();
  const errors = createErrorResponses(registry);
  const operations = sorted(registry);
  const paths: Record<string, JsonSchema> = {};
  for (const operation of operations) {
    const item = paths[operation.path] ?? {};
    paths[operation.path] = item;
    item[operation.method.toLowerCase()] = operationObject(operation, { registry, components, errors });
  }
  const webhooks = webhooksOf(registry, facts.name, components);
  const settled = components.settle({ paths, webhooks });
  const { paths: finalPaths, webhooks: finalWebhooks } = settled.document as {
    paths: JsonSchema;
    webhooks: JsonSchema;
  };
  const mutating = operations.some(({ idempotency }) => idempotency !== 'read');
  return {
    openapi: '3.1.0',
    info: {
      title: `${facts.name} API`,
      version: release,
      description: `The REST API of ${facts.name}. Every operation is a tool of the endpoint POST /v1/mcp as well.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: facts.publicUrl ?? '/', description: 'Where the program mounts the service.' }],
    security: [{ apiKey: [] }],
    tags: tagsOf(operations, registry.events.size > 0),
    paths: finalPaths,
    ...(registry.events.size === 0 ? {} : { webhooks: finalWebhooks }),
    components: {
      securitySchemes: securitySchemes(facts.name),
      ...(mutating ? { parameters: sharedParameters } : {}),
      headers: headers(operations),
      responses: errors.responses(),
      schemas: { Error: errorSchema, ...settled.schemas },
    },
  };
}
