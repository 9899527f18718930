// Tables of marketing: the two documents of a workspace (strategy, creation defaults) and its ICPs. All are shared by both sides.
import {
  column,
  defineMigration,
  defineTable,
  type RowOf,
  type StoredRow,
  type TableDeclaration,
  type TenantRows,
  tenantRows,
  timestamps,
} from '../../core/index.ts';

const documents = defineTable(
  'marketing_documents',
  {
    name: column.word('strategy', 'defaults'),
    version: column.integer(),
    content: column.json<Readonly<Record<string, unknown>>>(),
    updated_at: column.time().nullable(),
  },
  { key: 'name' },
);
export const documentRows: TenantRows<RowOf<typeof documents>> = tenantRows(documents);

const words = column.json<string[]>();
export const icps = defineTable('marketing_icps', {
  id: column.id('icp'),
  name: column.key(),
  description: column.text(2_000),
  industries: words,
  company_sizes: words,
  roles: words,
  pains: words,
  goals: words,
  triggers: words,
  objections: words,
  channels: words,
  is_primary: column.flag(),
  ...timestamps,
});
export interface IcpRow extends RowOf<typeof icps> {}
export const icpRows: TenantRows<IcpRow> = tenantRows(icps);

export const tables: Readonly<Record<string, TableDeclaration>> = {
  marketing_documents: documents,
  marketing_icps: icps,
};

declare module '../../core/contract/open.ts' {
  interface Tables {
    marketing_documents: StoredRow<typeof documents>;
    marketing_icps: StoredRow<typeof icps>;
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
    {
      create: 'marketing_icps',
      columns: {
        id: 'id',
        workspace_id: 'id',
        name: 'key',
        description: 'text',
        industries: 'json',
        company_sizes: 'json',
        roles: 'json',
        pains: 'json',
        goals: 'json',
        triggers: 'json',
        objections: 'json',
        channels: 'json',
        is_primary: 'flag',
        created_at: 'time',
        updated_at: 'time',
      },
      primaryKey: ['id'],
    },
    { index: 'marketing_icps_list', on: 'marketing_icps', columns: ['workspace_id', 'created_at', 'id'] },
  ],
});
