import type { ConnectorCaller } from './caller.ts';
import type { CredentialFault } from './port/index.ts';
import type { ConnectorRow } from './tables.ts';
import { connectorRows } from './tables.ts';
import type { Vault } from './vault/vault.ts';

/** Marks a connector, unless it got other credentials than those of `version` meanwhile. */
export async function markRefused(
  caller: ConnectorCaller,
  vault: Vault,
  { id }: Pick<ConnectorRow, 'id'>,
  version: number,
  fault: CredentialFault,
): Promise<void> {
  await caller.checkpoint(async ({ trx, now, audit }) => {
    const present = await vault.find(trx, id);
    if (present === undefined || present.version !== version) return;
    const marked = await connectorRows.update(trx, id, { status: fault, updated_at: now }, { status: 'connected' });
    if (marked) audit(`connector.${fault}`, { kind: 'connector', id });
  });
}
