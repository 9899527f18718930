// Tables of marketing: the documents of a workspace (strategy, creation defaults, calendar) and its ICPs. Both sides share all of them.
import {
  column,
  defineMigration,
  defineTable,
  type RowOf,
  type StoredRow,
  type TableDeclaration,
  type TenantRows,
  tenantRows,
} from '../../core/index.ts';
import { icps } from './icps.ts';

const documents = defineTable(
  'marketing_documents',
  {
    name: column.word('strategy', 'defaults', 'calendar'),
    version: column.integer(),
    content: column.json<Readonly<Record<string, unknown>>>(),
    updated_at: column.time().nullable(),
  },
  {
    key: 'name',
    personal: { columns: { content: 'mentions' }, searched: true, onChange: { versionColumn: 'version' } },
  },
);
export const documentRows: TenantRows<RowOf<typeof documents>> = tenantRows(documents);

export const tables: Readonly<Record<string, TableDeclaration>> = {
  marketing_documents: documents,
  marketing_icps: icps.table,
};

declare module '../../core/contract/open.ts' {
  interface Tables {
    marketing_documents: StoredRow<typeof documents>;
    marketing_icps: StoredRow<typeof icps.table>;
  }
}

export const migration0001 = defineMigration({
  id: '0001-marketing',
  changes: [
    {
      create: 'marketing_documents',
      columns: { workspace_id: 'id', name: 'id', version: 'integer', content: 'json', updated_at: 'time?' },
      primaryKey: ['workspace_id', 'name'],
    },
    ...icps.createTable,
  ],
});
