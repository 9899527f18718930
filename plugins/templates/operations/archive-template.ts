import { collectReferences, defineOperation } from '../../../core/index.ts';
import { changedMeanwhile } from '../authoring/authoring.ts';
import { templateNotFound } from '../authoring/template-not-found.ts';
import { errors } from '../errors.ts';
import { presentTemplate } from '../present.ts';
import { keyParams, templateResource } from '../schema.ts';
import { findTemplate, listTemplatesUsingLayout, lockTemplate, updateTemplate } from '../store.ts';
import { notifyTemplateChanged } from '../versions/template-changes.ts';
import { someLayout, testedElsewhere } from './fixture-errors.ts';
import { foreignTemplate, someTemplate } from './fixture-rows.ts';

/** The maximum number of templates that a refusal lists. */
const maxNamed = 20;

export const archiveTemplate = defineOperation({
  id: 'templates.archive',
  summary: 'Archive a template',
  description:
    'An archived template can no longer be sent or changed; accepted sends are still delivered. Its key cannot be used again. A layout that templates use, and a template that a published sequence sends, cannot be archived.',
  http: 'DELETE /v1/templates/{key}',
  tool: { name: 'archive_template', destructive: true },
  scopes: ['templates:write'],
  liveOnly: true,
  idempotency: 'natural',
  input: { params: keyParams },
  output: templateResource,
  errors: ['template_not_found', 'layout_in_use', 'template_in_use', 'state_conflict'],
  emits: ['approval.decided'],
  audit: { action: 'template.archive', target: ({ id }) => ({ kind: 'template', id }) },
  fixture: async (kit) => ({
    params: { key: await someTemplate(kit) },
    foreign: { key: await foreignTemplate(kit) },
    errors: {
      layout_in_use: async () => {
        const layout = await someLayout(kit);
        await kit.call('templates.create', { key: kit.unique('user').toLowerCase(), layout });
        return { params: { key: layout } };
      },
      template_in_use: testedElsewhere.sent_by_sequence,
      state_conflict: testedElsewhere.changed_meanwhile,
    },
  }),

  async handler(ctx, { params: { key } }) {
    // Locked before its users are listed: a template that starts to use a layout locks the layout, too, so none can start in between.
    await lockTemplate(ctx.trx, key);
    const row = await findTemplate(ctx.trx, key);
    if (row === undefined) throw await templateNotFound(ctx.trx, key);
    ctx.note({ key });
    if (row.status === 'archived') return presentTemplate(row);
    if (row.kind === 'layout') {
      const users = await listTemplatesUsingLayout(ctx.trx, key, maxNamed + 1);
      const keys = users.slice(0, maxNamed).map((user) => user.key);
      if (keys.length > 0) throw errors.layout_in_use({ key, users: keys, more: users.length > maxNamed });
    }
    const users = await collectReferences(ctx, 'templates.references', key);
    if (users.length > 0) throw errors.template_in_use({ key, users });
    const changes = { status: 'archived' as const, updated_at: ctx.now };
    if (!(await updateTemplate(ctx.trx, row, changes))) throw changedMeanwhile(key);
    await ctx.contentChanged('email_template', [row.id]);
    await notifyTemplateChanged(ctx, key);
    return presentTemplate({ ...row, ...changes });
  },
});
