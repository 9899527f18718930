// The client's address, and the host that it asked for, behind the proxies that the program says it has. Called by the hosts;
// believes nothing else.
import type { IncomingMessage } from 'node:http';

/** `::ffff:192.0.2.1` is how a socket for both families writes an IPv4 address. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

/** The value that the outermost trusted proxy wrote into a header to whose end each proxy adds its own. */
function forwardedValue(header: string | string[] | undefined, trustProxy: boolean | number): string | undefined {
  const proxies = trustProxy === true ? Number.POSITIVE_INFINITY : Number(trustProxy);
  if (!(proxies > 0) || header === undefined) return undefined;
  const values = (Array.isArray(header) ? header.join(',') : header).split(',').map((value) => value.trim());
  const value = values[Math.max(0, values.length - proxies)];
  return value === '' ? undefined : value;
}

/**
 * Each proxy adds the address that called it to the end of X-Forwarded-For: the client is as many from the end as there
 * are trusted proxies, or the first of all when every one is trusted. What stands before that anybody can have written.
 */
export function clientAddress({ headers, socket }: IncomingMessage, trustProxy: boolean | number): string | undefined {
  const address = forwardedValue(headers['x-forwarded-for'], trustProxy) ?? socket.remoteAddress;
  return address === undefined ? undefined : plainAddress(address);
}

/**
 * The host that a trusted proxy was asked for, counted as above; most proxies put theirs in place of what came. Undefined
 * where the Host header says it.
 */
export const forwardedHost = ({ headers }: IncomingMessage, trustProxy: boolean | number): string | undefined =>
  forwardedValue(headers['x-forwarded-host'], trustProxy);
