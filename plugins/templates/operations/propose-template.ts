import { coreErrors, defineOperationWithPrepare, type OperationContext, z } from '../../../core/index.ts';
import { contentDiff } from '../../../core/unstable.ts';
import { placeholder } from '../../kit/placeholders.ts';
import { changedMeanwhile } from '../authoring/authoring.ts';
import { type ProposedChanges, proposedChanges, withProposal } from '../authoring/proposed-changes.ts';
import { keyParams, templateProposal } from '../schema.ts';
import { findTemplate } from '../store.ts';
import { proposalRows, type TemplateRow } from '../tables.ts';
import { baseOf, publicContent, publishedContent, settingsOf } from '../versions/content-kind.ts';
import { checkProposed, type FrozenVersion, makeCurrent } from '../versions/make-current.ts';
import { freezeWorkingCopy, readForVersion } from '../versions/next-version.ts';
import { archivedTemplate, editedTemplate, inDraftLayout, subjectLines, testedElsewhere } from './fixture-errors.ts';
import { foreignTemplate, someTemplate } from './fixture-rows.ts';

/** A proposal that compiles. */
interface Proposal {
  /** The template as it was read. */
  readonly row: TemplateRow;
  /** The template with the changes applied to its working copy. */
  readonly proposed: TemplateRow;
  readonly frozen: FrozenVersion;
}

/** Makes the proposal both the working copy and the next version. */
async function applyProposal(ctx: OperationContext, proposal: Proposal): Promise<void> {
  const { row, proposed, frozen } = proposal;
  const { subject, preview_text, body, text_part, variables, locales } = proposed;
  const working = { subject, preview_text, body, text_part, variables, locales, revision: row.revision + 1 };
  await makeCurrent(ctx, row, frozen, { allowBreaking: false, working, decidedOn: baseOf(row) });
  ctx.audit('template.publish', { kind: 'template', id: row.id }, { key: row.key, version: row.version + 1 });
}

const createHint = ' A proposal changes a template that exists; POST /v1/templates makes a new one.';

export const proposeTemplate = defineOperationWithPrepare({
  id: 'templates.propose',
  summary: 'Propose a change of a template',
  description:
    'Proposes a change of an existing template. The working copy is not changed. A contract that would refuse the variables that callers send today is refused. Members decide on the proposal; the approved one becomes the working copy and the next version in one step, unless either has changed since.',
  http: 'POST /v1/templates/{key}/proposals',
  tool: 'propose_template_change',
  scopes: ['templates:propose', 'templates:write'],
  liveOnly: true,
  idempotency: 'replay',
  input: {
    params: keyParams,
    body: z.object({
      ...proposedChanges,
      note: z.string().trim().max(2_000).optional().describe('For the members who decide.'),
    }),
  },
  output: templateProposal,
  status: 201,
  proposes: 'email_template',
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
  emits: ['approval.requested', 'approval.decided', 'schema_contract.changed'],
  audit: { action: 'template.propose', target: ({ templateKey }) => ({ kind: 'template', id: templateKey }) },
  fixture: async (kit) => ({
    params: { key: await someTemplate(kit) },
    body: { subject: 'Welcome {{name}}' },
    foreign: { key: await foreignTemplate(kit) },
    errors: {
      template_archived: async () => ({ params: { key: await archivedTemplate(kit) } }),
      template_invalid: async () => ({ body: { body: '<mjml>{{ name | nonsense }}</mjml>' } }),
      contract_breaking: async () => ({
        params: { key: await editedTemplate(kit, ['wide']) },
        body: { subject: subjectLines.narrow },
      }),
      layout_not_published: async () => ({ params: { key: await inDraftLayout(kit) } }),
      placeholders_left: async () => ({ body: { subject: placeholder('The subject of the mail') } }),
      layout_not_found: testedElsewhere.archived_layout,
      compiler_missing: testedElsewhere.compiler_missing,
      compiler_busy: testedElsewhere.compiler_busy,
      state_conflict: testedElsewhere.changed_meanwhile,
      limit_reached: testedElsewhere.held,
    },
  }),

  async prepare(ctx, { params: { key }, body: { note: _, ...changes } }): Promise<Proposal> {
    if (Object.values(changes).every((change) => change === undefined))
      throw coreErrors.validation_failed({ summary: 'Propose at least one change: subject, body, locales ….' });
    const read = await readForVersion(ctx, key, createHint);
    const proposed = withProposal(read.row, changes);
    return { row: read.row, proposed, frozen: await freezeWorkingCopy(ctx, proposed, read) };
  },

  async handler(ctx, { params: { key }, body: { note, ...changes } }, proposal) {
    const row = await findTemplate(ctx.trx, key);
    if (row?.revision !== proposal.row.revision || row.version !== proposal.row.version || row.status === 'archived')
      throw changedMeanwhile(key);
    const publishedContentBefore = await publishedContent(ctx.trx, row);
    const content = { ...publicContent(proposal.frozen), ...settingsOf(row) };
    const answer = { templateKey: key, baseVersion: row.version, status: 'pending' as const };
    const diff = contentDiff({ name: key, content, before: publishedContentBefore });
    if (ctx.approvedRequest !== undefined) {
      await applyProposal(ctx, proposal);
      return { ...answer, requestId: ctx.approvedRequest, diff };
    }
    await checkProposed(ctx, row, proposal.frozen);
    const base = baseOf(row);
    const approval = await ctx.requireDecision(row.id, {
      summary: `Change to template ${key}`,
      content: () => ({
        name: key,
        content: { ...content, ...base },
        before: publishedContentBefore === null ? null : { ...publishedContentBefore, ...base },
      }),
    });
    if (approval === undefined) await storeProposal(ctx, row, changes, note);
    return { ...answer, requestId: approval?.requestId ?? null, diff };
  },
});

/** Stores the proposal. Without the approvals plugin, nobody can decide on it, so it is stored but never applied. */
async function storeProposal(
  { trx, newId, now }: OperationContext,
  { id, version }: TemplateRow,
  changes: ProposedChanges,
  note = '',
): Promise<void> {
  await proposalRows.insert(trx, {
    id: newId('tpp'),
    template_id: id,
    base_version: version,
    changes,
    note: note === '' ? null : note,
    created_at: now,
  });
}
