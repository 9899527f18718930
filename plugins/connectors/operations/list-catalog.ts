import { defineOperation, z } from '../../../core/index.ts';
import { providerResource } from '../schema.ts';

export const listCatalog = defineOperation({
  id: 'connectors.catalog',
  summary: 'List the providers of connectors',
  description:
    'The providers that this service can connect, with the schemas of what a connector needs. Connecting one is up to the embedding program.',
  http: 'GET /v1/connectors/catalog',
  tool: 'list_connector_catalog',
  scopes: ['connectors:read'],
  idempotency: 'read',
  input: {},
  output: z.object({ data: z.array(providerResource) }),
  fixture: async () => ({}),
  item: 'none: the program composes the providers',

  handler: async (ctx) => ({ data: [...ctx.services.connectors.providers.catalog] }),
});
