// The OpenAPI 3.1 document, from the declarations alone: operations, errors, events. Deterministic: the same plugins
// give the same bytes, in any order of composition. Called by service.openapi() and GET /v1/openapi.json.
import type { ServiceInfo } from '../contract/context/context.ts';
import type { OperationExample } from '../contract/declaration/example.ts';
import type { Operation } from '../contract/declaration/operation.ts';
import { timelineItemName, timelineItemOf } from '../contract/declaration/timeline.ts';
import type { Registry } from '../pipeline/core.ts';
import { describedEvents } from './event-schema.ts';
import { catalogueOf } from './openapi-catalogue.ts';
import { createSchemaComponents } from './openapi-components.ts';
import { createErrorResponses, errorSchema } from './openapi-errors.ts';
import { areaOf, operationObject } from './openapi-operation.ts';
import { headers, parameters, securitySchemes } from './openapi-shared.ts';
import { systemPaths, systemTags } from './openapi-system.ts';
import { deliveryParameters, webhooksOf } from './openapi-webhooks.ts';
import { release } from './release.ts';
import type { JsonSchema } from './schema-parts.ts';

/** The service's own data in the document. */
export interface OpenapiInfo extends Pick<ServiceInfo, 'name' | 'publicUrl'> {
  /** Whether the document is served without a key. (Default: false) */
  readonly publicOpenapi?: boolean;
}

const methodOrder = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Operations by path, then method, independent of the order of plugins. */
function sortedOperations(registry: Registry): Operation[] {
  return [...registry.operations.values()].sort((a, b) =>
    a.path === b.path ? methodOrder.indexOf(a.method) - methodOrder.indexOf(b.method) : a.path < b.path ? -1 : 1,
  );
}

/** The composed examples. If two plugins have an example for an operation, the example of the operation's own plugin is used. */
function examplesOf(registry: Registry): Map<string, OperationExample> {
  const examplesById = new Map<string, OperationExample>();
  const plugins = [...registry.plugins].sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const { examples, operations } of plugins) {
    const ownIds = new Set(operations.map(({ id }) => id));
    for (const [id, example] of Object.entries(examples?.() ?? {}))
      if (ownIds.has(id) || !examplesById.has(id)) examplesById.set(id, example);
  }
  return examplesById;
}

function tagsOf(operations: readonly Operation[]): JsonSchema[] {
  const areas = [...new Set(operations.map(areaOf))].sort();
  const tags: JsonSchema[] = areas.map((name) => ({
    name,
    description: operations
      .filter((operation) => areaOf(operation) === name)
      .map(({ summary }) => summary)
      .join(' · '),
  }));
  tags.push(...systemTags);
  // If an area of operations has this name already, its tag serves the events too.
  if (!areas.includes('webhooks'))
    tags.push({ name: 'webhooks', description: 'The requests that the service posts to subscribed URLs.' });
  return tags;
}

/** The document of the composed operations and events. */
export function openapiDocument(registry: Registry, info: OpenapiInfo): Record<string, unknown> {
  const components = createSchemaComponents(new Map([[timelineItemName, timelineItemOf(registry.timeline)]]));
  const errors = createErrorResponses(registry);
  const operations = sortedOperations(registry);
  const examples = examplesOf(registry);
  const paths: Record<string, JsonSchema> = {};
  for (const operation of operations) {
    const item = paths[operation.path] ?? {};
    paths[operation.path] = item;
    item[operation.method.toLowerCase()] = operationObject(operation, { components, errors, examples });
  }
  Object.assign(paths, systemPaths(info, errors));
  const webhooks = webhooksOf(describedEvents(registry, components), info.name);
  const settledDocument = components.settle({ paths, webhooks });
  const { paths: finalPaths, webhooks: finalWebhooks } = settledDocument.document as {
    paths: JsonSchema;
    webhooks: JsonSchema;
  };
  return {
    openapi: '3.1.0',
    info: {
      title: `${info.name} API`,
      version: release,
      description: `The REST API of ${info.name}. Every operation is a tool of the endpoint POST /v1/mcp as well.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: info.publicUrl ?? '/', description: 'Where the program mounts the service.' }],
    security: [{ apiKey: [] }],
    tags: tagsOf(operations),
    ...catalogueOf(registry),
    paths: finalPaths,
    webhooks: finalWebhooks,
    components: {
      securitySchemes: securitySchemes(info.name),
      parameters: { ...parameters(operations), ...deliveryParameters(info.name) },
      headers: headers(operations),
      responses: errors.responses(),
      schemas: { Error: errorSchema, ...settledDocument.schemas },
    },
  };
}
