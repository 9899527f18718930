// The client's address behind the proxies that the program says it has. Called by the hosts; believes nothing else.
import type { IncomingMessage } from 'node:http';

/** `::ffff:192.0.2.1` is how a socket for both families writes an IPv4 address. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

/**
 * Each proxy adds the address that called it to the end of X-Forwarded-For: the client is as many from the end as there
 * are trusted proxies, or the first of all when every one is trusted. What stands before that anybody can have written.
 */
export function clientAddress(request: IncomingMessage, trustProxy: boolean | number): string | undefined {
  const own = request.socket.remoteAddress;
  const proxies = trustProxy === true ? Number.POSITIVE_INFINITY : Number(trustProxy);
  const header = request.headers['x-forwarded-for'];
  if (proxies > 0 && header !== undefined) {
    const hops = (Array.isArray(header) ? header.join(',') : header).split(',').map((hop) => hop.trim());
    const client = hops[Math.max(0, hops.length - proxies)];
    if (client !== undefined && client !== '') return plainAddress(client);
  }
  return own === undefined ? undefined : plainAddress(own);
}
