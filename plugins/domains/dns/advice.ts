// The advice to the owner of a domain about one of its DNS records. Pure. The doctor and the console show the advice.
import type { DnsRecord, DnsRecordState } from './records.ts';

/** A record, its state in DNS and the values that DNS has. */
export interface RecordInDns extends DnsRecord {
  readonly state: DnsRecordState;
  readonly found: readonly string[];
}

/** A sentence without its full stop; null if the record is right. */
export function adviceFor({ purpose, type, name, value, state, found }: RecordInDns): string | null {
  const publish = `Publish ${type} ${name} ${value}`;
  if (state === 'found') return null;
  if (state === 'unknown') return `${name} could not be looked up. Try again, or check the name servers of the domain.`;
  if (state === 'missing') return `the ${purpose.toUpperCase()} record is missing. ${publish}`;
  const current = found.join(' | ').slice(0, 200);
  switch (purpose) {
    case 'dkim':
      return `the DKIM record holds another key: receivers take the signature for forged. Replace it. ${publish}`;
    case 'spf': {
      const several = found.filter((text) => /^v=spf1(\s|$)/i.test(text)).length > 1;
      return several
        ? `there are several SPF records, and receivers then ignore all of them. Make one of them: ${current}`
        : `the SPF record does not name your servers: ${current}. Add its missing parts: ${value}`;
    }
    case 'dmarc':
      return `there are several DMARC records, and receivers then ignore all of them. Keep one of them: ${current}`;
    case 'tracking':
      return `${name} leads to ${current}. ${publish}`;
  }
}
