import { defineOperationWithPrepare, z } from '../../../core/index.ts';
import { templateErrors } from '../errors.ts';
import { previewBody } from '../schema.ts';
import { templateErrorCases } from './fixture-errors.ts';
import { publishedTemplate } from './fixture-rows.ts';

export const previewEmail = defineOperationWithPrepare({
  id: 'email.preview',
  summary: 'Preview a send',
  description:
    'The mail that a send with this key would produce: the same version, and the same checks of the variables, with tracking and the links that a send adds, which belong to nobody here. Nothing is sent, stored or counted.',
  http: 'POST /v1/transactional/preview',
  tool: 'preview_transactional',
  searchWords: ['look', 'like', 'show'],
  scopes: ['templates:read'],
  idempotency: 'read',
  fieldHints: { key: 'Did you mean template?' },
  input: { body: previewBody },
  output: z.object({ html: z.string(), text: z.string(), subject: z.string() }).meta({ id: 'EmailPreview' }),
  errors: [...templateErrors, 'template_invalid', 'compiler_missing', 'compiler_busy'],
  fixture: async (kit) => {
    const body = { variables: { name: 'Ada' } };
    return {
      body: { template: await publishedTemplate(kit, kit.workspaceId), ...body },
      foreign: { body: { template: await publishedTemplate(kit, kit.foreignWorkspaceId) } },
      errors: {
        ...templateErrorCases(kit, body, (template, changed) => ({ body: { template, ...changed } })),
        template_invalid: 'unreachable here: shown in test/plugins/templates-preview.test.ts',
        compiler_missing: 'unreachable here: shown in test/hosts/cli-dev.test.ts',
        compiler_busy: 'unreachable here: shown in test/plugins/templates-compiler.test.ts',
      },
    };
  },

  async prepare(ctx, { body: { template: key, variables, locale } }) {
    const { templates } = ctx.services;
    const template = await ctx.read((read) => templates.resolve(read, key, { drafts: ctx.sandbox, locale }));
    const preview = await templates.preview(ctx, template, variables, ctx.now);
    const { html, text } = (await ctx.services.mailMarking?.mark(ctx, template, preview)) ?? preview;
    return { html, text, subject: preview.subject };
  },

  handler: async (_ctx, _input, preview) => preview,
});
