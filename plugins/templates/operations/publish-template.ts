import { defineOperationWithPrepare, heldResponse, noteForReviewers, respond, z } from '../../../core/index.ts';
import { changedMeanwhile } from '../authoring/authoring.ts';
import { findLayoutVersionRef } from '../authoring/layouts.ts';
import { presentTemplateDetail } from '../present.ts';
import { allowBreaking, keyParams, templateDetail } from '../schema.ts';
import { makeCurrent } from '../versions/make-current.ts';
import { freezeWorkingCopy, readForVersion, templateToChange } from '../versions/next-version.ts';
import {
  archivedTemplate,
  brokenTemplate,
  editedTemplate,
  inDraftLayout,
  testedElsewhere,
  unwrittenTemplate,
} from './fixture-errors.ts';
import { foreignTemplate, someTemplate } from './fixture-rows.ts';

/** Tells an agent that sends now accept the template's key, although a tool list that it has read earlier does not contain it. */
function firstVersionNotice(response: unknown, { dryRun }: { readonly dryRun: boolean }): string | undefined {
  const { key, kind, version } = response as Partial<z.output<typeof templateDetail>>;
  if (kind !== 'email' || version !== 1) return undefined;
  if (dryRun)
    return `Nothing was published: the tools that send templates accept ${key} only after a call without dry run.`;
  return `Published. The tools that send templates accept ${key} from now on, even if a list of tools that you read earlier does not name it; reading the list again shows it with its variables.`;
}

export const publishTemplate = defineOperationWithPrepare({
  id: 'templates.publish',
  summary: 'Publish a template',
  description:
    'Compiles the working copy, in its layout and in all its languages, and freezes it as the next version, which live keys send from then on. A contract that would refuse the variables that callers send today needs allowBreaking. A published layout reaches the templates in usedBy when they are published again.',
  http: 'POST /v1/templates/{key}/publish',
  tool: { name: 'publish_template', notice: firstVersionNotice },
  scopes: ['templates:write'],
  instead: {
    'templates.propose': 'propose the change',
    'approvals.submit': 'ask for an approval, so that another key may publish it',
  },
  liveOnly: true,
  idempotency: 'replay',
  input: { params: keyParams, body: z.object({ allowBreaking, note: noteForReviewers }) },
  output: templateDetail,
  secondSuccess: heldResponse(templateDetail),
  contentKind: 'email_template',
  errors: [
    'template_not_found',
    'template_archived',
    'template_invalid',
    'compiler_missing',
    'compiler_busy',
    'layout_not_found',
    'layout_not_published',
    'contract_breaking',
    'placeholders_left',
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
      placeholders_left: async () => ({ params: { key: await unwrittenTemplate(kit) } }),
      layout_not_found: testedElsewhere.archived_layout,
      compiler_missing: testedElsewhere.compiler_missing,
      compiler_busy: testedElsewhere.compiler_busy,
      state_conflict: testedElsewhere.changed_meanwhile,
      limit_reached: testedElsewhere.held,
    },
  }),

  async prepare(ctx, { params }) {
    const read = await readForVersion(ctx, params.key);
    return { ...read, frozen: await freezeWorkingCopy(ctx, read.row, read) };
  },

  async handler(ctx, { params, body }, { row: { revision }, layout, frozen }) {
    const row = await templateToChange(ctx.trx, params.key);
    if (row.revision !== revision) throw changedMeanwhile(params.key);
    // The template was compiled with this version of the layout. If the layout was published meanwhile, the caller must
    // retry.
    const current = await findLayoutVersionRef(ctx.trx, row.layout);
    if (current?.version !== layout?.version) throw changedMeanwhile(current?.key ?? params.key);
    const published = await makeCurrent(ctx, row, frozen, body);
    const response = await presentTemplateDetail(ctx, published.row);
    return published.approval === undefined ? response : respond(202, { ...response, approval: published.approval });
  },
});
