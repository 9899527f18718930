// The DNS records of a sending domain, and their state in DNS. Pure.
import { isIP } from 'node:net';
import type { DnsLookupResult } from './resolver.ts';

/** The state of a record in DNS. */
export type DnsRecordState =
  /** DNS has the record or an equivalent one. */
  | 'found'
  | 'missing'
  /** DNS has another record in its place, or more than one. */
  | 'different'
  /** DNS did not answer. */
  | 'unknown';

/** A record to publish. */
export interface DnsRecord {
  readonly purpose: 'dkim' | 'spf' | 'dmarc' | 'tracking';
  readonly type: 'TXT' | 'CNAME';
  /** The full name, without a trailing dot. */
  readonly name: string;
  /** The value as one text. Some DNS services require TXT values in parts of at most 255 characters. */
  readonly value: string;
  /** Whether the domain needs the record to be verified. Only the DKIM record is required. */
  readonly required: boolean;
}

/** The values from which the records are made. */
export interface RecordInput {
  readonly domain: string;
  readonly selector: string;
  /** SPKI in base64. */
  readonly publicKey: string;
  readonly spf: readonly string[];
  readonly dmarc: string;
  readonly trackingLabel: string;
  /** The host to which tracked links point; undefined if the service has no public URL. */
  readonly trackingTarget: string | undefined;
}

/** Names that do not resolve outside of a machine or network (RFC 6761, RFC 6762, RFC 8375). */
const localName = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)$/;

/**
 * The host as the target of a CNAME, which must be a public name. Undefined for IP addresses and for names of one machine or
 * network.
 */
export function cnameTarget(host: string): string | undefined {
  const name = host.replace(/\.$/, '').toLowerCase();
  const isName = name.includes('.') && !name.startsWith('[') && isIP(name) === 0;
  return isName && !localName.test(name) ? name : undefined;
}

/** The records to publish. The required record comes first. */
export function recordsOf(input: RecordInput): DnsRecord[] {
  const { domain, selector, publicKey, spf, dmarc, trackingLabel, trackingTarget } = input;
  return [
    // RFC 6376, section 3.6.1.
    {
      purpose: 'dkim',
      type: 'TXT',
      name: `${selector}._domainkey.${domain}`,
      value: `v=DKIM1; k=rsa; p=${publicKey}`,
      required: true,
    },
    { purpose: 'spf', type: 'TXT', name: domain, value: `v=spf1 ${[...spf, '~all'].join(' ')}`, required: false },
    { purpose: 'dmarc', type: 'TXT', name: `_dmarc.${domain}`, value: dmarc, required: false },
    ...(trackingTarget === undefined
      ? []
      : [
          {
            purpose: 'tracking',
            type: 'CNAME',
            name: `${trackingLabel}.${domain}`,
            value: trackingTarget,
            required: false,
          } as const,
        ]),
  ];
}

/** A tag of a DKIM or DMARC record, without white space. */
const tag = (text: string, name: string): string | undefined =>
  text
    .split(';')
    .map((part) => part.split('='))
    .find(([key = '']) => key.trim().toLowerCase() === name)
    ?.slice(1)
    .join('=')
    .replaceAll(/\s/g, '');

/** Whether a DKIM record contains this key. `v` may be left out, and `k` defaults to rsa. */
function isDkim(text: string, publicKey: string | undefined): boolean {
  const version = tag(text, 'v');
  return (version === undefined || version === 'DKIM1') && tag(text, 'p') === publicKey;
}

const isSpf = (text: string): boolean => /^v=spf1(\s|$)/i.test(text);
const words = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/**
 * The state of SPF: exactly one record (RFC 7208, section 4.5) with all required mechanisms, regardless of its other mechanisms.
 */
function spfState(expected: string, found: readonly string[]): DnsRecordState {
  const [only, ...more] = found.filter(isSpf);
  if (only === undefined) return 'missing';
  const has = new Set(words(only).map((word) => word.replace(/^\+/, '')));
  const needed = words(expected).filter((word) => word !== 'v=spf1' && word !== '~all');
  return more.length === 0 && needed.every((word) => has.has(word)) ? 'found' : 'different';
}

/** The state of a record, from the DNS response for its name. */
export function stateOf(record: DnsRecord, answer: DnsLookupResult): DnsRecordState {
  if ('failed' in answer) return 'unknown';
  const { records } = answer;
  switch (record.purpose) {
    case 'dkim': {
      const publicKey = tag(record.value, 'p');
      if (records.some((text) => isDkim(text, publicKey))) return 'found';
      return records.length === 0 ? 'missing' : 'different';
    }
    case 'spf':
      return spfState(record.value, records);
    case 'dmarc': {
      // Any policy is accepted, because the domain owner chooses it.
      const policies = records.filter((text) => tag(text, 'v') === 'DMARC1');
      if (policies.length === 0) return 'missing';
      return policies.length === 1 ? 'found' : 'different';
    }
    case 'tracking': {
      const names = records.map((name) => name.toLowerCase().replace(/\.$/, ''));
      if (names.includes(record.value)) return 'found';
      return names.length === 0 ? 'missing' : 'different';
    }
  }
}
