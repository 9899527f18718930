import { defineOperation, z } from '../../../core/index.ts';
import { draftContract } from '../authoring/contents.ts';
import { createDraft } from '../authoring/create-draft.ts';
import { findLayout } from '../authoring/layouts.ts';
import { presentTemplate } from '../present.ts';
import { variableWarnings } from '../rendering/preview-warnings.ts';
import { templateContent, templateKey, templateResource, templateWarnings } from '../schema.ts';
import { contentErrors } from './fixture-errors.ts';
import { foreignParts, someTemplate } from './fixture-rows.ts';

export const createTemplate = defineOperation({
  id: 'templates.create',
  summary: 'Create a template',
  description:
    'Creates a draft, blank or with its content. It sends live mail once it is published. Without key, one is generated.',
  http: 'POST /v1/templates',
  tool: 'create_template',
  scopes: ['templates:write'],
  idempotency: 'recorded',
  input: { body: z.object({ key: templateKey.optional(), ...templateContent }) },
  output: z.object({
    data: templateResource,
    warnings: templateWarnings.describe(
      'Variables that every send would have to give, although the service knows their values.',
    ),
  }),
  status: 201,
  errors: ['key_taken', 'theme_not_found', 'layout_not_found', 'template_invalid'],
  audit: { action: 'template.create', target: ({ data }) => ({ kind: 'template', id: data.id }) },
  fixture: async (kit) => ({
    body: { key: kit.unique('create').toLowerCase(), subject: 'Hello {{name}}' },
    foreign: { body: await foreignParts(kit) },
    errors: { ...contentErrors, key_taken: async () => ({ body: { key: await someTemplate(kit) } }) },
  }),

  async handler(ctx, { body }) {
    const row = await createDraft(ctx, body);
    const { properties } = draftContract(row, await findLayout(ctx.trx, row.layout));
    return { data: presentTemplate(row), warnings: variableWarnings(properties) };
  },
});
