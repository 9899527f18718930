// The client's address and the requested host behind the proxies that the program trusts. Called by the hosts. Headers of other
// senders are ignored.
import type { IncomingHttpHeaders } from 'node:http';

/** The parts of a request that this file reads. */
interface Forwarded {
  readonly headers: Readonly<IncomingHttpHeaders>;
}

/** A dual-stack socket writes an IPv4 address as `::ffff:192.0.2.1`. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

/** The value of the outermost trusted proxy in a header to which each proxy appends its own value. */
function forwardedValue(header: string | string[] | undefined, trustProxy: boolean | number): string | undefined {
  const proxies = trustProxy === true ? Number.POSITIVE_INFINITY : Number(trustProxy);
  if (!(proxies > 0) || header === undefined) return undefined;
  const values = (Array.isArray(header) ? header.join(',') : header).split(',').map((value) => value.trim());
  const value = values[Math.max(0, values.length - proxies)];
  return value === '' ? undefined : value;
}

/**
 * The client's address. Each proxy appends its caller's address to X-Forwarded-For. With n trusted proxies the client is the n-th
 * address from the end, or the first of all if every proxy is trusted. Any client may have forged the addresses before it.
 */
export function clientAddress(
  { headers, socket }: Forwarded & { readonly socket: { readonly remoteAddress?: string | undefined } },
  trustProxy: boolean | number,
): string | undefined {
  const address = forwardedValue(headers['x-forwarded-for'], trustProxy) ?? socket.remoteAddress;
  return address === undefined ? undefined : plainAddress(address);
}

/**
 * The host that the client requested from a trusted proxy, counted as in `clientAddress`; most proxies replace an existing
 * header. Undefined if the Host header applies.
 */
export const forwardedHost = ({ headers }: Forwarded, trustProxy: boolean | number): string | undefined =>
  forwardedValue(headers['x-forwarded-host'], trustProxy);
