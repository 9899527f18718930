// Marks accounts whose credentials are of no use any more, as the connector says. Called by publications, removals, figures and
// refreshes.
import type { TransactionContext, WorkspaceHandle } from '../../../core/index.ts';
import { showNetwork } from '../present.ts';
import { type AccountRow, type AccountStatus, accountRows } from '../tables.ts';

/** Accounts of a workspace at most. */
export const maxAccounts = 500;

/** The accounts of a workspace, newest first. */
export const listAccounts = (handle: WorkspaceHandle): Promise<AccountRow[]> =>
  accountRows.page(handle, { limit: maxAccounts });

/** Marks the connected accounts of a connector; each that was connected is told as an event. */
export async function markAccounts(
  ctx: TransactionContext,
  connectorId: string,
  status: Exclude<AccountStatus, 'connected'>,
): Promise<void> {
  const { trx } = ctx;
  const rows = await accountRows.page(trx, { where: { connector_id: connectorId }, limit: maxAccounts });
  for (const row of await accountRows.findIn(
    trx,
    'id',
    rows.map(({ id }) => id),
    'update',
  )) {
    if (row.status !== 'connected') continue;
    const marked = await accountRows.change(trx, row, { status });
    // Accounts are shared by both sides: a sandbox call finds it out for the live one, too.
    ctx.emit('social.network.disconnected', showNetwork(ctx, marked));
  }
}
