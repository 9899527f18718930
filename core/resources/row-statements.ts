// The statements of one declared table, each compiled once and cached, and the conversion of its rows. Called by
// row-reads.ts, row-writes.ts and row-batches.ts. Does not bind a workspace: the handle that runs a statement does
// that.
import type { Compilable, Kysely } from 'kysely';
import { defineStatement, type Statement, type WorkspaceHandle } from '../contract/context/handle.ts';
import type { Tables } from '../contract/open.ts';
import { sideColumn } from '../storage/scope.ts';
import { encodeValue, isEncoded } from './columns.ts';
import { encodeRow, rowDecoder, type TableDefinition } from './table.ts';

export type Stored = Record<string, unknown>;
/** The builder's types for a table whose name is a variable. */
export type AnyTables = Record<string, Stored>;
type Build = (db: Kysely<AnyTables>, p: Stored) => unknown;

/** Some columns with their values. An undefined value counts as absent, so a body's optional fields can be passed unchanged. */
export type RowPart<Row> = { readonly [K in keyof Row]?: Row[K] | undefined };

/**
 * Keeps the rows of a read unchanged until the transaction ends. After `update`, no other transaction can change or
 * lock them; after `share`, no other transaction can change them. A locking read sees the latest committed rows, even
 * in a transaction of the program with an older snapshot (MySQL and MariaDB).
 */
export type RowLock = 'update' | 'share';

/** Statements and conversions of a table. `Row` has the columns that are read. */
export interface RowStatements<Row extends object> {
  readonly table: TableDefinition;
  /** The statement of this name, compiled at its first use. Different statements must have different names. */
  statement(name: string, build: Build): Statement<Stored, Stored>;
  /** A select of the read columns from the rows with these values. */
  selected(where: Stored, p: Stored, db: Kysely<AnyTables>): ReturnType<typeof selectFrom>;
  encode(values: object): Stored;
  decode(stored: object): Row;
  /**
   * The stored form of a row to insert. A handle on one side fills the side in. @throws Error for a row of the other
   * side
   */
  insertedBy(handle: WorkspaceHandle, row: object): Stored;
  /**
   * The columns that a statement of the handle must name. If the handle is on one side, it adds the side column itself.
   */
  namedBy(handle: WorkspaceHandle, columns: readonly string[]): readonly string[];
  /** The columns of a unique index on these columns, with workspace and side. */
  uniqueBy(columns: readonly string[]): readonly string[];
}

const selectFrom = (db: Kysely<AnyTables>, table: string, columns: readonly string[]) =>
  db.selectFrom(table).select(columns);

/** A builder for tables whose names are variables. */
export const anyTables = (db: Kysely<Tables>): Kysely<AnyTables> => db as unknown as Kysely<AnyTables>;

/** The names of compared columns, and which of them are null, as part of a statement's name. */
export const shapeOf = (values: Stored): string =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (value === null ? `${name}=null` : name))
    .join();

/** The values as parameters with a prefix, so that a column can be both set and compared in a statement. */
export const withPrefix = (prefix: string, values: Stored): Stored =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}_${name}`, value]));

interface Conditional {
  where(column: string, operator: '=' | 'is', value: unknown): this;
}

/** The query with a condition for each value, compared with the parameter `where_<column>`. */
export function whereEqual<Q>(query: Q, values: Stored, p: Stored): Q {
  let boundQuery = query as Q & Conditional;
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    boundQuery = value === null ? boundQuery.where(name, 'is', null) : boundQuery.where(name, '=', p[`where_${name}`]);
  }
  return boundQuery;
}

interface Lockable {
  forUpdate(): this;
  forShare(): this;
}

export const withLock = <Q extends Lockable>(query: Q, lock: RowLock | undefined): Q =>
  lock === undefined ? query : lock === 'update' ? query.forUpdate() : query.forShare();

/** Creates the statements of a table. `columns`: the columns that are read. */
export function createRowStatements<Row extends object>(
  table: TableDefinition,
  columns: readonly string[],
): RowStatements<Row> {
  const compiled = new Map<string, Statement<Stored, Stored>>();
  const columnCount = Object.keys(table.definitions).length;
  const codedColumns = Object.entries(table.definitions).filter(([, definition]) => isEncoded(definition));
  /** Copies a row that names every column as a whole, which is much cheaper: each send writes several rows. */
  const encodeNew = (row: object): Stored => {
    if (Object.keys(row).length !== columnCount) return encodeRow(table, row);
    const stored: Stored = { ...row };
    for (const [column, definition] of codedColumns) stored[column] = encodeValue(definition, stored[column]);
    return stored;
  };
  return {
    table,
    statement(name, build) {
      const cached = compiled.get(name);
      if (cached !== undefined) return cached;
      const created = defineStatement((db, p: Stored) => build(anyTables(db), p) as Compilable<Stored>);
      compiled.set(name, created);
      return created;
    },
    selected: (where, p, db) => whereEqual(selectFrom(db, table.name, columns), where, p),
    encode: (values) => encodeRow(table, values),
    decode: rowDecoder<Row>(table, columns),
    insertedBy(handle, row) {
      const stored = encodeNew(row);
      const side = stored[sideColumn];
      if (table.sides && side !== undefined && handle.sandbox !== undefined && Number(handle.sandbox) !== side)
        throw new Error(`A row of ${table.name} belongs to another side than its handle.`);
      return stored;
    },
    namedBy: (handle, columnNames) =>
      table.sides && handle.sandbox !== undefined ? columnNames.filter((column) => column !== sideColumn) : columnNames,
    uniqueBy: (unique) => ['workspace_id', ...(table.sides ? [sideColumn] : []), ...unique],
  };
}
