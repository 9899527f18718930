// The DNS records of a sending domain, and what is found in their place. Pure.
import { isIP } from 'node:net';
import type { Answer } from './resolver.ts';

/** What DNS has in place of a record. */
export type DnsRecordState =
  /** The record is there, or one that does the same. */
  | 'found'
  | 'missing'
  /** There is another record in its place, or one too many. */
  | 'different'
  /** DNS did not answer. */
  | 'unknown';

/** A record to publish. */
export interface DnsRecord {
  readonly purpose: 'dkim' | 'spf' | 'dmarc' | 'tracking';
  readonly type: 'TXT' | 'CNAME';
  /** The full name, without a trailing dot. */
  readonly name: string;
  /** As one text. Some DNS services want a TXT value in parts of at most 255 characters. */
  readonly value: string;
  /** Whether the domain counts as verified without it. Only the DKIM record is required. */
  readonly required: boolean;
}

/** What the records are made of. */
export interface RecordInput {
  readonly domain: string;
  readonly selector: string;
  /** SPKI in base64. */
  readonly publicKey: string;
  readonly spf: readonly string[];
  readonly dmarc: string;
  readonly trackingLabel: string;
  /** Where tracked links lead; undefined where the service has no public URL. */
  readonly trackingTarget: string | undefined;
}

/** Names that lead nowhere from outside (RFC 6761, RFC 6762, RFC 8375). */
const localName = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)$/;

/** The host as the target of a CNAME, which is a public name; undefined for addresses and for names of one machine or network. */
export function cnameTarget(host: string): string | undefined {
  const name = host.replace(/\.$/, '').toLowerCase();
  const isName = name.includes('.') && !name.startsWith('[') && isIP(name) === 0;
  return isName && !localName.test(name) ? name : undefined;
}

/** The records to publish, the required one first. */
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

/** Whether a DKIM record holds this key. `v` may be left out, `k` is rsa where it is. */
function isDkim(text: string, publicKey: string | undefined): boolean {
  const version = tag(text, 'v');
  return (version === undefined || version === 'DKIM1') && tag(text, 'p') === publicKey;
}

const isSpf = (text: string): boolean => /^v=spf1(\s|$)/i.test(text);
const words = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** SPF: one record (RFC 7208, section 4.5) that has all of our mechanisms, whatever else it has. */
function spfState(wanted: string, found: readonly string[]): DnsRecordState {
  const [only, ...more] = found.filter(isSpf);
  if (only === undefined) return 'missing';
  const has = new Set(words(only).map((word) => word.replace(/^\+/, '')));
  const needed = words(wanted).filter((word) => word !== 'v=spf1' && word !== '~all');
  return more.length === 0 && needed.every((word) => has.has(word)) ? 'found' : 'different';
}

/** The state of a record by what DNS answered for its name. */
export function stateOf(record: DnsRecord, answer: Answer): DnsRecordState {
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
      // Any policy will do: it is the domain owner's.
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
