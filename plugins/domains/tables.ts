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

export const domains = defineTable('domains', {
  id: column.id('dom'),
  /** Lower-case ASCII (IDNA). */
  domain: column.address(),
  selector: column.word<string>(),
  /** SPKI in base64, as in the DKIM record. The private key is in the vault, under this row's id. */
  public_key: column.text(),
  verified_at: column.time().nullable(),
  checked_at: column.time().nullable(),
  ...timestamps,
});

export interface DomainRow extends RowOf<typeof domains> {}

declare module '../../core/contract/open.ts' {
  interface Tables {
    domains: StoredRow<typeof domains>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = { domains };
export const domainRows: TenantRows<DomainRow> = tenantRows(domains);
