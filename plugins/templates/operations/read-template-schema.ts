import { defineOperation } from '../../../core/index.ts';
import { templateNotFound } from '../authoring/template-not-found.ts';
import { presentContract } from '../present.ts';
import { keyParams, templateContract } from '../schema.ts';
import { findTemplate } from '../store.ts';
import { foreignTemplate, somePublishedTemplate } from './fixture-rows.ts';

export const readTemplateSchema = defineOperation({
  id: 'templates.schema',
  summary: "Read a template's contract",
  description: 'The contract of the variables: of the published version or, if there is none, of the draft.',
  http: 'GET /v1/templates/{key}/schema',
  tool: { name: 'read_template_schema', inCoreToolset: true },
  searchWords: ['variables', 'placeholders', 'needs'],
  scopes: ['templates:read'],
  idempotency: 'read',
  input: { params: keyParams },
  output: templateContract,
  errors: ['template_not_found'],
  fixture: async (kit) => ({
    params: { key: await somePublishedTemplate(kit) },
    foreign: { key: await foreignTemplate(kit) },
  }),

  async handler(ctx, { params }) {
    const row = await findTemplate(ctx.trx, params.key);
    if (row === undefined) throw await templateNotFound(ctx.trx, params.key);
    return presentContract(ctx.trx, row);
  },
});
