// The webhooks section of the OpenAPI document: one entry for each event, with the body and the headers of its
// deliveries. Called by openapi.ts; event-schema.ts describes an event.
import { type DescribedEvent, deliveryHeaders } from './event-schema.ts';
import type { JsonSchema } from './schema-parts.ts';

/** The headers of deliveries as components, which every entry references. `name` is the service's name. */
export const deliveryParameters = (name: string): Record<string, JsonSchema> =>
  Object.fromEntries(
    deliveryHeaders(name).map(({ id, name: header, schema, example }) => {
      const { description, ...rest } = schema;
      return [id, { name: header, in: 'header', required: true, description, schema: rest, example }];
    }),
  );

function entryOf({ name, description, body, example }: DescribedEvent, parameters: readonly JsonSchema[]): JsonSchema {
  return {
    operationId: `webhook.${name}`,
    summary: name === 'custom' ? 'A custom event' : name,
    description,
    tags: ['webhooks'],
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: body, examples: { delivery: { value: example } } } },
    },
    responses: {
      '2XX': { description: 'Delivered. After any other status except 410, the delivery is retried.' },
      '410': { description: 'Ends the subscription.' },
    },
  };
}

/** The entries in the order of the events. */
export function webhooksOf(events: readonly DescribedEvent[], name: string): Record<string, JsonSchema> {
  const parameters = deliveryHeaders(name).map(({ id }) => ({ $ref: `#/components/parameters/${id}` }));
  return Object.fromEntries(events.map((event) => [event.name, { post: entryOf(event, parameters) }]));
}
