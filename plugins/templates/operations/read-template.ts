import { defineOperation, z } from '../../../core/index.ts';
import { templateNotFound } from '../authoring/template-not-found.ts';
import { errors } from '../errors.ts';
import { presentTemplateDetail, presentVersionContent } from '../present.ts';
import { keyParams, templateDetail } from '../schema.ts';
import { findTemplate, findTemplateById, findVersion } from '../store.ts';
import { foreignTemplate, someTemplate } from './fixture-rows.ts';

export const readTemplate = defineOperation({
  id: 'templates.read',
  summary: 'Read a template',
  description:
    'The working copy with its body, subject and variables, or those of a published version. The key may also be the id (`tpl_…`), as requests for approval name it.',
  http: 'GET /v1/templates/{key}',
  tool: 'read_template',
  scopes: ['templates:read'],
  idempotency: 'read',
  input: {
    params: keyParams,
    query: z.object({
      version: z.coerce
        .number()
        .int()
        .min(1)
        .optional()
        .describe('Shows the content and variables of this published version. (Default: the working copy)'),
    }),
  },
  output: templateDetail,
  errors: ['template_not_found', 'template_version_not_found'],
  fixture: async (kit) => ({
    params: { key: await someTemplate(kit) },
    foreign: { key: await foreignTemplate(kit) },
    errors: { template_version_not_found: async () => ({ query: { version: '7' } }) },
  }),

  async handler(ctx, { params: { key }, query: { version } }) {
    const row = (await findTemplate(ctx.trx, key)) ?? (await findTemplateById(ctx.trx, key));
    if (row === undefined) throw await templateNotFound(ctx.trx, key);
    const template = await presentTemplateDetail(ctx, row);
    if (version === undefined) return template;
    const frozen = await findVersion(ctx.trx, row.id, version);
    if (frozen === undefined) throw errors.template_version_not_found({ key, version });
    return { ...template, ...presentVersionContent(frozen) };
  },
});
