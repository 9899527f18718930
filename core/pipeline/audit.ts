// The audit entry of a successful mutating call, written in its transaction.
import type { AuditMetadata, AuditTarget } from '../contract/context/context.ts';
import { defineStatement, type WorkspaceHandle } from '../contract/context/handle.ts';
import type { Actor } from '../contract/context/workspace.ts';

const insertAudit = defineStatement(
  (
    db,
    p: {
      workspace_id: string;
      id: string;
      now: number;
      actor_kind: string;
      actor_key_id: string | null;
      actor: string;
      action: string;
      target_kind: string;
      target_id: string;
      request_id: string;
      metadata: string;
      idempotency_key: string | null;
    },
  ) =>
    db.insertInto('audit').values({
      id: p.id,
      workspace_id: p.workspace_id,
      ts: p.now,
      actor_kind: p.actor_kind,
      actor_key_id: p.actor_key_id,
      actor: p.actor,
      action: p.action,
      target_kind: p.target_kind,
      target_id: p.target_id,
      request_id: p.request_id,
      metadata: p.metadata,
      idempotency_key: p.idempotency_key,
    }),
);

/** The values of an audit entry. */
export interface AuditEntry {
  readonly id: string;
  readonly now: number;
  readonly actor: Actor;
  readonly action: string;
  readonly target: AuditTarget;
  readonly requestId: string;
  readonly metadata: AuditMetadata;
  readonly idempotencyKey: string | undefined;
}

/** Defers the entry to the end of the transaction. */
export function writeAudit(handle: WorkspaceHandle, entry: AuditEntry): void {
  const { ip, client, user } = entry.actor;
  handle.defer(insertAudit, {
    id: entry.id,
    now: entry.now,
    actor_kind: entry.actor.kind,
    actor_key_id: entry.actor.keyId ?? null,
    actor: JSON.stringify({ ip, client, user }),
    action: entry.action,
    target_kind: entry.target.kind,
    target_id: entry.target.id,
    request_id: entry.requestId,
    metadata: JSON.stringify(entry.metadata),
    idempotency_key: entry.idempotencyKey ?? null,
  });
}
