// Networks from which scanners open mail and follow its links: data for the default classifier.
import { BlockList, isIP } from 'node:net';

/**
 * Networks of mail scanners, as their operators publish them: Exchange Online Protection
 * (learn.microsoft.com/microsoft-365/enterprise/urls-and-ip-address-ranges), Barracuda Email Gateway Defense, Proofpoint,
 * Mimecast.
 */
const networks: readonly (readonly [address: string, bits: number])[] = [
  ['40.92.0.0', 15],
  ['40.107.0.0', 16],
  ['52.100.0.0', 14],
  ['104.47.0.0', 17],
  ['2a01:111:f400::', 48],
  ['2a01:111:f403::', 48],
  ['64.235.144.0', 20],
  ['209.222.80.0', 21],
  ['67.231.144.0', 20],
  ['148.163.128.0', 19],
  ['91.220.42.0', 24],
  ['146.101.78.0', 24],
  ['170.10.128.0', 20],
  ['195.130.217.0', 24],
  ['205.139.110.0', 23],
  ['207.211.30.0', 23],
];

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

let scanners: BlockList | undefined;

/** Created at the first use, so that a process without tracking starts without it. */
function scannerNetworks(): BlockList {
  if (scanners === undefined) {
    scanners = new BlockList();
    for (const [address, bits] of networks) scanners.addSubnet(address, bits, familyOf(address));
  }
  return scanners;
}

/** Whether an address belongs to a scanner network. IPv4-mapped IPv6 addresses count as IPv4. */
export function isScannerAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(plain) !== 0 && scannerNetworks().check(plain, familyOf(plain));
}
