import { defineOperation } from '../../../core/index.ts';
import { defaults } from '../documents.ts';
import { defaultsResource } from '../schema.ts';
import { readDocument } from '../store.ts';

export const readDefaults = defineOperation({
  id: 'marketing.defaults_read',
  summary: 'Read the creation defaults',
  description: 'What a new campaign starts from.',
  http: 'GET /v1/marketing/creation-defaults',
  tool: 'read_creation_defaults',
  scopes: ['marketing:read'],
  idempotency: 'read',
  output: defaultsResource,
  fixture: async () => ({}),

  async handler(ctx) {
    const { content, updatedAt } = await readDocument(ctx.trx, defaults);
    return { ...content, updatedAt };
  },
});
