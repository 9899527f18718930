import { defineOperation, heldResponse, respond, z } from '../../../core/index.ts';
import { authoredSource, lockLayout } from '../authoring/layouts.ts';
import { errors } from '../errors.ts';
import { presentTemplateDetail } from '../present.ts';
import { allowBreaking, keyParams, templateDetail } from '../schema.ts';
import { findVersion } from '../store.ts';
import { existingTheme } from '../theme/theme.ts';
import { makeCurrent } from '../versions/make-current.ts';
import { templateToChange } from '../versions/next-version.ts';
import { archivedTemplate, editedTemplate, testedElsewhere } from './fixture-errors.ts';
import { foreignTemplate, somePublishedTemplate } from './fixture-rows.ts';

export const rollbackTemplate = defineOperation({
  id: 'templates.rollback',
  summary: 'Go back to an earlier version',
  description:
    'Publishes a version again, exactly as it was frozen, as the next version: history only grows. The working copy becomes that of the version; its unpublished changes are lost. A contract that would refuse the variables that callers send today needs allowBreaking.',
  http: 'POST /v1/templates/{key}/rollback',
  tool: { name: 'rollback_template', destructive: true },
  searchWords: ['undo', 'last', 'change'],
  scopes: ['templates:write'],
  liveOnly: true,
  idempotency: 'replay',
  input: {
    params: keyParams,
    body: z.object({ version: z.int().min(1).describe('The version to go back to.'), allowBreaking }),
  },
  output: templateDetail,
  secondSuccess: heldResponse(templateDetail),
  contentKind: 'email_template',
  errors: [
    'template_not_found',
    'template_archived',
    'template_version_not_found',
    'layout_not_found',
    'template_invalid',
    'contract_breaking',
    'placeholders_left',
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
      placeholders_left: 'unreachable: no version was published with one',
      layout_not_found: testedElsewhere.archived_layout,
      state_conflict: testedElsewhere.changed_meanwhile,
      limit_reached: testedElsewhere.held,
    },
  }),

  async handler(ctx, { params: { key }, body: { version, allowBreaking } }) {
    const row = await templateToChange(ctx.trx, key);
    const earlierVersion = await findVersion(ctx.trx, row.id, version);
    if (earlierVersion === undefined) throw errors.template_version_not_found({ key, version });
    const { mode, source, subject, preview_text, html, text_part, contract, layout, layout_version } = earlierVersion;
    const { locale, locales, theme, theme_id } = earlierVersion;
    // Refuses a version whose layout was archived, because the restored working copy could never be published.
    if (layout !== null) await lockLayout(ctx.trx, layout);
    const authored = authoredSource(earlierVersion);
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
    const published = await makeCurrent(
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
    const response = await presentTemplateDetail(ctx, published.row);
    return published.approval === undefined ? response : respond(202, { ...response, approval: published.approval });
  },
});
