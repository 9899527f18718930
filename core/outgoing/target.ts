// Parses the URL of a request as WHATWG does, and refuses spellings that another parser could read differently. Called
// by the guard; does no look-up.

import { isIPv4 } from 'node:net';
import { domainToASCII } from 'node:url';
import { OutgoingError } from '../contract/ports/outgoing.ts';
import { parseUrl } from '../contract/values/parse-url.ts';
import { type AddressBytes, addressBytes } from './addresses.ts';

/** The parts of an allowed URL. */
export interface OutgoingTarget {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  /** A name in lower-case ASCII, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** Set if the host is an address. */
  readonly address: AddressBytes | undefined;
}

// "Port blocking" of the Fetch standard (https://fetch.spec.whatwg.org/#port-blocking): services that could read an
// HTTP request as commands of their own protocol.
const blockedPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

const refuse = (message: string) => new OutgoingError('url_refused', message);

/** Parses a URL. @throws OutgoingError `url_refused` */
export function readTarget(text: string): OutgoingTarget {
  // The parser removes or converts these characters: the called URL would differ from the written one.
  if (/[\s\\\p{Cc}]/u.test(text)) throw refuse('The URL contains a space, a control character or a backslash.');
  const [, authority] = /^https?:\/\/([^/?#]+)/i.exec(text) ?? [];
  const url = parseUrl(text);
  if (authority === undefined || url === undefined)
    throw refuse('This URL cannot be called: write it as https://host/path.');
  if (authority.includes('@')) throw refuse('The URL contains a user name or a password: leave them out.');
  const host = hostOf(url, authority);
  const secure = url.protocol === 'https:';
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  if (blockedPorts.has(port)) throw refuse(`Port ${port} belongs to a protocol other than HTTP: use another port.`);
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    host,
    port,
    secure,
    address: addressBytes(host),
  };
}

/**
 * The target of a connection for a protocol other than HTTP. @throws OutgoingError `url_refused` for an invalid host or
 * port
 */
export function tcpTarget(input: string, port: number): OutgoingTarget {
  const text = input.replace(/^\[(.*)\]$/, '$1');
  const host = addressBytes(text) === undefined ? domainToASCII(text) : text.toLowerCase();
  const isName = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(host);
  if (!isName && addressBytes(host) === undefined) throw refuse('The host is not valid: write a name or an address.');
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw refuse('The port is not valid: write 1 to 65535.');
  // `secure` has no meaning here. With true, the guard does not refuse the scheme.
  return { origin: `tcp://${host}:${port}`, path: '', host, port, secure: true, address: addressBytes(host) };
}

function hostOf(url: URL, authority: string): string {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const spelledHost = authority.replace(/:\d*$/, '');
  if (isIPv4(host) && spelledHost !== host)
    throw refuse('The URL has an IP address in an unusual spelling: write it as four decimal numbers.');
  if (spelledHost.includes('%'))
    throw refuse("The URL's host contains a percent sign: write the name without percent-encoding.");
  if (host.endsWith('.')) throw refuse("The URL's host ends in a dot: leave it out.");
  return host;
}
