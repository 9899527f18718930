import { defineOperation } from '../../../core/index.ts';
import { defaults } from '../documents.ts';
import { type Defaults, defaultsPatch, defaultsResource } from '../schema.ts';
import { patchDocument } from '../store.ts';

export const setDefaults = defineOperation({
  id: 'marketing.defaults_set',
  summary: 'Change the creation defaults',
  description: 'A merge patch: what is left out stays, null clears a field.',
  http: 'PATCH /v1/marketing/creation-defaults',
  tool: { name: 'set_creation_defaults', destructive: true },
  scopes: ['marketing:write'],
  idempotency: 'replay',
  input: { body: defaultsPatch },
  output: defaultsResource,
  liveOnly: true,
  errors: ['brand_not_found', 'list_not_found', 'from_not_allowed'],
  audit: { action: 'marketing.defaults.update', target: () => ({ kind: 'creation_defaults', id: 'defaults' }) },
  fixture: async (kit) => ({
    body: { tone: 'Friendly', language: 'de-AT', utm: { source: 'newsletter' } },
    foreign: {
      body: {
        listId: (await kit.call('lists.create', { name: kit.unique('News') }, kit.foreignWorkspaceId)).listId,
        brandId: (await kit.call('brand.create', { name: kit.unique('Brand') }, kit.foreignWorkspaceId)).id,
      },
    },
    errors: {
      brand_not_found: async () => ({ body: { brandId: 'brd_00000000000000000000000000' } }),
      from_not_allowed: async () => ({ body: { from: { email: 'hello@elsewhere.example' } } }),
    },
  }),

  async handler(ctx, { body }) {
    const { brands, lists, systemMail } = ctx.services;
    const content = async ({ brandId, listId, from }: Defaults) => {
      if (body.brandId && brandId !== null && (await brands.style(ctx.trx, brandId)) === undefined)
        throw brands.notFound(brandId);
      if (body.listId && listId !== null && (await lists.find(ctx.trx, listId, 'share')) === undefined)
        throw lists.notFound(listId);
      if (body.from && from !== null) systemMail.checkSender(ctx.workspace, from);
    };
    const { content: shown, updatedAt } = await patchDocument(ctx, defaults, body, { content });
    return { ...shown, updatedAt };
  },
});
