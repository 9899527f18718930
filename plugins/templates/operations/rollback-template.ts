import { defineOperation, heldAnswer, respond, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { makeCurrent } from '../freeze.ts';
import { adoptLayout, authoredSource } from '../layouts.ts';
import { templateToChange } from '../next-version.ts';
import { presentTemplateDetail } from '../present.ts';
import { allowBreaking, keyParams, templateDetail } from '../schema.ts';
import { findVersion } from '../store.ts';
import { existingTheme } from '../theme.ts';
import { archivedTemplate, editedTemplate, shownElsewhere } from './fixture-errors.ts';
import { foreignTemplate, somePublishedTemplate } from './fixture-rows.ts';

export const rollbackTemplate = defineOperation({
  id: 'templates.rollback',
  summary: 'Go back to an earlier version',
  description:
    'Publishes a version again, exactly as it was frozen, as the next version: history only grows. The working copy becomes that of the version; what was unpublished in it is lost. A contract that would refuse what callers send today needs allowBreaking.',
  http: 'POST /v1/templates/{key}/rollback',
  tool: { name: 'rollback_template', destructive: true },
  scopes: ['templates:write'],
  liveOnly: true,
  idempotency: 'replay',
  input: {
    params: keyParams,
    body: z.object({ version: z.int().min(1).describe('The version to go back to.'), allowBreaking }),
  },
  output: templateDetail,
  alsoSucceeds: heldAnswer(templateDetail),
  surface: 'email_template',
  errors: [
    'template_not_found',
    'template_archived',
    'template_version_not_found',
    'layout_not_found',
    'template_invalid',
    'contract_breaking',
    'state_conflict',
    'limit_reached',
  ],
  emits: ['schema_contract.changed', 'approval.requested', 'approval.decided'],
  audit: { action: 'template.rollback', target: ({ id }) => ({ kind: 'template', id }) },
  fixture: async (kit) => ({
    params: { key: await somePublishedTemplate(kit) },
    body: { version: 1 },
    foreign: { key: await foreignTemplate(kit) },
    errors: {
      template_archived: async () => ({ params: { key: await archivedTemplate(kit) } }),
      template_version_not_found: async () => ({ body: { version: 7 } }),
      contract_breaking: async () => ({ params: { key: await editedTemplate(kit, ['narrow', 'wide']) } }),
      template_invalid: 'unreachable here: shown in test/plugins/templates-unsubscribe.test.ts',
      layout_not_found: shownElsewhere.archived_layout,
      state_conflict: shownElsewhere.changed_meanwhile,
      limit_reached: shownElsewhere.held,
    },
  }),

  async handler(ctx, { params: { key }, body: { version, allowBreaking } }) {
    const row = await templateToChange(ctx.trx, key);
    const found = await findVersion(ctx.trx, row.id, version);
    if (found === undefined) throw errors.template_version_not_found({ key, version });
    const { mode, source, subject, preview_text, html, text_part, contract, layout, layout_version } = found;
    const { locale, locales, theme, theme_id } = found;
    // The working copy uses this layout again. With an archived layout it could never be published.
    if (layout !== null) await adoptLayout(ctx.trx, layout);
    const authored = authoredSource(found);
    const working = {
      mode,
      subject: authored.subject,
      preview_text: authored.previewText,
      body: authored.body,
      text_part: authored.text,
      variables: authored.variables,
      layout,
      theme_id: await existingTheme(ctx, theme_id),
      locale,
      locales: authored.locales ?? null,
      revision: row.revision + 1,
    };
    const made = await makeCurrent(
      ctx,
      row,
      {
        mode,
        source,
        subject,
        preview_text,
        html,
        text_part,
        contract,
        layout,
        layout_version,
        locale,
        locales,
        theme,
        theme_id,
      },
      { allowBreaking, working },
    );
    ctx.note({ from: version });
    const shown = await presentTemplateDetail(ctx, made.row);
    return made.approval === undefined ? shown : respond(202, { ...shown, approval: made.approval });
  },
});
