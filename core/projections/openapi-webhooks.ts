// The webhooks section of the OpenAPI document: one entry an event, with the body and the headers of its deliveries.
// Called by openapi.ts.
import type { EventDeclaration } from '../contract/events.ts';
import type { Registry } from '../pipeline/core.ts';
import type { JsonSchema } from './json-schema.ts';
import type { SchemaComponents } from './openapi-components.ts';

const text = (description: string, extra: JsonSchema = {}): JsonSchema => ({ type: 'string', description, ...extra });

function bodyOf(event: EventDeclaration, components: SchemaComponents): JsonSchema {
  return {
    type: 'object',
    properties: {
      id: text('Names the fact: the same fact is delivered once a subscription.'),
      type: text('The event.', { const: event.type }),
      timestamp: text('When it happened.', { format: 'date-time' }),
      workspace_id: text('Whose it is.'),
      source: text('Who it comes from: the service, or a custom event.', { enum: ['service', 'custom'] }),
      synthetic: { type: 'boolean', description: 'true for what a sandbox key caused.' },
      data: components.use(event.data, 'output'),
    },
    required: ['id', 'type', 'timestamp', 'workspace_id', 'source', 'data'],
  };
}

function headerParameters(name: string): JsonSchema[] {
  const brand = name.replace(/[^A-Za-z0-9]/g, '');
  const header = (suffix: string, description: string): JsonSchema => ({
    name: `X-${brand}-${suffix}`,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  });
  return [
    header('Event', 'The type of the event.'),
    header('Delivery', 'The same at every try.'),
    header('Timestamp', 'Unix seconds of this try.'),
    header(
      'Signature',
      'v1= and the hexadecimal HMAC-SHA256 over t=<timestamp>|<body>; several are separated by commas.',
    ),
  ];
}

function exampleOf({ type, example }: EventDeclaration): JsonSchema {
  return {
    id: 'evt_01JD0C8Z4V6QK3M9T2X5R7W8YB',
    type,
    timestamp: '2026-11-20T15:04:05.000Z',
    workspace_id: 'ws_01JD0C8Z4V6QK3M9T2X5R7W8YB',
    source: 'service',
    data: example,
  };
}

/** The events, in alphabetical order. `name` is the service's: it stands in the header names. */
export function webhooksOf(registry: Registry, name: string, components: SchemaComponents): Record<string, JsonSchema> {
  const events = [...registry.events.values()].sort((a, b) => (a.type < b.type ? -1 : 1));
  return Object.fromEntries(
    events.map((event) => [
      event.type,
      {
        post: {
          operationId: `webhook.${event.type}`,
          summary: event.type,
          description: event.description,
          tags: ['webhooks'],
          security: [],
          parameters: headerParameters(name),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: bodyOf(event, components),
                examples: { delivery: { value: exampleOf(event) } },
              },
            },
          },
          responses: {
            '2XX': { description: 'Delivered. Anything else but 410 is tried again.' },
            '410': { description: 'Ends the subscription.' },
          },
        },
      },
    ]),
  );
}
