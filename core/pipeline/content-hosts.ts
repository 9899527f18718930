// The hosts of workspaces' public pages. A workspace has at most one host, and no two workspaces share a host. Called by the
// provisioning of workspaces and by public routes.
import type { TransactionContext } from '../contract/context/context.ts';
import { defineStatement, type Handle } from '../contract/context/handle.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';

const byHost = defineStatement((db, p: { host: string }) =>
  db.selectFrom('content_hosts').select('workspace_id').where('host', '=', p.host),
);

/** The workspace whose public pages a normalised host serves. The handle is bound to no workspace. */
export async function ownerOfHost(handle: Handle, host: string): Promise<string | undefined> {
  return (await handle.one(byHost, { host }))?.workspace_id;
}

/**
 * Assigns the host to the workspace of the effects; null removes the workspace's host. Requests name hosts without a
 * path, so a path after the host does not count. @throws state_conflict
 */
export async function moveContentHost(ctx: TransactionContext, contentHost: string | null): Promise<void> {
  const { db } = ctx.trx;
  await db.deleteFrom('content_hosts').execute();
  if (contentHost === null) return;
  const [host = ''] = contentHost.split('/', 1);
  const inserted = await db
    .insertInto('content_hosts')
    .values({ host, workspace_id: ctx.workspace.id, created_at: ctx.now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (Number(inserted.numInsertedOrUpdatedRows ?? 0) > 0) return;
  throw coreErrors.state_conflict({ reason: `Another workspace has the content host ${host}.` });
}
