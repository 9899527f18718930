// Writes of several rows of a declared table, some of which may already exist. Each call uses one statement for many
// rows, and plugins need not write SQL that differs between databases. Made by rows.ts.
import type { Compilable, Kysely } from 'kysely';
import type { Statement, WorkspaceHandle } from '../contract/context/handle.ts';
import { type AnyTables, anyTables, type RowStatements, type Stored } from './row-statements.ts';

/** The columns that contain numbers. */
type NumberColumn<Row> = { [K in keyof Row]-?: Row[K] extends number ? K : never }[keyof Row] & string;

/** Writes of several rows of a table in one workspace. All rows of a call name the same columns. */
export interface RowBatches<Row extends object> {
  /**
   * Inserts the row at the end of the transaction. If a row with the same values of `conflict` exists, adds the numbers
   * in the columns `add` to it instead. A unique index must cover `conflict`. For counts: if two transactions add to
   * the same row, no number is lost.
   */
  deferAdd(
    handle: WorkspaceHandle,
    row: Row,
    conflict: readonly (keyof Row & string)[],
    add: readonly NumberColumn<Row>[],
  ): void;
  /**
   * Like `deferAdd`, for several rows. Columns in `replace` get the value of the new row if it is not null. Pass the
   * rows in the order of `conflict`, so that two transactions that add to the same rows cannot deadlock.
   */
  deferAddAll(
    handle: WorkspaceHandle,
    rows: readonly Row[],
    conflict: readonly (keyof Row & string)[],
    add: readonly NumberColumn<Row>[],
    replace?: readonly (keyof Row & string)[],
  ): void;
  /** Inserts rows at the end of the transaction. Skips rows whose values in a unique index are taken. */
  deferUnlessTaken(handle: WorkspaceHandle, rows: readonly Row[], conflict: readonly (keyof Row & string)[]): void;
  /**
   * Inserts the missing rows and locks all of them until the transaction ends, in the given order. A lock on a missing
   * row would lock nothing. Existing rows keep their values.
   */
  upsertAndLock(
    handle: WorkspaceHandle,
    rows: readonly Row[],
    conflict: readonly (keyof Row & string)[],
  ): Promise<void>;
}

/** One statement writes this many rows; the remaining rows get one statement each. */
const rowsPerStatement = 16;

const parameterNames = new Map<string, readonly string[]>();

/** The names of a column's parameters, row by row. Cached, because there are many names. */
function namesOf(column: string): readonly string[] {
  const cached = parameterNames.get(column);
  if (cached !== undefined) return cached;
  const names = Array.from({ length: rowsPerStatement }, (_, index) => `${column}_${index}`);
  parameterNames.set(column, names);
  return names;
}

/** An insert with the clause for rows that already exist. */
type FinishedInsert = Compilable<unknown> & { execute(): Promise<unknown> };
type Insert = ReturnType<Kysely<AnyTables>['insertInto']>;

export function createRowBatches<Row extends object>(statements: RowStatements<Row>): RowBatches<Row> {
  const { table, statement, insertedBy, namedBy, uniqueBy } = statements;
  const { name } = table;

  /** Calls `use` with a statement for each part of the rows, and its parameters. */
  function eachPart(
    handle: WorkspaceHandle,
    rows: readonly Row[],
    { shape, finish }: { readonly shape: string; finish(insert: Insert): FinishedInsert },
    use: (statement: Statement<Stored, Stored>, parameters: Stored) => void,
  ): void {
    const stored = rows.map((row) => insertedBy(handle, row));
    const columns = namedBy(handle, Object.keys(stored[0] ?? {}));
    const parameters = columns.map((column) => [column, namesOf(column)] as const);
    const namedColumns = columns.join();
    for (let from = 0; from < stored.length; ) {
      const count = stored.length - from >= rowsPerStatement ? rowsPerStatement : 1;
      const insertion = statement(`${shape} ${count} of ${namedColumns}`, (db, p) =>
        finish(
          db
            .insertInto(name)
            .values(
              Array.from({ length: count }, (_, index) =>
                Object.fromEntries(parameters.map(([column, names]) => [column, p[names[index] as string]])),
              ),
            ),
        ),
      );
      // Without a prototype: otherwise V8 would create hidden classes for the many names.
      const values: Stored = Object.create(null);
      for (let index = 0; index < count; index += 1)
        for (const [column, names] of parameters) values[names[index] as string] = stored[from + index]?.[column];
      use(insertion, values);
      from += count;
    }
  }

  const batches: RowBatches<Row> = {
    deferAdd: (handle, row, conflict, add) => batches.deferAddAll(handle, [row], conflict, add),
    deferAddAll(handle, rows, conflict, add, replace = []) {
      const shape = `add ${add.join()} replace ${replace.join()} on ${conflict.join()}`;
      const finish = (insert: Insert) =>
        insert.onConflict((target) =>
          target
            .columns(uniqueBy(conflict))
            .doUpdateSet(({ eb, fn, ref }) =>
              Object.fromEntries([
                ...add.map((column) => [column, eb(ref(`${name}.${column}`), '+', ref(`excluded.${column}`) as never)]),
                ...replace.map((column) => [column, fn.coalesce(ref(`excluded.${column}`), ref(`${name}.${column}`))]),
              ]),
            ),
        );
      eachPart(handle, rows, { shape, finish }, (insertion, parameters) => handle.defer(insertion, parameters));
    },
    deferUnlessTaken(handle, rows, conflict) {
      const finish = (insert: Insert) => insert.onConflict((target) => target.columns(uniqueBy(conflict)).doNothing());
      eachPart(handle, rows, { shape: `unless taken on ${conflict.join()}`, finish }, (insertion, parameters) =>
        handle.defer(insertion, parameters),
      );
    },
    async upsertAndLock(handle, rows, conflict) {
      const [firstConflictColumn] = conflict;
      if (firstConflictColumn === undefined || rows.length === 0) return;
      const finish = (insert: Insert) =>
        insert.onConflict((target) =>
          target
            .columns(uniqueBy(conflict))
            .doUpdateSet(({ ref }) => ({ [firstConflictColumn]: ref(`${name}.${firstConflictColumn}`) })),
        );
      const stored = rows.map((row) => insertedBy(handle, row));
      const columns = namedBy(handle, Object.keys(stored[0] ?? {}));
      // Always one statement. If two such statements lock some of the same rows, one waits for the other.
      const values = stored.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])));
      const [singleRow, ...otherRows] = values;
      if (singleRow === undefined || otherRows.length > 0)
        await finish(anyTables(handle.db).insertInto(name).values(values)).execute();
      else {
        const singleInsert = statement(`hold ${columns.join()} on ${conflict.join()}`, (db, p) =>
          finish(db.insertInto(name).values(Object.fromEntries(columns.map((column) => [column, p[column]])))),
        );
        await handle.run(singleInsert, singleRow);
      }
    },
  };
  return batches;
}
