// Refreshes expiring credentials in one process at a time, under a lease. The provider is called outside of any transaction. The
// refreshed credentials are stored under a new version.
import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceContext } from '../../core/index.ts';
import type { ConnectorCaller } from './caller.ts';
import { ConnectorUnusable } from './connector-unusable.ts';
import { markRefused } from './mark-refused.ts';
import type { ConnectorProvider } from './port/index.ts';
import { type ConnectorRow, connectorRows } from './tables.ts';
import type { SealedCredentials } from './vault/vault.ts';

/** The time before expiry at which credentials are refreshed, in milliseconds. */
const aheadMs = 60_000;
const callLimitMs = 15_000;
/** Longer than the call, so that no second process starts a refresh during the call. */
const leaseMs = 30_000;
const pollMs = 500;

const isDue = ({ expires_at: at }: SealedCredentials, now: number, ahead = 0): boolean =>
  at !== null && at - ahead <= now;

/** The fault in a CredentialsRefused error of a provider. Compared by name, so that two copies of the package agree. */
function refusalOf(error: unknown): 'expired' | 'revoked' | undefined {
  if (!(error instanceof Error) || error.name !== 'CredentialsRefused') return undefined;
  const { fault } = error as { fault?: unknown };
  return fault === 'expired' || fault === 'revoked' ? fault : undefined;
}

interface Refreshing {
  readonly context: ServiceContext;
  readonly caller: ConnectorCaller;
  readonly connector: ConnectorRow;
  readonly provider: ConnectorProvider;
}

/** Waits while another process refreshes, at most until the end of its lease. */
async function awaitOtherProcess(refreshing: Refreshing, sealed: SealedCredentials): Promise<SealedCredentials> {
  const { context, caller, connector } = refreshing;
  const { vault } = context.services;
  if (!isDue(sealed, context.ports.now())) return sealed;
  for (let waited = 0; waited < leaseMs; waited += pollMs) {
    await wait(pollMs, undefined, { signal: caller.signal });
    const present = await caller.read(({ trx }) => vault.find(trx, connector.id));
    // Another version may contain the same credentials, if the program changed an option.
    if (present !== undefined && !isDue(present, context.ports.now())) return present;
    if (present === undefined || present.lease === null) break;
  }
  throw new ConnectorUnusable(`The credentials of ${connector.id} are expired, and could not be refreshed yet.`);
}

/** The current credentials. @throws ConnectorUnusable */
async function currentCredentials({ context, caller, connector }: Refreshing): Promise<SealedCredentials> {
  const present = await caller.read(({ trx }) => context.services.vault.find(trx, connector.id));
  if (present === undefined) throw new ConnectorUnusable(`The connector ${connector.id} was deleted.`);
  return present;
}

/** Calls the provider under the lease. */
async function askProvider(refreshing: Refreshing, sealed: SealedCredentials): Promise<unknown> {
  const { context, caller, connector, provider } = refreshing;
  const opened = {
    credentials: context.services.vault.open(caller.workspace.id, sealed),
    options: connector.options,
  };
  const signal = AbortSignal.any([caller.signal, AbortSignal.timeout(callLimitMs)]);
  const { outgoing } = context.ports;
  return provider.credentials.parse(await provider.refresh?.(opened, signal, { outgoing }));
}

/** Calls the provider and stores the refreshed credentials. The caller has the lease. */
async function refreshNow(
  refreshing: Refreshing,
  sealed: SealedCredentials,
  leaseId: string,
): Promise<SealedCredentials> {
  const { context, caller, connector, provider } = refreshing;
  const { vault } = context.services;
  let credentials: unknown;
  try {
    credentials = await askProvider(refreshing, sealed);
  } catch (error) {
    const fault = refusalOf(error);
    if (fault !== undefined) {
      // The refusal concerns only the leased credentials. If the program stored new credentials, these ended the lease and are used
      // instead.
      if (!(await markRefused(caller, vault, connector, { leaseId }, fault))) return currentCredentials(refreshing);
      throw new ConnectorUnusable(`The provider refused to refresh the credentials of ${connector.id}: ${fault}.`);
    }
    await caller.checkpoint(({ trx }) => vault.releaseRefresh(trx, connector.id, leaseId));
    if (!isDue(sealed, context.ports.now())) return sealed;
    // The provider's message may repeat the credentials.
    throw new ConnectorUnusable(`The credentials of ${connector.id} are expired, and refreshing them failed.`);
  }
  await caller.checkpoint(async (ctx) => {
    const { trx, now } = ctx;
    const row = await connectorRows.lock(trx, connector.id);
    const refreshed = { value: credentials, expiresAt: provider.expiresAt?.(credentials) ?? null };
    // The provider may have ended the old tokens, so the result is stored unless the program or a later refresh stored new credentials.
    if (row === undefined || !(await vault.replaceReserved(ctx, connector.id, leaseId, refreshed))) return;
    // A call with the old token may have been refused during this refresh.
    if (row.status !== 'connected') await connectorRows.change(trx, row, { status: 'connected', updated_at: now });
    ctx.audit('connector.refresh', { kind: 'connector', id: connector.id });
  });
  return currentCredentials(refreshing);
}

/** The number of times that credentials may change during the check before the job leaves the refresh to its next attempt. */
const maxChecks = 3;

/**
 * The credentials of a connector, refreshed if due.
 * @throws ConnectorUnusable if they are expired and cannot be refreshed
 */
export async function freshCredentials(refreshing: Refreshing, input: SealedCredentials): Promise<SealedCredentials> {
  const { context, caller, connector, provider } = refreshing;
  const { ports, services } = context;
  let sealed = input;
  for (let check = 0; check < maxChecks; check += 1) {
    if (!isDue(sealed, ports.now(), aheadMs)) return sealed;
    if (provider.refresh === undefined) {
      if (!isDue(sealed, ports.now())) return sealed;
      await markRefused(caller, services.vault, connector, { version: sealed.version }, 'expired');
      throw new ConnectorUnusable(`The credentials of ${connector.id} are expired. Give it new ones.`);
    }
    const current = sealed;
    const lease = { id: ports.ids.create('lse'), ms: leaseMs };
    const result = await caller.checkpoint((ctx) => services.vault.reserveRefresh(ctx, current, lease));
    if (result === 'taken') return refreshNow(refreshing, current, lease.id);
    if (result === 'held by another') return awaitOtherProcess(refreshing, current);
    sealed = await currentCredentials(refreshing);
  }
  throw new ConnectorUnusable(`The credentials of ${connector.id} change too often to be used now.`);
}
