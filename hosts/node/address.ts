// The client's address, and the requested host, behind the proxies that the program trusts. Called by the hosts;
// headers of other senders are ignored.
import type { IncomingHttpHeaders } from 'node:http';

/** What of a request is read here. */
interface Forwarded {
  readonly headers: Readonly<IncomingHttpHeaders>;
}

/** A dual-stack socket writes an IPv4 address as `::ffff:192.0.2.1`. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

/** The value that the outermost trusted proxy appended to a header to which each proxy appends its own. */
function forwardedValue(header: string | string[] | undefined, trustProxy: boolean | number): string | undefined {
  const proxies = trustProxy === true ? Number.POSITIVE_INFINITY : Number(trustProxy);
  if (!(proxies > 0) || header === undefined) return undefined;
  const values = (Array.isArray(header) ? header.join(',') : header).split(',').map((value) => value.trim());
  const value = values[Math.max(0, values.length - proxies)];
  return value === '' ? undefined : value;
}

/**
 * Each proxy appends its caller's address to X-Forwarded-For: with n trusted proxies the client is the n-th from the
 * end, or the first of all when every proxy is trusted. Any client can have written the addresses before that one.
 */
export function clientAddress(
  { headers, socket }: Forwarded & { readonly socket: { readonly remoteAddress?: string | undefined } },
  trustProxy: boolean | number,
): string | undefined {
  const address = forwardedValue(headers['x-forwarded-for'], trustProxy) ?? socket.remoteAddress;
  return address === undefined ? undefined : plainAddress(address);
}

/**
 * The host that a trusted proxy was asked for, counted as above; most proxies replace an existing header. Undefined
 * where the Host header counts.
 */
export const forwardedHost = ({ headers }: Forwarded, trustProxy: boolean | number): string | undefined =>
  forwardedValue(headers['x-forwarded-host'], trustProxy);
