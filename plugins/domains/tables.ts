import {
  column,
  defineTable,
  type RowOf,
  type StoredRow,
  type TableDeclaration,
  type TenantRows,
  tenantRows,
  timestamps,
} from '../../core/index.ts';
import type { DnsRecord, DnsRecordState } from './dns/records.ts';

/** A limit of marketing mail that grows from day to day. */
export interface DomainRamp {
  /** The mails of the first day. */
  readonly startPerDay: number;
  /** Each day allows as many mails as the day before, times this number. */
  readonly growth: number;
  /** The end of the limit, in milliseconds. */
  readonly until: number;
}

/** What DNS had for a record at the last check. */
export interface StoredCheck {
  readonly purpose: DnsRecord['purpose'];
  readonly state: DnsRecordState;
  readonly found: readonly string[];
}

export const domains = defineTable('domains', {
  id: column.id('dom'),
  /** Lower-case ASCII (IDNA). */
  domain: column.address(),
  selector: column.word<string>(),
  /** SPKI in base64, as in the DKIM record. The private key is in the vault, under this row's id. */
  public_key: column.text(),
  /** The daily limits of marketing mail; null for a domain without a limit. */
  ramp: column.json<DomainRamp>().nullable(),
  verified_at: column.time().nullable(),
  checked_at: column.time().nullable(),
  /** By record, of the look-up at `checked_at`; null before the first one. */
  last_check: column.json<readonly StoredCheck[]>().nullable(),
  ...timestamps,
});

/**
 * The marketing mail that a domain with a ramp may send on a day. The row is locked while a mail takes its slot, so that several
 * processes share the slots exactly. Only live mail takes slots.
 */
export const domainRampDays = defineTable(
  'domain_ramp_days',
  {
    domain: column.address(),
    /** The beginning of the day, UTC. */
    day: column.time(),
    /** The slots that are taken. */
    taken: column.integer(),
  },
  // A domain has several days.
  { sides: true, key: 'domain' },
);

/** A mail with a slot. It keeps the slot if its hand-over is tried again. */
export const domainRampSlots = defineTable(
  'domain_ramp_slots',
  { send_id: column.id('snd'), day: column.time() },
  { sides: true, key: 'send_id' },
);

export interface DomainRow extends RowOf<typeof domains> {}

declare module '../../core/contract/open.ts' {
  interface Tables {
    domains: StoredRow<typeof domains>;
    domain_ramp_days: StoredRow<typeof domainRampDays>;
    domain_ramp_slots: StoredRow<typeof domainRampSlots>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  domains,
  domain_ramp_days: domainRampDays,
  domain_ramp_slots: domainRampSlots,
};
export const domainRows: TenantRows<DomainRow> = tenantRows(domains);
export const rampDayRows = tenantRows(domainRampDays, { time: 'day' });
export const rampSlotRows = tenantRows(domainRampSlots, { time: 'day' });
