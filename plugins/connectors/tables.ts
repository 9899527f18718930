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
import type { ConnectorKind } from './port/index.ts';
import type { ConnectorStatus, ConnectorUses } from './schema.ts';

export const connectors = defineTable('connectors', {
  id: column.id('con'),
  kind: column.word<ConnectorKind>(),
  provider: column.word<string>(),
  name: column.text(100),
  /** The values that are not secret. The credentials are in the vault. */
  options: column.json<unknown>(),
  uses: column.json<ConnectorUses>(),
  status: column.word<ConnectorStatus>(),
  last_used_at: column.time().nullable(),
  ...timestamps,
});

/** The vault. A row belongs to the row with the same id in another table. */
export const credentials = defineTable(
  'credentials',
  {
    owner_id: column.id(),
    /** Increases with each change, so that users of an older value notice the change. */
    version: column.integer(),
    sealed: column.bytes(),
    expires_at: column.time().nullable(),
    /** The process that refreshes the value, until `lease_until`. */
    lease: column.word<string>().nullable(),
    lease_until: column.time().nullable(),
    ...timestamps,
  },
  { key: 'owner_id' },
);

export interface ConnectorRow extends RowOf<typeof connectors> {}
export interface CredentialsRow extends RowOf<typeof credentials> {}

declare module '../../core/contract/open.ts' {
  interface Tables {
    connectors: StoredRow<typeof connectors>;
    credentials: StoredRow<typeof credentials>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = { connectors, credentials };
export const connectorRows: TenantRows<ConnectorRow> = tenantRows(connectors);
export const credentialRows: TenantRows<CredentialsRow> = tenantRows(credentials);
