// Reads IP addresses as bytes, and decides whether an address is public. Called by the guard and by the list of
// exceptions. Accepts plain addresses only: any other text gives undefined, and callers refuse it.
import { isIPv4, isIPv6 } from 'node:net';

/** 4 bytes of IPv4 or 16 of IPv6. */
export type AddressBytes = Uint8Array;

/** A block of addresses with a common prefix. */
export interface AddressRange {
  readonly start: AddressBytes;
  readonly bits: number;
}

/** The bytes of an address; undefined for a name, a zone id or an octal number. */
export function addressBytes(text: string): AddressBytes | undefined {
  if (isIPv4(text)) return Uint8Array.from(text.split('.'), Number);
  if (!isIPv6(text) || text.includes('%')) return undefined;
  // The URL parser writes each group in hexadecimal, also an IPv4 tail.
  const [head = '', tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::');
  const left = groupsOf(head);
  const right = groupsOf(tail ?? '');
  const groups = [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

const groupsOf = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));

/** Parses a block such as `10.0.0.0/8`, or a single address. Undefined for any other text. */
export function addressRange(text: string): AddressRange | undefined {
  const [address = '', length, ...extraParts] = text.split('/');
  const start = addressBytes(address);
  if (start === undefined || extraParts.length > 0) return undefined;
  const maxBits = start.length * 8;
  if (length === undefined) return { start, bits: maxBits };
  const bits = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  return bits <= maxBits ? { start, bits } : undefined;
}

/** Whether the address is in the block. An IPv4 address is never in an IPv6 block, and an IPv6 address never in an IPv4 block. */
export function isInRange(address: AddressBytes, { start, bits }: AddressRange): boolean {
  if (address.length !== start.length) return false;
  const wholeBytes = bits >> 3;
  for (let index = 0; index < wholeBytes; index += 1) if (address[index] !== start[index]) return false;
  const shift = 8 - (bits & 7);
  return shift === 8 || (address[wholeBytes] ?? 0) >> shift === (start[wholeBytes] ?? 0) >> shift;
}

/** Parsed at first use, because a cold start needs no blocks. */
function ranges(list: readonly string[]): () => readonly AddressRange[] {
  let parsedRanges: readonly AddressRange[] | undefined;
  return () => {
    parsedRanges ??= list.map((text) => {
      const range = addressRange(text);
      if (range === undefined) throw new RangeError(`${text} is not a block of addresses.`);
      return range;
    });
    return parsedRanges;
  };
}

// The special-purpose registries of IANA (RFC 6890), and addresses in public space that cloud providers use internally.
const nonPublicRanges = ranges([
  '0.0.0.0/8', // this network
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8',
  '168.63.129.16', // Azure's platform and metadata
  '169.254.0.0/16', // link-local; the clouds' metadata
  '172.16.0.0/12',
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '2001::/23', // Teredo, ORCHID, benchmarks
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: any IPv4 address inside
  '3ffe::/16', // given back
  '3fff::/20', // documentation
]);

/** The public space of IPv6; IPv4-mapped, NAT64, unique local, link-local and multicast addresses are outside of it. */
const globalUnicast = ranges(['2000::/3']);

const loopback = ranges(['127.0.0.0/8', '::1']);

/** Whether the address is reachable from the internet, not only inside a network. */
export function isPublicAddress(address: AddressBytes): boolean {
  if (address.length === 16 && !globalUnicast().some((range) => isInRange(address, range))) return false;
  return !nonPublicRanges().some((range) => isInRange(address, range));
}

export function isLoopbackAddress(address: AddressBytes): boolean {
  return loopback().some((range) => isInRange(address, range));
}
