// The only SQL of the suppressions plugin.
import type { CursorPosition, WorkspaceHandle } from '../../core/index.ts';
import { defineStatement, olderThan } from '../../core/index.ts';
import type { SuppressionRow } from './tables.ts';

const byEmail = defineStatement((db, p: { workspace_id: string; email: string }) =>
  db.selectFrom('suppressions').selectAll().where('workspace_id', '=', p.workspace_id).where('email', '=', p.email),
);

const remove = defineStatement((db, p: { workspace_id: string; email: string }) =>
  db.deleteFrom('suppressions').where('workspace_id', '=', p.workspace_id).where('email', '=', p.email),
);

export async function findSuppression(handle: WorkspaceHandle, email: string): Promise<SuppressionRow | undefined> {
  return handle.one(byEmail, { email });
}

export async function insertSuppression(handle: WorkspaceHandle, row: SuppressionRow): Promise<void> {
  await handle.db.insertInto('suppressions').values(row).execute();
}

export async function updateSuppression(
  handle: WorkspaceHandle,
  email: string,
  { reason, scope, send_id, note, created_at, expires_at }: SuppressionRow,
): Promise<void> {
  await handle.db
    .updateTable('suppressions')
    .set({ reason, scope, send_id, note, created_at, expires_at })
    .where('workspace_id', '=', handle.workspaceId)
    .where('email', '=', email)
    .execute();
}

/** Answers whether there was one. */
export async function deleteSuppression(handle: WorkspaceHandle, email: string): Promise<boolean> {
  return (await handle.run(remove, { email })) > 0;
}

export async function listSuppressions(
  handle: WorkspaceHandle,
  filter: { readonly reason: SuppressionRow['reason'] | undefined; readonly now: number },
  limit: number,
  after: CursorPosition | undefined,
): Promise<SuppressionRow[]> {
  let query = handle.db
    .selectFrom('suppressions')
    .selectAll()
    .where('workspace_id', '=', handle.workspaceId)
    .where((builder) => builder.or([builder('expires_at', 'is', null), builder('expires_at', '>', filter.now)]));
  if (filter.reason !== undefined) query = query.where('reason', '=', filter.reason);
  if (after !== undefined) query = query.where(olderThan('created_at', 'email', after));
  return query
    .orderBy('created_at', 'desc')
    .orderBy('email', 'desc')
    .limit(limit + 1)
    .execute();
}
