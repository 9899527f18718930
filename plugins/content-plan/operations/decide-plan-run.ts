import { coreErrors, defineOperation, type OperationContext, z } from '../../../core/index.ts';
import { applyKind, planGateKind } from '../planning/kinds.ts';
import { editedProposal } from '../runs/edits.ts';
import { presentRun } from '../runs/present.ts';
import { gateName, planEdits, planRun, runParams } from '../runs/schema.ts';
import { currentGate } from '../runs/states.ts';
import { decisionMs, endRun, lockRun, notWaitingError, tooLateError, withGate } from '../runs/store.ts';
import { type GateName, type PlanRunRow, runRows } from '../runs/tables.ts';
import { awaitingRun, plannedRun } from './fixture-rows.ts';

/** The maximum number of revisions of a gate. */
const maxRevisions = 5;
/** The duration of the credit hold for the captions, in milliseconds: enough for all revisions and decisions. */
const holdMs = (maxRevisions + 1) * (decisionMs + 86_400_000);

const body = z.object({
  gate: gateName.describe('The gate that waits.'),
  decision: z
    .enum(['approve', 'revise', 'reject'])
    .describe('revise: plans again, with the comment. reject: ends the run.'),
  comment: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .optional()
    .describe('With revise, required: the changes to make. With approve: a note. With reject: the reason.'),
  edits: planEdits.optional().describe('With approve: changes of entries by their ids. Omitted fields stay.'),
});
type Decision = z.output<typeof body>;

/** Holds the credits of the captions, when the number of slots is known. */
async function holdCaptions(ctx: OperationContext, { captions }: PlanRunRow['gates'], slots: number) {
  const price = captions === null || ctx.sandbox ? 0 : slots * ctx.services.socialRules.prices.compose;
  if (price === 0) return { price, hold_id: null };
  return { price, hold_id: await ctx.hold(price, 'content plan captions', { expiresAt: ctx.now + holdMs }) };
}

async function approve(
  ctx: OperationContext,
  run: PlanRunRow,
  gate: GateName,
  { comment, edits }: Decision,
): Promise<PlanRunRow> {
  const { entries, faults } = editedProposal(run, gate, edits);
  ctx.refuse(faults);
  // If the approval has no comment, the gate keeps the comment of its last revision.
  const commentPart = comment === undefined ? {} : { comment };
  const gates = withGate(run.gates, gate, { status: 'approved', proposal: entries, ...commentPart });
  const next = currentGate({ gates });
  if (next === undefined && !ctx.holds('social:posts:write'))
    throw coreErrors.insufficient_scope({
      scopes: ['social:posts:write'],
      instead: 'leave the last approval to others',
    });
  const credits = gate === 'slots' ? await holdCaptions(ctx, gates, entries.length) : {};
  const row = await runRows.change(ctx.trx, run, {
    ...{ status: next === undefined ? 'applying' : 'planning', gates, ...credits },
    ...{ drafted: [], expires_at: null, updated_at: ctx.now },
  });
  if (next === undefined) ctx.enqueue({ kind: applyKind, payload: { runId: run.id }, key: run.id });
  else ctx.enqueue({ kind: planGateKind, payload: { runId: run.id, gate: next, revision: 0 }, key: run.id });
  return row;
}

async function revise(
  ctx: OperationContext,
  run: PlanRunRow,
  gate: GateName,
  { comment }: Decision,
): Promise<PlanRunRow> {
  if (comment === undefined)
    ctx.refuse([{ path: 'comment', code: 'required', message: 'Describe the changes to make.' }]);
  const revision = (run.gates[gate]?.revisions ?? 0) + 1;
  if (revision > maxRevisions)
    throw coreErrors.state_conflict({
      reason: `The ${gate} have already been planned again ${maxRevisions} times. Approve them with edits, or reject the run.`,
    });
  const change = { status: 'revised', comment: comment ?? null, revisions: revision } as const;
  const row = await runRows.change(ctx.trx, run, {
    ...{ status: 'planning', gates: withGate(run.gates, gate, change) },
    ...{ drafted: [], expires_at: null, updated_at: ctx.now },
  });
  ctx.enqueue({ kind: planGateKind, payload: { runId: run.id, gate, revision }, key: run.id });
  return row;
}

export const decidePlanRun = defineOperation({
  id: 'content_plan.run_decide',
  summary: 'Decide on a proposal of a plan',
  description: `Approves the gate that waits, with edits or without; sends it back with a comment, at most ${maxRevisions} times a gate; or rejects the run. Approving the slots reserves the credits of the captions. The last approval also needs the scope social:posts:write: it creates the placeholder posts or drafts.`,
  http: 'POST /v1/content-plan/runs/{runId}/decide',
  tool: 'decide_plan_run',
  scopes: ['campaigns:write'],
  idempotency: 'replay',
  input: { params: runParams, body },
  output: planRun,
  errors: ['plan_run_not_found', 'state_conflict', 'insufficient_scope', 'credits_exhausted'],
  emits: ['content_plan.run.failed', 'budget.reached'],
  audit: { action: 'content_plan.run.decide', target: ({ runId }) => ({ kind: 'plan_run', id: runId }) },
  fixture: async (kit) => ({
    params: { runId: await awaitingRun(kit, kit.workspaceId) },
    body: { gate: 'themes', decision: 'approve', edits: [{ id: 't1', title: 'The rye course' }] },
    foreign: { runId: await awaitingRun(kit, kit.foreignWorkspaceId) },
    errors: {
      state_conflict: async (own) => ({ params: { runId: await plannedRun(own, own.workspaceId) } }),
      insufficient_scope: 'unreachable here: shown in test/plugins/content-plan-runs.test.ts',
      credits_exhausted: 'unreachable here: shown in test/plugins/content-plan-runs.test.ts',
    },
  }),

  async handler(ctx, { params: { runId }, body: decision }) {
    const run = await lockRun(ctx.trx, runId);
    const { gate, comment, edits } = decision;
    if (run.status !== 'awaiting_decision' || currentGate(run) !== gate) throw notWaitingError(run, gate);
    // If the time for the decision is over, the hourly schedule will expire the run.
    if (decision.decision !== 'reject' && run.expires_at !== null && run.expires_at <= ctx.now) throw tooLateError(run);
    if (edits !== undefined && decision.decision !== 'approve')
      ctx.refuse([{ path: 'edits', code: 'not_allowed', message: 'Edits are allowed only with an approval.' }]);
    if (decision.decision === 'approve') return presentRun(await approve(ctx, run, gate, decision));
    if (decision.decision === 'revise') return presentRun(await revise(ctx, run, gate, decision));
    const reason = comment === undefined ? 'Rejected.' : `Rejected: ${comment}`;
    return presentRun(await endRun(ctx, run, 'rejected', reason));
  },
});
