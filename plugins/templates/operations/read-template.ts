import { defineOperation } from '../../../core/index.ts';
import { templateNotFound } from '../authoring/template-not-found.ts';
import { presentTemplateDetail } from '../present.ts';
import { keyParams, templateDetail } from '../schema.ts';
import { findTemplate, findTemplateById } from '../store.ts';
import { foreignTemplate, someTemplate } from './fixture-rows.ts';

export const readTemplate = defineOperation({
  id: 'templates.read',
  summary: 'Read a template',
  description:
    'The working copy with its body, subject and variables. The key may also be the id (`tpl_…`), as requests for approval name it.',
  http: 'GET /v1/templates/{key}',
  tool: 'read_template',
  scopes: ['templates:read'],
  idempotency: 'read',
  input: { params: keyParams },
  output: templateDetail,
  errors: ['template_not_found'],
  fixture: async (kit) => ({ params: { key: await someTemplate(kit) }, foreign: { key: await foreignTemplate(kit) } }),

  async handler(ctx, { params }) {
    const row = (await findTemplate(ctx.trx, params.key)) ?? (await findTemplateById(ctx.trx, params.key));
    if (row === undefined) throw await templateNotFound(ctx.trx, params.key);
    return presentTemplateDetail(ctx, row);
  },
});
