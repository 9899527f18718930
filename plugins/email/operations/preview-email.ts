import { definePreparedOperation, z } from '../../../core/index.ts';
import { templateErrors } from '../errors.ts';
import { previewBody } from '../schema.ts';
import { publishedTemplate } from './fixture-rows.ts';

export const previewEmail = definePreparedOperation({
  id: 'email.preview',
  summary: 'Preview a send',
  description:
    'What a send with this key would come out as: the same version, the same checks of the variables. Nothing is sent, stored or counted.',
  http: 'POST /v1/transactional/preview',
  tool: 'preview_transactional',
  scopes: ['templates:read'],
  idempotency: 'read',
  input: { body: previewBody },
  output: z.object({ html: z.string(), text: z.string(), subject: z.string() }).meta({ id: 'EmailPreview' }),
  errors: [...templateErrors, 'template_invalid', 'compiler_missing'],
  fixture: async (kit) => ({
    body: { template: await publishedTemplate(kit, kit.workspaceId), variables: { name: 'Ada' } },
  }),

  async prepare(ctx, { body: { template: key, variables, locale } }) {
    const { templates } = ctx.services;
    const template = await ctx.read((handle) => templates.resolve(handle, key, { drafts: ctx.sandbox, locale }));
    const { html, text, subject } = await templates.preview(ctx.read, template, variables, ctx.now);
    return { html, text, subject };
  },

  handler: async (_ctx, _input, preview) => preview,
});
