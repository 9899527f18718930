// Rate limits of public routes by client address, counted by the same store as the limits of API keys. The store never sees
// an address, only a keyed hash of it. Called by the kernel's public routes.

import type { AddressLimit } from '../contract/declaration/public-route.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import { addressBytes } from '../outgoing/addresses.ts';
import type { Core } from './core.ts';
import { takeFromLimitStore } from './limit-store.ts';
import { perService } from './outages.ts';

/** Passed to the store in place of a workspace id; no workspace has this id. */
const publicId = 'public';
/** All clients without a known address share one counter: otherwise nothing would limit them. */
const unknownAddress = 'unknown';

/** ::ffff:0:0/96, in which IPv6 writes an address of IPv4 (RFC 4291, section 2.5.5.2). */
const isMapped = (bytes: Uint8Array): boolean =>
  bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;

/**
 * The unit that counts as one client: an IPv4 address, or a /64 of IPv6, because one subscriber may use any address in
 * it (RFC 6177).
 */
export function clientGroup(address: string | undefined): string {
  const bytes = addressBytes((address ?? '').replace(/%.*$/, ''));
  if (bytes === undefined) return unknownAddress;
  if (bytes.length === 4) return bytes.join('.');
  if (isMapped(bytes)) return bytes.subarray(12).join('.');
  return `${Buffer.from(bytes.subarray(0, 8)).toString('hex')}/64`;
}

const warned = new WeakSet<Core>();

/**
 * Counts one call.
 * @throws address_rate_limit, or service_unavailable if the store is down and the settings refuse requests
 */
export async function limitAddress(core: Core, address: string | undefined, limit: AddressLimit): Promise<void> {
  const group = clientGroup(address);
  if (group === unknownAddress && !warned.has(core)) {
    warned.add(core);
    core.log.warn(
      { limit: limit.name },
      'the host does not provide client addresses: limits by address count all clients together',
    );
  }
  return limitGroup(core, group, limit);
}

/** Counts one call of any client. No client's group has this name. @throws as `limitAddress` */
export const limitAll = (core: Core, limit: AddressLimit): Promise<void> => limitGroup(core, 'all clients', limit);

/** Attempts of one process that are running, by counter and client. */
const runningTries = perService(() => new Map<string, Promise<unknown>>());

/**
 * Counts only failed attempts: if `attempt` returns true, its call is subtracted again. Attempts of one client run one
 * after another, so that no attempt is refused because of another that is still running.
 * @throws as `limitAddress`
 */
export async function limitTries(
  core: Core,
  address: string | undefined,
  limit: AddressLimit,
  attempt: () => Promise<boolean>,
): Promise<boolean> {
  const running = runningTries(core);
  const name = `${limit.name}\n${clientGroup(address)}`;
  const turn = (running.get(name) ?? Promise.resolve()).then(async () => {
    await limitAddress(core, address, limit);
    const isRight = await attempt();
    if (isRight) await uncount(core, clientGroup(address), limit);
    return isRight;
  });
  const ended = turn.catch(() => undefined);
  running.set(name, ended);
  try {
    return await turn;
  } finally {
    if (running.get(name) === ended) running.delete(name);
  }
}

/** Subtracts a counted call again. If the store is down, the call stays counted. */
const uncount = (core: Core, group: string, limit: AddressLimit): Promise<unknown> =>
  count(core, group, limit, -1).catch(() => undefined);

async function limitGroup(core: Core, group: string, limit: AddressLimit): Promise<void> {
  const decision = await count(core, group, limit, 1);
  if (decision === undefined || decision.allowed) return;
  throw coreErrors.address_rate_limit({
    retryAfterSeconds: Math.max(1, Math.ceil(decision.retryAfterSeconds)),
    headers: { 'Cache-Control': 'no-store' },
  });
}

function count(core: Core, group: string, limit: AddressLimit, keyTokens: number) {
  const limits = {
    keyRate: limit.perMinute / 60,
    keyBurst: limit.burst,
    keyTokens,
    workspacePerMinute: Number.POSITIVE_INFINITY,
  };
  return takeFromLimitStore(core, async () => {
    // The keyring is opened together with the database.
    await core.database();
    const hash = core.ports.keyring.mac(`${limit.name}\n${group}`, 'address-limit');
    const id = `adr_${Buffer.from(hash).toString('base64url').slice(0, 32)}`;
    return core.limits.take(id, publicId, limits, core.ports.now());
  });
}
