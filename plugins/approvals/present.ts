// Requests as the API shows them.
import { toIsoTime, toIsoTimeOrNull, type WorkspaceHandle } from '../../core/index.ts';
import type { RequestResource } from './schema.ts';
import { type DecisionRow, decisionRows, type RequestRow } from './tables.ts';

const byTime = (one: DecisionRow, other: DecisionRow): number => one.created_at - other.created_at;

/** A request with its decisions. */
export function presentRequest(row: RequestRow, decisions: readonly DecisionRow[]): RequestResource {
  return {
    requestId: row.id,
    surfaceKind: row.surface_kind as RequestResource['surfaceKind'],
    target: { kind: row.target_kind, id: row.target_id },
    transition: row.operation === null ? null : { operation: row.operation, input: { ...row.input } },
    status: row.status,
    reason: row.reason,
    contentHash: row.content_hash,
    summary: row.summary,
    note: row.note,
    diff: row.diff === null ? null : [...row.diff],
    rule: { minApprovals: row.min_approvals, reviewers: [...row.reviewers] },
    submittedBy: { uid: row.submitted_uid, keyId: row.key_id },
    decisions: [...decisions]
      .sort(byTime)
      .map(({ uid, decision, comment, created_at: at }) => ({ uid, decision, comment, at: toIsoTime(at) })),
    execution:
      row.execution === null
        ? null
        : { status: row.execution, at: toIsoTimeOrNull(row.executed_at), error: row.execution_error },
    supersedes: row.supersedes,
    sandbox: row.sandbox,
    createdAt: toIsoTime(row.created_at),
    decidedAt: toIsoTimeOrNull(row.decided_at),
    expiresAt: toIsoTime(row.expires_at),
  };
}

/** The decisions on these requests, by request. */
export async function decisionsOf(
  handle: WorkspaceHandle,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly DecisionRow[]>> {
  const byRequest = new Map<string, DecisionRow[]>();
  for (const row of await decisionRows.findIn(handle, 'request_id', ids))
    byRequest.set(row.request_id, [...(byRequest.get(row.request_id) ?? []), row]);
  return byRequest;
}

/** Reads the decisions of one request and presents it. */
export const showRequest = async (handle: WorkspaceHandle, row: RequestRow): Promise<RequestResource> =>
  presentRequest(row, (await decisionsOf(handle, [row.id])).get(row.id) ?? []);
