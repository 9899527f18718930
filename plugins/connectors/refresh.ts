// Refreshing credentials that expire: in one process at a time, under a lease. The provider is called outside of any
// transaction; what it answers is stored under a new version.
import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceSurface } from '../../core/index.ts';
import type { ConnectorCaller } from './caller.ts';
import { markRefused } from './mark-refused.ts';
import type { ConnectorProvider } from './port/index.ts';
import type { ConnectorRow } from './tables.ts';
import { ConnectorUnusable } from './unusable.ts';
import type { SealedCredentials } from './vault/vault.ts';

/** Refreshed this long before they expire, in milliseconds. */
const aheadMs = 60_000;
const callLimitMs = 15_000;
/** Longer than the call, so that no second process begins while one is at it. */
const leaseMs = 30_000;
const pollMs = 500;

const isDue = ({ expires_at: at }: SealedCredentials, now: number, ahead = 0): boolean =>
  at !== null && at - ahead <= now;

/** The fault that a provider reports by throwing CredentialsRefused; by name, so that two copies of the package agree. */
function refusalOf(error: unknown): 'expired' | 'revoked' | undefined {
  if (!(error instanceof Error) || error.name !== 'CredentialsRefused') return undefined;
  const { fault } = error as { fault?: unknown };
  return fault === 'expired' || fault === 'revoked' ? fault : undefined;
}

interface Refreshing {
  readonly surface: ServiceSurface;
  readonly caller: ConnectorCaller;
  readonly connector: ConnectorRow;
  readonly provider: ConnectorProvider;
}

/** Another process refreshes: waits for the end of its lease at most. */
async function awaitOther(refreshing: Refreshing, sealed: SealedCredentials): Promise<SealedCredentials> {
  const { surface, caller, connector } = refreshing;
  const { vault } = surface.services;
  if (!isDue(sealed, surface.ports.now())) return sealed;
  for (let waited = 0; waited < leaseMs; waited += pollMs) {
    await wait(pollMs, undefined, { signal: caller.signal });
    const present = await caller.read((handle) => vault.find(handle, connector.id));
    if (present !== undefined && present.version !== sealed.version) return present;
    if (present === undefined || present.lease === null) break;
  }
  throw new ConnectorUnusable(`The credentials of ${connector.id} are expired, and could not be refreshed yet.`);
}

/** Calls the provider and stores what it answers. The lease is held. */
async function refreshNow(
  refreshing: Refreshing,
  sealed: SealedCredentials,
  leaseId: string,
): Promise<SealedCredentials> {
  const { surface, caller, connector, provider } = refreshing;
  const { vault } = surface.services;
  const release = () => caller.checkpoint(({ trx }) => vault.release(trx, connector.id, leaseId));
  let credentials: unknown;
  try {
    const opened = { credentials: vault.open(caller.workspace.id, sealed), options: connector.options };
    const signal = AbortSignal.any([caller.signal, AbortSignal.timeout(callLimitMs)]);
    credentials = provider.credentials.parse(await provider.refresh?.(opened, signal));
  } catch (error) {
    await release();
    const fault = refusalOf(error);
    if (fault !== undefined) {
      await markRefused(caller, vault, connector, sealed.version, fault);
      throw new ConnectorUnusable(`The provider refused to refresh the credentials of ${connector.id}: ${fault}.`);
    }
    if (!isDue(sealed, surface.ports.now())) return sealed;
    // The provider's own words may repeat what it was given.
    throw new ConnectorUnusable(`The credentials of ${connector.id} are expired, and refreshing them failed.`);
  }
  return caller.checkpoint(async (effects) => {
    const present = await vault.find(effects.trx, connector.id);
    // The program gave new credentials meanwhile: those count.
    if (present !== undefined && present.version === sealed.version) {
      await vault.put(effects, connector.id, credentials, provider.expiresAt?.(credentials) ?? null);
      effects.audit('connector.refresh', { kind: 'connector', id: connector.id });
    }
    const stored = await vault.find(effects.trx, connector.id);
    if (stored === undefined) throw new ConnectorUnusable(`The connector ${connector.id} is gone.`);
    return stored;
  });
}

/**
 * The credentials of a connector, refreshed where that is due.
 * @throws ConnectorUnusable where they are expired and cannot be refreshed
 */
export async function freshCredentials(refreshing: Refreshing, sealed: SealedCredentials): Promise<SealedCredentials> {
  const { surface, caller, connector, provider } = refreshing;
  const { ports, services } = surface;
  if (!isDue(sealed, ports.now(), aheadMs)) return sealed;
  if (provider.refresh === undefined) {
    if (!isDue(sealed, ports.now())) return sealed;
    await markRefused(caller, services.vault, connector, sealed.version, 'expired');
    throw new ConnectorUnusable(`The credentials of ${connector.id} are expired. Give it new ones.`);
  }
  const lease = { id: ports.ids.create('lse'), ms: leaseMs };
  const outcome = await caller.checkpoint((effects) => services.vault.lease(effects, sealed, lease));
  if (outcome === 'taken') return refreshNow(refreshing, sealed, lease.id);
  if (outcome === 'held by another') return awaitOther(refreshing, sealed);
  const present = await caller.read((handle) => services.vault.find(handle, connector.id));
  if (present === undefined) throw new ConnectorUnusable(`The connector ${connector.id} is gone.`);
  return present;
}
