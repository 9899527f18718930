import { definePreparedOperation, heldAnswer, respond, z } from '../../../core/index.ts';
import { changedMeanwhile, compileWorkingCopy } from '../authoring.ts';
import { errors } from '../errors.ts';
import { makeCurrent } from '../freeze.ts';
import { freezeLocales } from '../frozen-locales.ts';
import { findLayoutName, loadLayout } from '../layouts.ts';
import { presentTemplateDetail } from '../present.ts';
import { allowBreaking, keyParams, templateDetail } from '../schema.ts';
import { findTemplate } from '../store.ts';
import { sourceOf } from '../surface.ts';
import { loadTheme } from '../theme.ts';
import { archivedTemplate, brokenTemplate, editedTemplate, inDraftLayout, shownElsewhere } from './fixture-errors.ts';
import { foreignTemplate, someTemplate } from './fixture-rows.ts';

export const publishTemplate = definePreparedOperation({
  id: 'templates.publish',
  summary: 'Publish a template',
  description:
    'Compiles the working copy, in its layout and in all its languages, and freezes it as the next version, which is what live keys send from then on. A contract that would refuse what callers send today needs allowBreaking. A published layout reaches the templates in usedBy when they are published again.',
  http: 'POST /v1/templates/{key}/publish',
  tool: 'publish_template',
  scopes: ['templates:write'],
  liveOnly: true,
  idempotency: 'replay',
  input: { params: keyParams, body: z.object({ allowBreaking }) },
  output: templateDetail,
  alsoSucceeds: heldAnswer(templateDetail),
  surface: 'email_template',
  errors: [
    'template_not_found',
    'template_archived',
    'template_invalid',
    'compiler_missing',
    'compiler_busy',
    'layout_not_found',
    'layout_not_published',
    'contract_breaking',
    'state_conflict',
    'limit_reached',
  ],
  emits: ['schema_contract.changed', 'approval.requested', 'approval.decided'],
  audit: { action: 'template.publish', target: ({ id }) => ({ kind: 'template', id }) },
  fixture: async (kit) => ({
    params: { key: await someTemplate(kit) },
    body: {},
    foreign: { key: await foreignTemplate(kit) },
    errors: {
      template_archived: async () => ({ params: { key: await archivedTemplate(kit) } }),
      template_invalid: async () => ({ params: { key: await brokenTemplate(kit) } }),
      layout_not_published: async () => ({ params: { key: await inDraftLayout(kit) } }),
      contract_breaking: async () => ({ params: { key: await editedTemplate(kit, ['wide'], 'narrow') } }),
      layout_not_found: shownElsewhere.archived_layout,
      compiler_missing: shownElsewhere.compiler_missing,
      compiler_busy: shownElsewhere.compiler_busy,
      state_conflict: shownElsewhere.changed_meanwhile,
      limit_reached: shownElsewhere.held,
    },
  }),

  async prepare(ctx, { params }) {
    const { row, layout, theme } = await ctx.read(async (handle) => {
      const row = await findTemplate(handle, params.key);
      if (row === undefined) throw errors.template_not_found({ key: params.key });
      if (row.status === 'archived') throw errors.template_archived({ key: params.key });
      const theme = await loadTheme(ctx, handle, row.theme_id);
      return { row, layout: await loadLayout(handle, row.layout), theme };
    });
    const compiled = await compileWorkingCopy(ctx, row, layout);
    return { revision: row.revision, layout, compiled, theme };
  },

  async handler(ctx, { params, body }, { revision, layout, compiled, theme }) {
    const row = await findTemplate(ctx.trx, params.key);
    if (row === undefined) throw errors.template_not_found({ key: params.key });
    if (row.status === 'archived') throw errors.template_archived({ key: params.key });
    const [own, ...others] = compiled.contents;
    if (row.revision !== revision || own === undefined) throw changedMeanwhile(params.key);
    // The template was compiled with an earlier version of the layout; if the layout was published meanwhile, compile again.
    const current = await findLayoutName(ctx.trx, row.layout);
    if (current?.version !== layout?.version) throw changedMeanwhile(current?.key ?? params.key);
    const made = await makeCurrent(
      ctx,
      row,
      {
        mode: row.mode,
        source: sourceOf(row),
        subject: own.subject,
        preview_text: own.previewText,
        html: own.html,
        text_part: own.text,
        contract: JSON.stringify(compiled.contract),
        layout: row.layout,
        layout_version: layout?.version ?? null,
        locale: row.locale,
        locales: freezeLocales(others),
        theme: theme === undefined ? null : JSON.stringify(theme),
        theme_id: theme === undefined ? null : row.theme_id,
      },
      body,
    );
    const shown = await presentTemplateDetail(ctx.trx, made.row);
    return made.approval === undefined ? shown : respond(202, { ...shown, approval: made.approval });
  },
});
