// The description of a delivered event: the schema of the envelope, the headers of a delivery, complete examples. The OpenAPI
// document (openapi-webhooks.ts) and the AsyncAPI document (asyncapi.ts) use only this description; pipeline/event-envelope.ts
// writes such events.
import type { CustomEventsDeclaration, EventDeclaration } from '../contract/declaration/events.ts';
import type { Registry } from '../pipeline/core.ts';
import { planOfTier } from '../pipeline/plans.ts';
import { headerPrefix, standardHeaders } from '../webhooks/signature.ts';
import type { SchemaComponents } from './openapi-components.ts';
import type { JsonSchema } from './schema-parts.ts';

/** An event as the documents describe it. */
export interface DescribedEvent {
  /** The type; `custom` for all custom events. */
  readonly name: string;
  readonly description: string;
  readonly body: JsonSchema;
  /** The complete body of a delivery. */
  readonly example: JsonSchema;
}

/** One header of a delivery. */
export interface DeliveryHeader {
  /** The header's name in the components of a document. */
  readonly id: string;
  readonly name: string;
  readonly schema: JsonSchema;
  readonly example: string;
}

const text = (description: string, extra: JsonSchema = {}): JsonSchema => ({ type: 'string', description, ...extra });

function envelope(type: JsonSchema, source: 'service' | 'custom', data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      id: text('Identifies the event: a repeated delivery has the same id. Prefix evt_.'),
      type,
      timestamp: text('The time of the event.', { format: 'date-time' }),
      workspace_id: text('The workspace of the event.'),
      source: text(source === 'service' ? 'An event of the service itself.' : 'An event that a caller recorded.', {
        const: source,
      }),
      synthetic: {
        type: 'boolean',
        const: true,
        description: 'Present only on events of the sandbox and in test deliveries.',
      },
      data,
    },
    required: ['id', 'type', 'timestamp', 'workspace_id', 'source', 'data'],
  };
}

const eventId = 'evt_01JD0C8Z4V6QK3M9T2X5R7W8YB';

const example = (type: string, source: 'service' | 'custom', data: unknown): JsonSchema => ({
  id: eventId,
  type,
  timestamp: '2026-11-20T15:04:05.000Z',
  workspace_id: 'ws_01JD0C8Z4V6QK3M9T2X5R7W8YB',
  source,
  data,
});

/** Custom events have names chosen by callers; the plugin that accepts them declares their data. */
const describeCustom = (
  declared: CustomEventsDeclaration | undefined,
  components: SchemaComponents,
): DescribedEvent => ({
  name: 'custom',
  description:
    'An event that a caller recorded, under a name that the caller chose. It reaches subscriptions to exactly that name and to `*`. If the name belongs to a family of the service, it reaches only subscriptions to `*`.',
  body: envelope(
    text('The name that the caller gave.', { minLength: 1, maxLength: 200 }),
    'custom',
    declared === undefined ? { type: 'object' } : components.use(declared.data, 'output'),
  ),
  example: example('order.paid', 'custom', declared?.example ?? {}),
});

/** The description of an event, with the plan that it needs. */
function describe({ description, minimumTier = 0 }: EventDeclaration): string {
  if (minimumTier === 0) return description;
  return `${description} Delivered from the plan ${planOfTier(minimumTier)} (tier ${minimumTier}) up.`;
}

/** The complete body of the event's example. */
export const exampleBody = ({ type, example: data }: EventDeclaration): JsonSchema => example(type, 'service', data);

/** The events in alphabetical order, then one entry for all custom events. */
export function describedEvents(
  { events, customEvents }: Pick<Registry, 'events' | 'customEvents'>,
  components: SchemaComponents,
): DescribedEvent[] {
  const declared = [...events.values()].sort((a, b) => (a.type < b.type ? -1 : 1));
  const described = declared.map((event) => ({
    name: event.type,
    description: describe(event),
    body: envelope(text('The event.', { const: event.type }), 'service', components.use(event.data, 'output')),
    example: exampleBody(event),
  }));
  return [...described, describeCustom(customEvents, components)];
}

/** The headers of a delivery of the service `name`. */
export function deliveryHeaders(name: string): DeliveryHeader[] {
  const prefix = headerPrefix(name);
  const header = (id: string, header: string, description: string, example: string): DeliveryHeader => ({
    id,
    name: header,
    schema: text(description),
    example,
  });
  return [
    header(
      'DeliveryEvent',
      `${prefix}Event`,
      'The type of the event. Characters other than visible ASCII are percent-encoded.',
      'send.delivered',
    ),
    header(
      'DeliveryId',
      `${prefix}Delivery`,
      'The id of the delivery, the same at every attempt.',
      'dlv_01JD0C8Z4V6QK3M9T2X5R7W8YB',
    ),
    header('DeliveryTimestamp', `${prefix}Timestamp`, 'Unix seconds of this attempt.', '1795187045'),
    header(
      'DeliverySignature',
      `${prefix}Signature`,
      'v1= and the hexadecimal HMAC-SHA256 over t=<timestamp>|<body>. Several, separated by commas, for 24 hours after the secret was rotated.',
      'v1=6f1b0c7a2d4e8f905132a4b6c8d0e2f4a6b8cad0e1f2031425364758697a8b9c',
    ),
    header('StandardId', standardHeaders.id, 'The id of the event, the same in every subscription.', eventId),
    header('StandardTimestamp', standardHeaders.timestamp, 'Unix seconds of this attempt.', '1795187045'),
    header(
      'StandardSignature',
      standardHeaders.signature,
      'v1, and the base64 HMAC-SHA256 over <webhook-id>.<webhook-timestamp>.<body> (Standard Webhooks). Several are separated by spaces.',
      'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    ),
  ];
}
