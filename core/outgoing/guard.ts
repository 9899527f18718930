// The address guard: decides to which addresses a request may connect. Every address of a name is checked, and one
// forbidden address refuses them all. Called when a URL is saved and again for each connection.
import { OutgoingError } from '../contract/ports/outgoing.ts';
import { addressBytes, isLoopbackAddress, isPublicAddress } from './addresses.ts';
import type { AllowList } from './allow-list.ts';
import type { Resolve } from './resolve.ts';
import type { OutgoingTarget } from './target.ts';

export interface GuardOptions {
  readonly environment: 'development' | 'production';
  readonly allowList: AllowList;
  readonly resolve: Resolve;
}

/** Decides about addresses. */
export interface Guard {
  /** Checks the host if it is an address; a name is checked when a connection opens. @throws OutgoingError */
  checkLiteral(target: OutgoingTarget): void;
  /** The addresses to connect to, all checked. @throws OutgoingError */
  addressesOf(target: OutgoingTarget): Promise<readonly string[]>;
}

/** Makes a guard. Construction makes no look-up. */
export function createGuard({ environment, allowList, resolve }: GuardOptions): Guard {
  const inDevelopment = environment === 'development';

  function isException(target: OutgoingTarget, address: string): boolean {
    const bytes = addressBytes(address);
    if (bytes === undefined) return false;
    if (allowList.namesHost(target.host, target.port) || allowList.namesAddress(bytes, target.port)) return true;
    // This applies only if the URL itself names loopback: a foreign name that resolves to loopback is an attack that
    // the guard must stop.
    return inDevelopment && namesLoopback(target) && isLoopbackAddress(bytes);
  }

  function checkScheme(target: OutgoingTarget): void {
    const mayBeException =
      allowList.hasAddresses ||
      allowList.namesHost(target.host, target.port) ||
      (inDevelopment && namesLoopback(target));
    if (!target.secure && !mayBeException) throw notSecure(target);
  }

  function checkAddresses(target: OutgoingTarget, addresses: readonly string[]): void {
    for (const address of addresses) {
      if (isException(target, address)) continue;
      const bytes = addressBytes(address);
      if (bytes === undefined || !isPublicAddress(bytes)) throw notPublic(target, inDevelopment);
      if (!target.secure) throw notSecure(target);
    }
  }

  return {
    checkLiteral(target) {
      checkScheme(target);
      if (target.address !== undefined) checkAddresses(target, [target.host]);
    },
    async addressesOf(target) {
      checkScheme(target);
      const addresses = target.address === undefined ? await resolveHost(target.host, resolve) : [target.host];
      if (addresses.length === 0) throw new OutgoingError('dns_failed', `${target.host} has no address.`);
      checkAddresses(target, addresses);
      return addresses;
    },
  };
}

const isLocalhost = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

const namesLoopback = ({ host, address }: OutgoingTarget): boolean =>
  address === undefined ? isLocalhost(host) : isLoopbackAddress(address);

async function resolveHost(host: string, resolve: Resolve): Promise<readonly string[]> {
  // localhost must not come from DNS (RFC 6761, section 6.3).
  if (isLocalhost(host)) return ['127.0.0.1', '::1'];
  try {
    return await resolve(host);
  } catch (cause) {
    const missing = ['ENOTFOUND', 'ENODATA'].includes((cause as { code?: string } | null)?.code ?? '');
    const text = missing
      ? `${host} has no address. Check the spelling.`
      : `The address of ${host} cannot be looked up.`;
    throw new OutgoingError('dns_failed', text, { cause });
  }
}

const notSecure = ({ host }: OutgoingTarget): OutgoingError =>
  new OutgoingError('url_refused', `${host} may be called only over https: begin the URL with https://.`);

function notPublic({ host, address }: OutgoingTarget, inDevelopment: boolean): OutgoingError {
  const statement = address === undefined ? `${host} leads to an address that is` : `${host} is`;
  const advice = inDevelopment
    ? 'In development, call programs on this machine at localhost, and name other hosts of your network in outgoing.allow.'
    : 'Only public addresses, and addresses that the program names in outgoing.allow, may be called.';
  return new OutgoingError('address_refused', `${statement} not public. ${advice}`);
}
