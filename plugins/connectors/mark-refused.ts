// Marks a connector whose credentials the provider refused. Called by refresh.ts and by service.ts, outside of a transaction.
import type { ConnectorCaller } from './caller.ts';
import type { CredentialFault } from './port/index.ts';
import { type ConnectorRow, connectorRows } from './tables.ts';
import type { Vault } from './vault/vault.ts';

/** The refused credentials: the credentials of a version, or the credentials that the holder of a lease refreshed. */
export type RefusedCredentials = { readonly version: number } | { readonly leaseId: string };

/**
 * Marks a connector unless its credentials have changed since the refusal. Locks the connector before its credentials, as the
 * program's update does. Returns whether the refused credentials were the current ones. Also ends the lease, if there is one.
 */
export async function markRefused(
  caller: ConnectorCaller,
  vault: Vault,
  { id }: Pick<ConnectorRow, 'id'>,
  refused: RefusedCredentials,
  fault: CredentialFault,
): Promise<boolean> {
  return caller.checkpoint(async ({ trx, now, audit }) => {
    const connector = await connectorRows.lock(trx, id);
    const current = await vault.lock(trx, id);
    if (connector === undefined || current === undefined) return false;
    if ('leaseId' in refused) {
      if (!(await vault.releaseRefresh(trx, id, refused.leaseId))) return false;
    } else if (current.version !== refused.version) return false;
    if (connector.status !== 'connected') return true;
    await connectorRows.change(trx, connector, { status: fault, updated_at: now });
    audit(`connector.${fault}`, { kind: 'connector', id });
    return true;
  });
}
