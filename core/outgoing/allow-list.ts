// The list of allowed addresses and hosts that are not public: `outgoing.allow`. Called by the guard.
import { domainToASCII } from 'node:url';
import { type AddressBytes, type AddressRange, addressRange, isInRange } from './addresses.ts';

/** The entries in the program's list. */
export interface AllowList {
  /** Whether an address or a block of addresses is listed. If so, a name may resolve to a listed address. */
  readonly hasAddresses: boolean;
  namesHost(host: string, port: number): boolean;
  namesAddress(address: AddressBytes, port: number): boolean;
}

interface Exception {
  readonly target: string | AddressRange;
  /** Undefined for every port. */
  readonly port: number | undefined;
}

/** Reads the list. @throws RangeError on an invalid entry */
export function readAllowList(entries: readonly string[]): AllowList {
  const exceptions = entries.map(readEntry);
  const names = exceptions.filter((entry): entry is Exception & { target: string } => typeof entry.target === 'string');
  const blocks = exceptions.filter(
    (entry): entry is Exception & { target: AddressRange } => typeof entry.target !== 'string',
  );
  const coversPort = (entry: Exception, port: number) => entry.port === undefined || entry.port === port;
  return {
    hasAddresses: blocks.length > 0,
    namesHost: (host, port) => names.some((entry) => entry.target === host && coversPort(entry, port)),
    namesAddress: (address, port) =>
      blocks.some((entry) => coversPort(entry, port) && isInRange(address, entry.target)),
  };
}

/** Parses `10.0.0.0/8`, `10.1.2.3:8080`, `[fd00::1]:8080`, `fd00::/8`, `hooks.internal` or `hooks.internal:8443`. */
function readEntry(entry: string): Exception {
  const range = addressRange(entry);
  if (range !== undefined) return { target: range, port: undefined };
  const [, bracketed, plain, digits] = /^(?:\[([^\]]*)\]|([^:/]*))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  const target = addressRange(bracketed ?? plain ?? '') ?? hostName(plain ?? '');
  if (target !== undefined && (port === undefined || (port > 0 && port < 65_536))) return { target, port };
  throw new RangeError(
    `${JSON.stringify(entry)} is not a valid entry of outgoing.allow: write a host (hooks.internal), an address (10.1.2.3, [fd00::1]), either with a port (hooks.internal:8443), or a block of addresses (10.0.0.0/8).`,
  );
}

function hostName(text: string): string | undefined {
  const name = domainToASCII(text);
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name) && !/(^|\.)\d+$/.test(name) ? name : undefined;
}
