import { defineOperation, listOf, pageOfItems, pageQuery, z } from '../../../core/index.ts';
import { providerResource } from '../schema.ts';

export const listCatalog = defineOperation({
  id: 'connectors.catalog',
  summary: 'List the providers of connectors',
  description:
    'The providers that this service can connect, with the schemas of their settings and credentials. Only the embedding program can connect a provider.',
  http: 'GET /v1/connectors/catalog',
  tool: 'list_connector_catalog',
  scopes: ['connectors:read'],
  idempotency: 'read',
  input: { query: z.object(pageQuery) },
  output: listOf(providerResource),
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  exampleRow: 'skipped: the program composes the providers',

  async handler({ services }, { query }) {
    const { catalog } = services.connectors.providers;
    return pageOfItems('connectors.catalog', catalog, query, ({ provider }) => provider);
  },
});
