import { coreErrors, defineOperationWithPrepare, localeTag, z } from '../../../core/index.ts';
import { variableWarnings, warningsOf } from '../rendering/preview-warnings.ts';
import { keyParams, templatePreview } from '../schema.ts';
import { brokenTemplate, inDraftLayout, testedElsewhere } from './fixture-errors.ts';
import { foreignTemplate, someTemplate } from './fixture-rows.ts';

const refuseExample = (code: string, message: string) =>
  coreErrors.validation_failed({ summary: `example: ${message}` }, { details: [{ path: 'example', code, message }] });

export const renderTemplate = defineOperationWithPrepare({
  id: 'templates.render',
  summary: 'Preview a template',
  description:
    'Renders the working copy, or the published version, without sending anything. Without variables an example of the contract fills it; without an example, generated values. A layout is shown around a sample. Tracking, and the link Email preferences at the end of marketing mail, are added only by a send and not shown. The warning html_clipped counts them. The tool preview_transactional shows them.',
  http: 'POST /v1/templates/{key}/render',
  tool: 'render_template',
  searchWords: ['look', 'like', 'show'],
  scopes: ['templates:read'],
  idempotency: 'read',
  input: {
    params: keyParams,
    body: z.object({
      variables: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('(Default: an example of the contract, or made-up values)'),
      example: z
        .int()
        .min(0)
        .max(1_000)
        .optional()
        .describe('The index of the example, from 0. (Default: 0, if there is one)'),
      locale: localeTag.optional().describe("A recipient's language. The best available language for it is shown."),
      draft: z.boolean().default(true).describe('The working copy; false shows the published version.'),
      html: z.boolean().default(true).describe('false leaves out the HTML, which is long: html is null then.'),
    }),
  },
  output: templatePreview,
  errors: [
    'template_not_found',
    'template_not_published',
    'template_invalid',
    'compiler_missing',
    'compiler_busy',
    'layout_not_found',
    'layout_not_published',
    'variables_invalid',
  ],
  fixture: async (kit) => ({
    params: { key: await someTemplate(kit) },
    body: { variables: { name: 'Ada' } },
    foreign: { key: await foreignTemplate(kit) },
    errors: {
      template_not_published: async () => ({ body: { draft: false } }),
      template_invalid: async () => ({ params: { key: await brokenTemplate(kit) } }),
      layout_not_published: async () => ({ params: { key: await inDraftLayout(kit) } }),
      variables_invalid: async () => ({ body: { variables: {} } }),
      layout_not_found: testedElsewhere.archived_layout,
      compiler_missing: testedElsewhere.compiler_missing,
      compiler_busy: testedElsewhere.compiler_busy,
    },
  }),

  async prepare(ctx, { params, body: { variables, example, locale, draft } }) {
    const { templates } = ctx.services;
    const options = { drafts: draft, workingCopy: draft, locale, viewOnly: true };
    const template = await ctx.read((read) => templates.resolve(read, params.key, options));
    if (variables !== undefined && example !== undefined)
      throw refuseExample('conflict', 'Give variables or an example, not both.');
    const usedVariables =
      example === undefined ? (variables ?? template.previewVariables()) : template.examples()[example];
    if (usedVariables === undefined) throw refuseExample('unknown', 'The contract has no such example.');
    const areExamples = variables === undefined;
    const preview = await templates.preview(ctx, template, usedVariables, ctx.now, { areExamples });
    const mailAsSent = (await ctx.services.mailMarking?.mark(ctx, template, preview)) ?? preview;
    const warnings = [
      ...warningsOf({ ...preview, html: mailAsSent.html }),
      ...variableWarnings(template.previewVariables()),
    ];
    return { ...preview, locale: template.locale, version: template.version, warnings };
  },

  handler: async (_ctx, { body: { html } }, preview) => ({
    ...preview,
    html: html ? preview.html : null,
    bytes: Buffer.byteLength(preview.html),
  }),
});
