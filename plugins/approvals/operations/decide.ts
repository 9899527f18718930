import { coreErrors, defineOperationWithPrepare, idParameter, type OperationContext, z } from '../../../core/index.ts';
import { contentChanged } from '../call-holder.ts';
import { errors } from '../errors.ts';
import { actingMember, requiredMember } from '../members.ts';
import { approvalsUnder, type Rule, tightenRule } from '../policies.ts';
import { showRequest } from '../present.ts';
import { releaseTarget } from '../release.ts';
import { endRequest } from '../requests.ts';
import { actingAsMemberUid, decisionKind, noteText, requestResource } from '../schema.ts';
import { decisionRows, type RequestRow, requestRows } from '../tables.ts';
import { someRequestId } from './fixture-rows.ts';

const unreachableReason = 'unreachable here: shown in test/plugins/approvals-decisions.test.ts' as const;

/** The rule of the request, tightened by the current policy; undefined if too few reviewers remain. */
async function ruleOf(ctx: OperationContext, row: RequestRow): Promise<Rule | undefined> {
  const policy = await ctx.services.approvals.policies.read(ctx.trx, row.surface_kind);
  return tightenRule({ minApprovals: row.min_approvals, reviewers: row.reviewers }, policy);
}

/** The member that is recorded for a decision with a sandbox key that is not bound to a member. */
const sandboxMember = 'sandbox';

/**
 * The member who decides. In the sandbox anyone may decide, including the requester, and one decision is enough,
 * because nothing reaches real people and campaigns must be testable without reviewers.
 */
const decidingMember = ({ actor, sandbox }: OperationContext, input: string | undefined): string =>
  sandbox ? (actingMember(actor, input) ?? sandboxMember) : requiredMember(actor, input);

/** @throws self_approval, state_conflict */
function checkDecidable(ctx: OperationContext, row: RequestRow, uid: string): void {
  const isOwn = row.barred.includes(uid) || (row.key_id !== null && row.key_id === ctx.actor.keyId);
  if (isOwn && !ctx.sandbox) throw errors.self_approval();
  if (row.status !== 'pending')
    throw coreErrors.state_conflict({
      reason: `The request is ${row.status} already. Only pending requests can be decided.`,
    });
  if (row.expires_at <= ctx.now)
    throw coreErrors.state_conflict({ reason: 'The request has expired. Submit it again.' });
}

/**
 * Ends a request on which no member may decide any more, because the program fixed a stricter policy after the request was made.
 */
async function withdrawUndecidable(ctx: OperationContext, row: RequestRow) {
  ctx.note({ withdrawn: 'policy_changed' });
  const ended = await endRequest(ctx, row, 'withdrawn', 'policy_changed');
  await releaseTarget(ctx, ended);
  return showRequest(ctx.trx, ended);
}

export const decide = defineOperationWithPrepare({
  id: 'approvals.decide',
  summary: 'Decide on a request for approval',
  description:
    'Approves the content with this contentHash; asks for changes; or rejects. The last approval that the rule needs makes the change public. On the sandbox side, where nothing becomes public, the requester may decide too, and one approval is enough.',
  http: 'POST /v1/approvals/pending/{requestId}/decide',
  tool: { name: 'decide_approval', destructive: true },
  scopes: ['approvals:write'],
  idempotency: 'replay',
  input: {
    params: z.object({ requestId: idParameter('apr') }),
    body: z.object({
      decision: decisionKind,
      contentHash: z
        .string()
        .max(200)
        .optional()
        .describe('Required to approve: the contentHash of the request that you read.'),
      comment: noteText.optional().describe('For the requester. Required to ask for changes.'),
      actingAsMemberUid,
    }),
  },
  output: requestResource,
  errors: [
    'approval_not_found',
    'member_not_allowed',
    'self_approval',
    'not_reviewer',
    'content_changed',
    'state_conflict',
  ],
  emits: ['approval.decided'],
  audit: { action: 'approval.decide', target: ({ requestId }) => ({ kind: 'approval', id: requestId }) },
  fixture: async (kit) => ({
    params: { requestId: await someRequestId(kit, kit.workspaceId) },
    body: { decision: 'reject' },
    foreign: { requestId: await someRequestId(kit, kit.foreignWorkspaceId) },
    errors: {
      member_not_allowed: async () => ({ body: { decision: 'reject', actingAsMemberUid: 'u_nobody' } }),
      self_approval: unreachableReason,
      not_reviewer: unreachableReason,
      content_changed: unreachableReason,
      state_conflict: unreachableReason,
    },
  }),

  prepare: (ctx) => ctx.ports.members.list(ctx.workspace.id),

  async handler(ctx, { params: { requestId: id }, body }, members) {
    const { decision, contentHash, comment = '' } = body;
    const row = await requestRows.lock(ctx.trx, id);
    if (row === undefined) throw errors.approval_not_found({ id });
    // Checked first, so that a key that can never decide is not asked for a hash.
    const uid = decidingMember(ctx, body.actingAsMemberUid);
    const missingField = (path: string, message: string) => [{ path, code: 'required', message }];
    ctx.refuse([
      ...(decision === 'approve' && contentHash === undefined
        ? missingField('contentHash', 'Name the contentHash of the request that you approve.')
        : []),
      ...(decision === 'request_changes' && comment === ''
        ? missingField('comment', 'Describe the changes to make.')
        : []),
    ]);
    if (!ctx.sandbox && !members.some((member) => member.uid === uid)) throw errors.not_reviewer({ uid });
    checkDecidable(ctx, row, uid);
    const rule = await ruleOf(ctx, row);
    if (rule === undefined) return withdrawUndecidable(ctx, row);
    if (!ctx.sandbox && rule.reviewers.length > 0 && !rule.reviewers.includes(uid)) throw errors.not_reviewer({ uid });
    if (decision === 'approve' && contentHash !== row.content_hash) throw contentChanged(row.id);
    const before = await decisionRows.findIn(ctx.trx, 'request_id', [id]);
    if (before.some((earlier) => earlier.uid === uid))
      throw coreErrors.state_conflict({ reason: `The member ${uid} has decided on this request already.` });
    const decisionRow = {
      request_id: id,
      uid,
      decision,
      comment: comment === '' ? null : comment,
      created_at: ctx.now,
    };
    await decisionRows.insert(ctx.trx, decisionRow);
    ctx.note({ uid, decision });
    const isEnough = ctx.sandbox || approvalsUnder(rule, [...before, decisionRow]) >= rule.minApprovals;
    if (decision === 'approve' && !isEnough) return showRequest(ctx.trx, row);
    const status = decision === 'approve' ? 'approved' : decision === 'reject' ? 'rejected' : 'changes_requested';
    const ended = await endRequest(ctx, row, status);
    if (status !== 'approved') await releaseTarget(ctx, ended);
    return showRequest(ctx.trx, ended);
  },
});
