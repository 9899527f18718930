// Decides, from the headers and the address of a request, whether it comes from the machine of the service. Pure.

import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { HttpRequest } from '../contract/http/http.ts';
import { parseUrl } from '../contract/values/parse-url.ts';

const hostForm = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

const thisMachine = new BlockList();
thisMachine.addSubnet('127.0.0.0', 8, 'ipv4');
thisMachine.addAddress('::1', 'ipv6');

/** Private networks: a container sees its host under such an address, and an office network has its users there. */
const privateNetworks = new BlockList();
privateNetworks.addSubnet('10.0.0.0', 8, 'ipv4');
privateNetworks.addSubnet('172.16.0.0', 12, 'ipv4');
privateNetworks.addSubnet('192.168.0.0', 16, 'ipv4');
privateNetworks.addSubnet('169.254.0.0', 16, 'ipv4');
privateNetworks.addSubnet('fc00::', 7, 'ipv6');
privateNetworks.addSubnet('fe80::', 10, 'ipv6');

function isLoopbackName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
}

/** Whether a Host header names this machine. False unless the header is a plain name, with or without a port. */
export function isLoopbackHost(host: string): boolean {
  return hostForm.test(host) && isLoopbackName(host.replace(/:\d{1,5}$/, ''));
}

/** Whether a URL names this machine. */
export const isLoopbackUrl = (url: string): boolean => isLoopbackName(parseUrl(url)?.hostname ?? '');

/** Whether an address is this machine or, if allowed, one of a private network. */
export function isLocalAddress(input: string, withPrivate: boolean): boolean {
  const address = input
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : undefined;
  if (family === undefined) return false;
  return thisMachine.check(address, family) || (withPrivate && privateNetworks.check(address, family));
}

const commaSeparated = (value: string | undefined): string[] => (value === undefined ? [] : value.split(','));

/** The values of a name in a Forwarded header (RFC 7239). */
const forwarded = (value: string | undefined, name: 'for' | 'host' | 'by'): string[] =>
  [...(value ?? '').matchAll(/(?:^|[;,])\s*([a-z]+)\s*=\s*(?:"([^"]*)"|([^;,\s]*))/gi)].flatMap(
    ([, key = '', quoted, plain]) => (key.toLowerCase() === name ? [quoted ?? plain ?? ''] : []),
  );

/** The proxies of a Via header (RFC 9110, section 7.6.3): `1.1 name (comment)`. */
const viaOf = (value: string | undefined): string[] =>
  commaSeparated(value).map((part) => part.trim().split(/\s+/)[1] ?? '');

/** Each of these headers contains the client's address; different proxies use different ones. */
const clientHeaders = ['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip'] as const;
const proxyHeader = /^(?:x-forwarded-.+|forwarded)$/;

/**
 * The reason why a request is not from this machine, as a sentence; undefined if it is from this machine. The Host
 * header reveals pages of other sites that use DNS rebinding. The address and the proxy headers protect a server that
 * was deployed without NODE_ENV=production.
 */
export function remoteReason(
  { headers, address }: Pick<HttpRequest, 'headers' | 'address'>,
  withPrivate: boolean,
): string | undefined {
  const { host } = headers;
  if (host === undefined && address === undefined) return 'The origin of the request is unknown.';
  const hosts = [
    ...(host === undefined ? [] : [host]),
    ...commaSeparated(headers['x-forwarded-host']),
    ...forwarded(headers.forwarded, 'host'),
  ];
  for (const name of hosts) {
    if (!isLoopbackHost(name.trim())) return `The request is for ${JSON.stringify(name.trim().slice(0, 100))}.`;
  }
  const clients = [
    ...clientHeaders.flatMap((name) => commaSeparated(headers[name])),
    ...forwarded(headers.forwarded, 'for'),
  ];
  const isNear = (address: string): boolean => isLocalAddress(address, withPrivate);
  if (![...(address === undefined ? [] : [address]), ...clients].every(isNear))
    return 'The request comes from another machine.';
  const proxies = [
    ...viaOf(headers.via),
    ...commaSeparated(headers['x-forwarded-server']),
    ...forwarded(headers.forwarded, 'by'),
  ];
  if (!proxies.every((address) => isNear(address) || isLoopbackHost(address.trim())))
    return 'The request came through a proxy on another machine.';
  // A proxy header with only a scheme or port does not identify the client.
  const isProxied = Object.keys(headers).some((name) => headers[name] !== undefined && proxyHeader.test(name));
  return isProxied && clients.length === 0
    ? 'A proxy passed the request on without the address of its client.'
    : undefined;
}
