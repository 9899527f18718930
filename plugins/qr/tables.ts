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
import type { QrContent, QrFrame, QrStyle } from './schema.ts';

export const qrDesigns = defineTable(
  'qr_designs',
  {
    id: column.id('qr'),
    sandbox: column.flag(),
    encodes: column.json<QrContent>(),
    label: column.text(200).nullable(),
    tags: column.json<readonly string[]>(),
    style: column.json<QrStyle>(),
    frame: column.json<QrFrame>(),
    /** The exact text of the code. */
    payload: column.text(),
    ...timestamps,
  },
  { sides: true },
);

/** The addresses on contact cards. The erasure of a person finds the designs to delete by them. */
export const qrAddresses = defineTable(
  'qr_addresses',
  {
    id: column.id('qra'),
    qr_id: column.id('qr'),
    email: column.address(),
    created_at: column.time(),
  },
  { sides: true, personal: { columns: { email: 'address' }, rows: 'plugin' } },
);

export interface QrRow extends RowOf<typeof qrDesigns> {}
export const qrRows: TenantRows<QrRow> = tenantRows(qrDesigns);
export const addressRows: TenantRows<RowOf<typeof qrAddresses>> = tenantRows(qrAddresses);

declare module '../../core/contract/open.ts' {
  interface Tables {
    qr_designs: StoredRow<typeof qrDesigns>;
    qr_addresses: StoredRow<typeof qrAddresses>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = { qr_designs: qrDesigns, qr_addresses: qrAddresses };
