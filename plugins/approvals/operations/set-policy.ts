import {
  type ContentKindId,
  defineOperationWithPrepare,
  type ErrorDetail,
  type Member,
  type OperationContext,
  z,
} from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { actingMember } from '../members.ts';
import { lacksReviewers, tightenRule } from '../policies.ts';
import { presentPolicy } from '../present-policy.ts';
import { releaseTarget } from '../release.ts';
import { endRequest } from '../requests.ts';
import { contentKindId, type PolicyValues, policyBody, policyResource } from '../schema.ts';
import { policyRows, requestHeadRows, requestRows } from '../tables.ts';

function faultsOf(policy: PolicyValues, members: readonly Member[]): ErrorDetail[] {
  const memberIds = new Set(members.map(({ uid }) => uid));
  const unknownReviewers = policy.reviewers.flatMap((uid, index) =>
    memberIds.has(uid)
      ? []
      : [
          {
            path: `reviewers.${index}`,
            code: 'unknown',
            message: `${uid} is not a member of the workspace: GET /v1/workspace/members lists their uids.`,
          },
        ],
  );
  const tooFewReviewers = {
    path: 'minApprovals',
    code: 'too_large',
    message: 'More approvals than the policy has reviewers.',
  };
  return [
    ...unknownReviewers,
    ...(lacksReviewers(policy) ? [tooFewReviewers] : []),
    ...teamFaults(policy, members.length),
  ];
}

/**
 * Reports a policy that requires more approvals than the workspace has members, if any member may decide. Reports
 * nothing if the service has no members, because the team is then unknown, or if the policy is switched off.
 */
function teamFaults({ required, reviewers, minApprovals }: PolicyValues, members: number): ErrorDetail[] {
  if (!required || reviewers.length > 0 || members === 0 || minApprovals <= members) return [];
  const team = members === 1 ? 'only 1 member' : `only ${members} members`;
  const message = `minApprovals is at most ${members}: the workspace has ${team} who can decide.`;
  return [{ path: 'minApprovals', code: 'too_large', message }];
}

/** Tightens the rules of pending requests to the new policy. Withdraws a request if too few reviewers remain. */
async function tightenPending(ctx: OperationContext, kind: ContentKindId, policy: PolicyValues): Promise<void> {
  for (const side of [false, true]) {
    const handle = ctx.trx.onSide(side);
    for (const { id } of await requestHeadRows.page(handle, {
      where: { status: 'pending', surface_kind: kind },
      limit: 500,
    })) {
      const row = await requestRows.lock(handle, id);
      if (row?.status !== 'pending') continue;
      const rule = tightenRule({ minApprovals: row.min_approvals, reviewers: row.reviewers }, policy);
      if (rule === undefined) await releaseTarget(ctx, await endRequest(ctx, row, 'withdrawn', 'policy_changed'));
      else await requestRows.change(handle, row, { min_approvals: rule.minApprovals, reviewers: rule.reviewers });
    }
  }
}

export const setPolicy = defineOperationWithPrepare({
  id: 'approvals.policy_set',
  summary: 'Set the approval policy of a content kind',
  description:
    'Replaces the whole policy. Pending requests keep their rule, or get the stricter rule of the new policy. Switching a policy off does not release pending requests.',
  http: 'PUT /v1/approvals/policies/{surfaceKind}',
  tool: { name: 'manage_approval_policy', destructive: true },
  scopes: ['approvals:write'],
  liveOnly: true,
  idempotency: 'replay',
  input: { params: z.object({ surfaceKind: contentKindId }), body: policyBody },
  output: policyResource,
  errors: ['policy_fixed'],
  emits: ['approval.decided'],
  audit: { action: 'approval.policy.set', target: ({ surfaceKind: id }) => ({ kind: 'approval_policy', id }) },
  fixture: async () => ({
    params: { surfaceKind: 'email_template' },
    body: { required: true },
    foreign: 'skipped: the path names a content kind, which every workspace has',
    errors: { policy_fixed: 'unreachable here: shown in test/plugins/approvals-members.test.ts' },
  }),

  prepare: async (ctx, { body: { reviewers, minApprovals } }) =>
    reviewers.length === 0 && minApprovals === 1 ? [] : await ctx.ports.members.list(ctx.workspace.id),

  async handler(ctx, { params: { surfaceKind: kind }, body }, members) {
    const policy = { ...body, reviewers: [...new Set(body.reviewers)] };
    ctx.refuse(faultsOf(policy, members));
    const { policies } = ctx.services.approvals;
    const fields = policies.weakerFields(kind, policy);
    if (fields.length > 0) throw errors.policy_fixed({ fields });
    const set = {
      required: policy.required,
      min_approvals: policy.minApprovals,
      reviewers: policy.reviewers,
      applies_to: policy.appliesTo,
      expires_after_hours: policy.expiresAfterHours,
      updated_at: ctx.now,
      updated_by: actingMember(ctx.actor, undefined) ?? ctx.actor.keyId ?? ctx.actor.client ?? null,
    };
    await policyRows.upsert(ctx.trx, { surface_kind: kind, ...set }, ['surface_kind'], set);
    await tightenPending(ctx, kind, policy);
    ctx.note({
      required: policy.required,
      min_approvals: policy.minApprovals,
      reviewers: policy.reviewers.join(', '),
      applies_to: policy.appliesTo,
      expires_after_hours: policy.expiresAfterHours,
    });
    return presentPolicy(kind, policy, set);
  },
});
