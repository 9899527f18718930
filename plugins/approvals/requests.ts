// The life cycle of a request: it is created, ended and carried out. Only this file writes the status of a request.
import {
  type Actor,
  type ContentJson,
  type ContentKind,
  coreErrors,
  type PendingDecision,
  type PublishableContent,
  type TransactionContext,
  type WorkspaceHandle,
} from '../../core/index.ts';
import { contentDiff, contentHash } from '../../core/unstable.ts';
import { executeKind, expireKind } from './jobs/kinds.ts';
import { requestingMembers } from './members.ts';
import { presentRequest, showRequest } from './present.ts';
import type { PolicyValues, RequestStatus } from './schema.ts';
import { type RequestRow, requestHeadRows, requestRows } from './tables.ts';

const maxPending = 500;
const hourMs = 3_600_000;

/** The unique key of a target among pending requests. */
export const pendingTargetOf = (kind: string, targetId: string): string => `${kind}:${targetId}`;

/** A new request. */
export interface NewRequest {
  readonly contentKind: ContentKind;
  readonly targetId: string;
  readonly content: PublishableContent;
  /** The call that runs after the approval; null if only the content is submitted. */
  readonly transition: { readonly operation: string; readonly input: ContentJson } | null;
  /** The purpose of the request, as the beginning of a sentence. */
  readonly purpose: string;
  /** The whole sentence, if the operation provides it. */
  readonly summary?: string | undefined;
  readonly note: string | null;
  readonly policy: PolicyValues;
  readonly publishesAt: number | undefined;
  readonly actor: Actor;
  readonly uid: string | undefined;
}

/** Adds a full stop unless the text already ends a sentence. */
const sentence = (text: string): string => (/[.…!?]$/.test(text) ? text : `${text}.`);

/** The error for a target with a pending request. It states the options of the requester, or for others how to decide. */
function pendingRequestError({ id, key_id, barred }: RequestRow, { actor, uid }: NewRequest) {
  const isOwn = actor.keyId === undefined ? uid !== undefined && barred.includes(uid) : actor.keyId === key_id;
  const read = `GET /v1/approvals/requests/${id}`;
  const withdraw = `POST /v1/approvals/requests/${id}/withdraw`;
  return coreErrors.state_conflict({
    reason: isOwn
      ? `Your request ${id} for the same target still waits for the decision of another member. To see its status: ${read}. To make another request: withdraw it with ${withdraw}, then repeat this call.`
      : `The request ${id} for the same target already waits for a decision. To decide on it: POST /v1/approvals/pending/${id}/decide. To read it: ${read}. To withdraw it: ${withdraw}.`,
  });
}

/** The latest request for the target that was turned down; undefined if a later request was approved. */
async function latestTurnedDown(handle: WorkspaceHandle, { contentKind, targetId }: NewRequest) {
  const decided = await requestHeadRows.page(handle, {
    where: { surface_kind: contentKind.kind, target_id: targetId },
    conditions: (eb) => [eb('status', 'in', ['approved', 'changes_requested', 'rejected'])],
    limit: 1,
  });
  return decided[0]?.status === 'approved' ? undefined : decided[0];
}

/** The caller, without fields that are stored in the request itself. */
const requesterOf = ({ kind, keyId, client, user }: Actor, uid: string | undefined) => ({
  kind,
  ...(keyId === undefined ? {} : { keyId }),
  ...(client === undefined ? {} : { client }),
  ...(user === undefined ? {} : { user }),
  ...(uid === undefined ? {} : { member: uid }),
});

