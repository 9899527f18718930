// Decides which calls are held. The pipeline calls it inside the transaction of the call.
import {
  type CallHolder,
  coreErrors,
  type HeldCall,
  type KeyCompromised,
  type OperationContext,
  type TransactionContext,
} from '../../core/index.ts';
import { contentHash } from '../../core/unstable.ts';
import { errors } from './errors.ts';
import { actingMember } from './members.ts';
import { approvalsUnder, holdsCallsOf, type Policies, tightenRule } from './policies.ts';
import { releaseTarget } from './release.ts';
import { createRequest, endRequest, markApprovalUsed, pendingApproval, pendingTargetOf } from './requests.ts';
import { openPolicy, type PolicyValues } from './schema.ts';
import { decisionRows, type RequestRow, requestHeadRows, requestRows } from './tables.ts';

/** The error for a call whose content is not the approved content. */
export const contentChanged = (requestId: string) =>
  errors.content_changed(
    { requestId },
    { details: [{ path: 'contentHash', code: 'changed', message: 'This is not the hash of the current content.' }] },
  );

/** Uses an approval and records the approvers in the audit. */
async function useApproval(ctx: OperationContext, row: RequestRow): Promise<void> {
  await markApprovalUsed(ctx, row);
  const decisions = await decisionRows.findIn(ctx.trx, 'request_id', [row.id]);
  const approvers = decisions.filter(({ decision }) => decision === 'approve').map(({ uid }) => uid);
  ctx.note({ approval: row.id, approved_by: approvers.join(', ') });
}

/** Lets the call run after its approval. @throws content_changed, state_conflict */
async function carryOut(ctx: OperationContext, call: HeldCall, requestId: string): Promise<void> {
  const row = await requestRows.lock(ctx.trx, requestId);
  if (row?.execution !== 'waiting')
    throw coreErrors.state_conflict({ reason: `The request ${requestId} has already been carried out.` });
  const isSame = row.surface_kind === call.contentKind.kind && row.target_id === call.targetId;
  if (!isSame) throw coreErrors.state_conflict({ reason: `The request ${requestId} is about ${row.target_id}.` });
  const current = contentHash((await call.content()).content);
  if (current !== row.content_hash) throw contentChanged(requestId);
  await useApproval(ctx, row);
}

/** The maximum number of unused approvals of one content that are checked. */
const maxUnused = 20;

/** Whether the decisions on an approved request are still sufficient under the current policy. */
async function isEnoughNow(ctx: OperationContext, row: RequestRow, policy: PolicyValues): Promise<boolean> {
  const rule = tightenRule({ minApprovals: row.min_approvals, reviewers: row.reviewers }, policy);
  if (rule === undefined) return false;
  return approvalsUnder(rule, await decisionRows.findIn(ctx.trx, 'request_id', [row.id])) >= rule.minApprovals;
}

/** An unused approval of exactly this content that is sufficient under the current policy. */
async function unusedApproval(
  ctx: OperationContext,
  { contentKind, targetId }: HeldCall,
  hash: string,
  policy: PolicyValues,
): Promise<RequestRow | undefined> {
  const where = { surface_kind: contentKind.kind, target_id: targetId, status: 'approved' } as const;
  const unusedApprovals = await requestRows.page(ctx.trx, {
    where: { ...where, content_hash: hash, consumed_at: null },
    limit: maxUnused,
  });
  for (const { id } of unusedApprovals) {
    const row = await requestRows.lock(ctx.trx, id);
    if (row?.consumed_at === null && (await isEnoughNow(ctx, row, policy))) return row;
  }
  return undefined;
}

/** The pending requests of both sides. A shared target may have requests on either side, depending on the requester. */
async function pendingFor(
  ctx: TransactionContext,
  where: Partial<RequestRow>,
  targets?: ReadonlySet<string>,
): Promise<RequestRow[]> {
  const pending: RequestRow[] = [];
  for (const side of [false, true]) {
    const handle = ctx.trx.onSide(side);
    const waiting = await requestHeadRows.page(handle, { where: { ...where, status: 'pending' }, limit: 500 });
    for (const { id } of waiting.filter(({ target_id: target }) => targets?.has(target) ?? true)) {
      const row = await requestRows.lock(handle, id);
      if (row?.status === 'pending') pending.push(row);
    }
  }
  return pending;
}

export function createCallHolder(policies: Policies): CallHolder {
  return {
    async hold(ctx, call) {
      if (call.approvedRequest !== undefined) {
        await carryOut(ctx, call, call.approvedRequest);
        return undefined;
      }
      const { contentKind, targetId, transition } = call;
      const policy = await policies.read(ctx.trx, contentKind.kind);
      if (!call.always && !holdsCallsOf(policy, ctx.actor)) return undefined;
      const content = await call.content();
      const approval = call.always ? undefined : await unusedApproval(ctx, call, contentHash(content.content), policy);
      if (approval !== undefined) {
        await useApproval(ctx, approval);
        return undefined;
      }
      const { note } = transition.input;
      const row = await createRequest(ctx, {
        contentKind,
        targetId,
        content,
        transition,
        purpose: call.requestedAction,
        summary: call.summary,
        note: typeof note === 'string' ? note : null,
        policy: policy.required ? policy : openPolicy,
        publishesAt: call.publishesAt,
        actor: ctx.actor,
        uid: actingMember(ctx.actor, undefined),
      });
      ctx.note({ approval: row.id });
      return pendingApproval(row);
    },
    async contentChanged(ctx, kind, targetIds) {
      const [firstId, ...otherIds] = targetIds;
      if (firstId === undefined) return;
      // A single target is looked up by the unique index, several targets among all pending requests.
      const where = otherIds.length === 0 ? { pending_target: pendingTargetOf(kind, firstId) } : { surface_kind: kind };
      for (const row of await pendingFor(ctx, where, new Set(targetIds)))
        await endRequest(ctx, row, 'withdrawn', 'content_changed');
    },
  };
}

/** Withdraws the requests that were made with a compromised key. */
export const withdrawCompromised: KeyCompromised = async (ctx, keyId) => {
  for (const row of await pendingFor(ctx, { key_id: keyId }))
    await releaseTarget(ctx, await endRequest(ctx, row, 'withdrawn', 'key_compromised'));
};
