import {
  type ContentJson,
  type ContentKindId,
  column,
  defineTable,
  type Requester,
  type RowOf,
  type StoredRow,
  type TableDeclaration,
  type TenantRows,
  tenantRows,
} from '../../core/index.ts';
import type { DecisionKind, DiffEntry, RequestStatus } from './schema.ts';

/** The policies of a workspace, one for each content kind. The live and sandbox sides share them. */
export const approvalPolicies = defineTable(
  'approval_policies',
  {
    surface_kind: column.word<ContentKindId>(),
    required: column.flag(),
    min_approvals: column.integer(),
    reviewers: column.json<readonly string[]>(),
    applies_to: column.word<'all' | 'agents'>(),
    expires_after_hours: column.integer(),
    updated_at: column.time(),
    updated_by: column.text().nullable(),
  },
  { key: 'surface_kind' },
);

export const approvalRequests = defineTable(
  'approval_requests',
  {
    id: column.id('apr'),
    surface_kind: column.word<ContentKindId>(),
    target_kind: column.word<string>(),
    target_id: column.key(),
    /** The held call; null if only the content was submitted. */
    operation: column.key().nullable(),
    input: column.json<ContentJson>(),
    status: column.word<RequestStatus>(),
    reason: column.text(2_000).nullable(),
    content_hash: column.key(),
    summary: column.text(),
    note: column.text(2_000).nullable(),
    diff: column.json<readonly DiffEntry[]>().nullable(),
    min_approvals: column.integer(),
    /** The members who may decide. An empty list means every member. */
    reviewers: column.json<readonly string[]>(),
    /** The key or member that made the call, for its run after the approval. */
    requester: column.json<Requester>(),
    key_id: column.id('key').nullable(),
    submitted_uid: column.key().nullable(),
    /** The members who may not decide, because they made the request. */
    barred: column.json<readonly string[]>(),
    execution: column.word<'waiting' | 'done' | 'failed'>().nullable(),
    executed_at: column.time().nullable(),
    execution_error: column.key().nullable(),
    /** The time at which a call used the approval. Each approval is valid for one call. */
    consumed_at: column.time().nullable(),
    supersedes: column.id('apr').nullable(),
    /**
     * The content kind and target while the request is pending, null afterwards. Unique, so that each target has at most one
     * pending request.
     */
    pending_target: column.key().nullable(),
    sandbox: column.flag(),
    created_at: column.time(),
    decided_at: column.time().nullable(),
    expires_at: column.time(),
  },
  { sides: true },
);

/** The decisions of members. A member decides once. */
export const approvalDecisions = defineTable(
  'approval_decisions',
  {
    request_id: column.id('apr'),
    uid: column.key(),
    decision: column.word<DecisionKind>(),
    comment: column.text(2_000).nullable(),
    created_at: column.time(),
  },
  { sides: true, key: 'uid' },
);

export interface PolicyRow extends RowOf<typeof approvalPolicies> {}
export interface RequestRow extends RowOf<typeof approvalRequests> {}
export interface DecisionRow extends RowOf<typeof approvalDecisions> {}

export const policyRows: TenantRows<PolicyRow> = tenantRows(approvalPolicies, { time: 'updated_at' });
export const requestRows: TenantRows<RequestRow> = tenantRows(approvalRequests);
export const decisionRows: TenantRows<DecisionRow> = tenantRows(approvalDecisions);

/** Requests without their differences, for look-ups of many requests. */
export const requestHeadRows = tenantRows(approvalRequests, {
  columns: ['id', 'surface_kind', 'target_id', 'status', 'content_hash', 'reviewers', 'key_id', 'barred', 'created_at'],
});

declare module '../../core/contract/open.ts' {
  interface Tables {
    approval_policies: StoredRow<typeof approvalPolicies>;
    approval_requests: StoredRow<typeof approvalRequests>;
    approval_decisions: StoredRow<typeof approvalDecisions>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  approval_policies: approvalPolicies,
  approval_requests: approvalRequests,
  approval_decisions: approvalDecisions,
};
