// Marks accounts whose credentials are expired or revoked, as the connector reports. Called by publications, removals, metrics
// and refreshes.
import type { TransactionContext, WorkspaceHandle } from '../../../core/index.ts';
import { showNetwork } from '../present.ts';
import { type AccountRow, type AccountStatus, accountRows } from '../tables.ts';

/** The maximum number of accounts of a workspace. */
export const maxAccounts = 500;

/** The accounts of a workspace, newest first. */
export const listAccounts = (handle: WorkspaceHandle): Promise<AccountRow[]> =>
  accountRows.page(handle, { limit: maxAccounts });

/** Marks the connected accounts of a connector, and emits an event for each. */
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
    // Both sides share accounts, so a sandbox call marks them for the live side, too.
    ctx.emit('social.network.disconnected', showNetwork(ctx, marked));
  }
}
