// Rows of workspaces as the pipeline reads them. Called by authentication, jobs and in-process calls.
import { parseAddress } from '../contract/addresses.ts';
import type { WorkspaceHandle } from '../contract/handle.ts';
import { defineStatement } from '../contract/handle.ts';
import type { PlanName, Plans, Workspace, WorkspaceSettings } from '../contract/workspace.ts';
import type { WorkspaceRow } from '../storage/core-tables.ts';

/** Converts a row into a workspace. The domain of default_from is always a sending domain. */
export function toWorkspace(row: WorkspaceRow, plans: Plans): Workspace {
  const defaultFrom = JSON.parse(row.default_from) as { email: string; name: string };
  const domains = new Set(JSON.parse(row.sending_domains) as string[]);
  const own = parseAddress(defaultFrom.email);
  if (own !== undefined) domains.add(own.domain);
  return {
    id: row.id,
    name: row.name,
    plan: plans[row.plan as PlanName] ?? plans.hobby,
    createdAt: row.created_at,
    defaultFrom,
    sendingDomains: [...domains],
    settings: JSON.parse(row.settings) as WorkspaceSettings,
    suspended: row.suspended_at !== null,
  };
}

const byId = defineStatement((db, p: { workspace_id: string }) =>
  db.selectFrom('workspaces').selectAll().where('id', '=', p.workspace_id),
);

/** The workspace of the handle, or undefined. */
export async function findWorkspace(handle: WorkspaceHandle, plans: Plans): Promise<Workspace | undefined> {
  const row = await handle.one(byId, {});
  return row === undefined ? undefined : toWorkspace(row, plans);
}

const lock = defineStatement((db, p: { workspace_id: string }) =>
  db
    .updateTable('workspaces')
    .set(({ ref }) => ({ name: ref('name') }))
    .where('id', '=', p.workspace_id),
);

/**
 * Blocks other transactions that lock the same workspace until this one ends: for checking a limit on a number of rows.
 * Do not use it in an operation that may join a transaction of the program, which can stay open for any time.
 */
export async function lockWorkspace(handle: WorkspaceHandle): Promise<void> {
  await handle.run(lock, {});
}

/**
 * A page of all workspaces, oldest first; `after` is the last id of the page before. The handle is not bound to a
 * workspace.
 */
export async function listWorkspaces(
  handle: WorkspaceHandle,
  plans: Plans,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<Workspace[]> {
  let query = handle.db.selectFrom('workspaces').selectAll();
  if (after !== undefined) query = query.where('id', '>', after);
  const rows = await query.orderBy('id').limit(limit).execute();
  return rows.map((row) => toWorkspace(row, plans));
}
