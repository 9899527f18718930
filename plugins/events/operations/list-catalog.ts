import { defineOperation, listOf, pageOfItems, pageQuery, type ServicePorts, z } from '../../../core/index.ts';

const catalogEvent = z
  .object({
    type: z.string().describe('The name that subscriptions use; custom for every custom event.'),
    description: z.string(),
    source: z.enum(['service', 'custom']),
    exampleDelivery: z
      .record(z.string(), z.unknown())
      .describe('The body of a delivery, as webhooks and subscribers get it.'),
  })
  .meta({ id: 'CatalogEvent' });

type CatalogEvent = z.output<typeof catalogEvent>;

/** A delivery of the event with these data. */
const deliveryOf = (type: string, source: CatalogEvent['source'], workspaceId: string, data: unknown) => ({
  id: 'evt_01JD0C8Z4V6QK3M9T2X5R7W8YB',
  type,
  timestamp: '2026-11-20T15:04:05.000Z',
  workspace_id: workspaceId,
  source,
  data,
});

function eventsOf({ events, customEvents }: ServicePorts, workspaceId: string): CatalogEvent[] {
  const declared = [...events.values()].map(
    ({ type, description, example }): CatalogEvent => ({
      type,
      description,
      source: 'service',
      exampleDelivery: deliveryOf(type, 'service', workspaceId, example),
    }),
  );
  const custom: CatalogEvent = {
    type: 'custom',
    description: 'Any event of your product, under the name that your program gives it.',
    source: 'custom',
    exampleDelivery: deliveryOf('order.placed', 'custom', workspaceId, customEvents?.example ?? {}),
  };
  return [...declared, custom].sort((one, other) => (one.type < other.type ? -1 : 1));
}

export const listCatalog = defineOperation({
  id: 'events.catalog',
  summary: 'List the events that webhooks and subscribers can get',
  description: 'Every event of the composed plugins, and custom events, each with an example of its delivery.',
  http: 'GET /v1/events/catalog',
  scopes: ['contacts:read', 'events:write'],
  idempotency: 'read',
  input: { query: z.object(pageQuery) },
  output: listOf(catalogEvent),
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  exampleRow: 'skipped: the composed plugins declare the events',

  handler: async ({ ports, workspace }, { query }) =>
    pageOfItems('events.catalog', eventsOf(ports, workspace.id), query, ({ type }) => type),
});
