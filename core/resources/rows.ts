// The standard statements of a declared table, each compiled once, and bound to a workspace and side by the handle. A
// plugin's own SQL is ordinary and belongs in its store.ts.
import { createRowBatches, type RowBatches } from './row-batches.ts';
import { createRowReads, type RowReads } from './row-reads.ts';
import { createRowStatements } from './row-statements.ts';
import { createRowWrites, type RowWrites } from './row-writes.ts';
import type { RowOf, TableDefinition } from './table.ts';

/** The rows of a table in one workspace. */
export interface TenantRows<Row extends object> extends RowReads<Row>, RowWrites<Row>, RowBatches<Row> {
  readonly table: TableDefinition;
  /** The columns that order a page. */
  readonly order: { readonly time: string; readonly id: string };
  /** Converts a row that the plugin's own SQL read to the form that handlers see. It must have all columns of these rows. */
  decode(stored: object): Row;
}

type ColumnOf<D extends TableDefinition> = keyof D['definitions'] & string;

/**
 * The rows of a declared table. The only state is the compiled statements.
 * @param options.time the column that orders pages, before the key (Default: created_at)
 * @param options.columns the only columns that are read, for lists of rows with large columns. Must include the key and the
 *   time. (Default: all)
 */
export function tenantRows<D extends TableDefinition, C extends ColumnOf<D> = ColumnOf<D>>(
  table: D,
  options: { readonly time?: ColumnOf<D>; readonly columns?: readonly C[] } = {},
): TenantRows<Pick<RowOf<D>, C>> {
  type Row = Pick<RowOf<D>, C> & object;
  const time = options.time ?? 'created_at';
  const statements = createRowStatements<Row>(table, options.columns ?? Object.keys(table.definitions));
  const reads = createRowReads<Row>(statements, time);
  return {
    ...reads,
    ...createRowWrites<Row>(statements, reads),
    ...createRowBatches<Row>(statements),
    table,
    order: { time, id: table.key },
    decode: statements.decode,
  };
}