/** Stores a pending request. @throws state_conflict, limit_reached */
export async function createRequest(ctx: TransactionContext, values: NewRequest): Promise<RequestRow> {
  const { trx, now } = ctx;
  const { contentKind, targetId, content, transition, policy, actor, uid, publishesAt } = values;
  const pendingTarget = pendingTargetOf(contentKind.kind, targetId);
  const pendingRequest = await requestRows.findBy(trx, { pending_target: pendingTarget });
  if (pendingRequest !== undefined) throw pendingRequestError(pendingRequest, values);
  const hash = contentHash(content.content);
  const earlier = await latestTurnedDown(trx, values);
  if (earlier?.content_hash === hash)
    throw coreErrors.state_conflict({
      reason: `The request ${earlier.id} for exactly this content was rejected, or changes were requested. Change the content first; its decisions name the requested changes: GET /v1/approvals/requests/${earlier.id}.`,
    });
  const both = trx.bothSides('the limit counts all pending requests of the workspace');
  if ((await requestRows.count(both, { status: 'pending' }, maxPending)) >= maxPending)
    throw coreErrors.limit_reached({ limit: maxPending, resources: 'pending requests for approval' });
  const row: RequestRow = {
    id: ctx.newId('apr'),
    surface_kind: contentKind.kind,
    target_kind: contentKind.targetKind,
    target_id: targetId,
    operation: transition?.operation ?? null,
    input: transition?.input ?? {},
    status: 'pending',
    reason: null,
    content_hash: hash,
    summary: sentence(values.summary ?? `${values.purpose}: ${content.name}`),
    note: values.note,
    diff: contentDiff(content),
    min_approvals: policy.minApprovals,
    reviewers: policy.reviewers,
    requester: requesterOf(actor, uid),
    key_id: actor.keyId ?? null,
    submitted_uid: uid ?? null,
    barred: requestingMembers(actor, uid),
    execution: null,
    executed_at: null,
    execution_error: null,
    consumed_at: null,
    supersedes: earlier?.id ?? null,
    pending_target: pendingTarget,
    sandbox: ctx.sandbox,
    created_at: now,
    decided_at: null,
    expires_at: Math.min(now + policy.expiresAfterHours * hourMs, publishesAt ?? Number.POSITIVE_INFINITY),
  };
  if (!(await requestRows.insertUnlessTaken(trx, row))) {
    const concurrent = await requestRows.findBy(trx, { pending_target: pendingTarget });
    if (concurrent !== undefined) throw pendingRequestError(concurrent, values);
    throw coreErrors.state_conflict({ reason: 'Another request for the same target ended just now. Try again.' });
  }
  ctx.enqueue({ kind: expireKind, key: row.id, payload: { requestId: row.id }, runAt: row.expires_at });
  ctx.emit('approval.requested', presentRequest(row, []));
  return row;
}

export const pendingApproval = ({ id }: RequestRow): PendingDecision => ({ requestId: id, status: 'pending' });

/** Ends a request. The caller must have locked it. */
export async function endRequest(
  ctx: TransactionContext,
  row: RequestRow,
  status: Exclude<RequestStatus, 'pending'>,
  reason: string | null = null,
): Promise<RequestRow> {
  const side = ctx.trx.onSide(row.sandbox);
  const hasCall = status === 'approved' && row.operation !== null;
  const ended = await requestRows.change(side, row, {
    status,
    reason,
    pending_target: null,
    decided_at: ctx.now,
    execution: hasCall ? 'waiting' : null,
  });
  await ctx.cancelJob({ kind: expireKind, key: row.id, sandbox: row.sandbox });
  if (hasCall) ctx.enqueue({ kind: executeKind, payload: { requestId: row.id }, sandbox: row.sandbox });
  ctx.emit('approval.decided', await showRequest(side, ended), { synthetic: row.sandbox });
  return ended;
}

/** Marks an approval as used by the call that runs in this transaction. */
export async function markApprovalUsed(ctx: TransactionContext, row: RequestRow): Promise<void> {
  await requestRows.change(ctx.trx, row, {
    consumed_at: ctx.now,
    execution: 'done',
    executed_at: ctx.now,
    execution_error: null,
  });
}

/**
 * Records why an approved call failed. The approval remains valid for one call. Returns the request; undefined if another call
 * has carried it out meanwhile.
 */
export async function failExecution(
  ctx: TransactionContext,
  requestId: string,
  code: string,
): Promise<RequestRow | undefined> {
  const row = await requestRows.lock(ctx.trx, requestId);
  if (row === undefined || row.execution !== 'waiting') return undefined;
  const failed = await requestRows.change(ctx.trx, row, {
    execution: 'failed',
    executed_at: ctx.now,
    execution_error: code,
  });
  ctx.emit('approval.execution_failed', await showRequest(ctx.trx, failed));
  return failed;
}
