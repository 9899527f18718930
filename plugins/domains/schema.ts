// Sending domains as callers see them, with the records to publish and what the last check found.
import { toIsoTime, toIsoTimeOrNull, z } from '../../core/index.ts';
import { withAdvice } from './dns/check-records.ts';
import type { DnsRecord } from './dns/records.ts';
import type { DomainRow } from './tables.ts';

const isoTime = z.iso.datetime({ precision: 3 });

export const domainSummary = z
  .object({
    id: z.string(),
    domain: z.string(),
    status: z
      .enum(['pending', 'verified'])
      .describe('verified: the DKIM record was found, and mail from the domain is accepted and signed.'),
    faults: z
      .int()
      .nullable()
      .describe('The number of records that were not right at the last check; null before the first check.'),
    verifiedAt: isoTime.nullable(),
    checkedAt: isoTime.nullable().describe('The time of the last check of DNS.'),
    createdAt: isoTime,
  })
  .meta({ id: 'DomainSummary' });

const domainRecord = z
  .object({
    purpose: z.enum(['dkim', 'spf', 'dmarc', 'tracking']),
    type: z.enum(['TXT', 'CNAME']),
    name: z.string().describe('The full name, without a trailing dot.'),
    value: z
      .string()
      .describe('The value as one text. Some DNS services need a long TXT value in parts of at most 255 characters.'),
    required: z.boolean().describe('Whether the domain is verified only with this record.'),
    state: z
      .enum(['found', 'missing', 'different', 'unknown'])
      .nullable()
      .describe(
        'At the last check. different: DNS has another record in its place, or several. unknown: DNS did not answer. null before the first check.',
      ),
    found: z.array(z.string()).describe('What DNS had at the last check.'),
    advice: z.string().nullable().describe('What to do; null if there is nothing to do.'),
  })
  .meta({ id: 'DomainRecord' });

export const domainResource = domainSummary
  .extend({
    selector: z.string().describe('The label of the DKIM record.'),
    records: z.array(domainRecord),
    alignment: z
      .string()
      .describe('Whether receivers find that signature and sender belong together (DMARC), as a sentence.'),
  })
  .meta({ id: 'Domain' });

export type DomainResource = z.output<typeof domainResource>;
export type DomainSummary = z.output<typeof domainSummary>;

export const presentSummary = (row: DomainRow): DomainSummary => ({
  id: row.id,
  domain: row.domain,
  status: row.verified_at === null ? 'pending' : 'verified',
  faults: row.last_check === null ? null : row.last_check.filter(({ state }) => state !== 'found').length,
  verifiedAt: toIsoTimeOrNull(row.verified_at),
  checkedAt: toIsoTimeOrNull(row.checked_at),
  createdAt: toIsoTime(row.created_at),
});

/** A record with what the last check found. */
function recordOf({ last_check: checks }: DomainRow, record: DnsRecord): DomainResource['records'][number] {
  const check = checks?.find(({ purpose }) => purpose === record.purpose);
  if (check === undefined) return { ...record, state: null, found: [], advice: null };
  const { state, found } = check;
  return { ...withAdvice({ ...record, state, found }), found: [...found] };
}

const stateIn = ({ last_check: checks }: DomainRow, purpose: DnsRecord['purpose']) =>
  checks?.find((one) => one.purpose === purpose)?.state;

/** Whether DMARC passes, which needs a signature or a return path of the sender's own domain. */
function alignmentOf(row: DomainRow): string {
  const { domain } = row;
  if (row.verified_at === null)
    return `Mail from ${domain} is not signed by this service yet: DMARC has nothing to compare.`;
  if (stateIn(row, 'dkim') === 'missing' || stateIn(row, 'dkim') === 'different')
    return `Mail is signed as ${domain}, but receivers cannot check the signature: DMARC fails unless the return path is on ${domain}, too.`;
  return `Mail that the service writes itself is signed as ${domain}, the domain of its sender: DMARC passes by DKIM, whatever the return path is.`;
}

export const presentDomain = (row: DomainRow, records: readonly DnsRecord[]): DomainResource => ({
  ...presentSummary(row),
  selector: row.selector,
  records: records.map((record) => recordOf(row, record)),
  alignment: alignmentOf(row),
});
