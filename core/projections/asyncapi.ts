// The AsyncAPI 3.0 document of the events: the requests that the service sends to a subscription's URL, from the declarations
// alone. Deterministic like openapi.ts. Called by service.asyncapi() and GET /v1/asyncapi.json; event-schema.ts describes an
// event.
import type { ServiceInfo } from '../contract/context/context.ts';
import type { Registry } from '../pipeline/core.ts';
import { type DescribedEvent, deliveryHeaders, describedEvents } from './event-schema.ts';
import { createSchemaComponents } from './openapi-components.ts';
import { release } from './release.ts';
import type { JsonSchema } from './schema-parts.ts';

const channel = 'subscription';

const titleOf = ({ name }: DescribedEvent): string => (name === 'custom' ? 'A custom event' : name);

/** The common parts of all deliveries. */
function deliveryTrait(name: string): JsonSchema {
  const headers = deliveryHeaders(name);
  return {
    contentType: 'application/json',
    headers: {
      type: 'object',
      properties: Object.fromEntries(headers.map(({ name: header, schema }) => [header, schema])),
      required: headers.map(({ name: header }) => header),
    },
  };
}

function messageOf(event: DescribedEvent, serviceName: string): JsonSchema {
  const { type } = event.example;
  const headers = deliveryHeaders(serviceName).map(({ id, name, example }) => [
    name,
    id === 'DeliveryEvent' ? type : example,
  ]);
  return {
    name: event.name,
    title: titleOf(event),
    summary: event.description,
    payload: event.body,
    traits: [{ $ref: '#/components/messageTraits/delivery' }],
    examples: [{ name: 'delivery', headers: Object.fromEntries(headers), payload: event.example }],
  };
}

const operationOf = (event: DescribedEvent): JsonSchema => ({
  action: 'send',
  channel: { $ref: `#/channels/${channel}` },
  title: titleOf(event),
  summary: event.description,
  tags: [{ name: event.name.split('.', 1)[0] }],
  bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
  messages: [{ $ref: `#/channels/${channel}/messages/${event.name}` }],
});

/** The document of the composed events. */
export function asyncapiDocument(registry: Registry, info: Pick<ServiceInfo, 'name'>): Record<string, unknown> {
  const components = createSchemaComponents();
  const events = describedEvents(registry, components);
  const mapByName = (make: (event: DescribedEvent) => JsonSchema): JsonSchema =>
    Object.fromEntries(events.map((event) => [event.name, make(event)]));
  const { document, schemas } = components.settle({ messages: mapByName((event) => messageOf(event, info.name)) });
  return {
    asyncapi: '3.0.0',
    info: {
      title: `${info.name} events`,
      version: release,
      description: `The events of ${info.name} and the custom events of callers, posted to subscribed URLs. Subscribers in the process are called with the same body.`,
      license: { name: 'MIT' },
      tags: [...new Set(events.map(({ name }) => name.split('.', 1)[0]))].map((name) => ({ name })),
    },
    defaultContentType: 'application/json',
    channels: {
      [channel]: {
        // The address comes from the subscription; it is not part of the service.
        address: null,
        title: 'The URL of a subscription',
        description:
          'Each event that the subscription names is sent there with a POST. A 2xx within 15 s means that it was delivered; 410 ends the subscription; otherwise the delivery is retried: 8 times over 31 hours.',
        messages: mapByName(({ name }) => ({ $ref: `#/components/messages/${name}` })),
      },
    },
    operations: mapByName(operationOf),
    components: {
      schemas,
      messages: document.messages,
      messageTraits: { delivery: deliveryTrait(info.name) },
    },
  };
}
