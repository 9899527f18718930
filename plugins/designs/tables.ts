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
import type { Layer } from './schema.ts';

export const compositions = defineTable(
  'compositions',
  {
    id: column.id('cmp'),
    sandbox: column.flag(),
    name: column.text(200),
    width: column.integer(),
    height: column.integer(),
    crop_preset_id: column.key().nullable(),
    brand_id: column.id('brd').nullable(),
    layers: column.json<readonly Layer[]>(),
    version: column.integer(),
    ...timestamps,
  },
  { sides: true },
);

export interface CompositionRow extends RowOf<typeof compositions> {}
export const compositionRows: TenantRows<CompositionRow> = tenantRows(compositions);

declare module '../../core/contract/open.ts' {
  interface Tables {
    compositions: StoredRow<typeof compositions>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = { compositions };
