// The writes of a declared table's rows: inserts, changes and deletions. Made by rows.ts.
import type { WorkspaceHandle } from '../contract/context/handle.ts';
import type { RowReads } from './row-reads.ts';
import { type RowPart, type RowStatements, type Stored, shapeOf, whereEqual, withPrefix } from './row-statements.ts';

/** The writes of a table in one workspace. */
export interface RowWrites<Row extends object> {
  /**
   * Inserts a row. Returns the row as it is stored: addresses are normalised.
   * @throws StorageError `unique` when a unique index already contains the same values
   */
  insert(handle: WorkspaceHandle, row: Row): Promise<Row>;
  /** The same at the end of the transaction, together with its other deferred writes. */
  deferInsert(handle: WorkspaceHandle, row: Row): void;
  /**
   * Inserts a row, unless the values of a unique index are taken. Returns false if they are taken: then nothing is written,
   * and the transaction can go on.
   */
  insertUnlessTaken(handle: WorkspaceHandle, row: Row): Promise<boolean>;
  /** Inserts the row, or sets `changes` on the row with the same values of `conflict`, which a unique index must cover. */
  upsert(
    handle: WorkspaceHandle,
    row: Row,
    conflict: readonly (keyof Row & string)[],
    changes: RowPart<Row>,
  ): Promise<void>;
  /**
   * Sets the given columns of the row with this key and these values. Returns whether the row exists, even for empty
   * changes.
   */
  update(handle: WorkspaceHandle, key: string, changes: RowPart<Row>, where?: RowPart<Row>): Promise<boolean>;
  /** The same at the end of the transaction, together with its other deferred writes. */
  deferUpdate(handle: WorkspaceHandle, key: string, changes: RowPart<Row>): void;
  /** Sets the given columns of a row that was read with `lock`, and returns the row after the change. */
  change(handle: WorkspaceHandle, row: Row, changes: RowPart<Row>): Promise<Row>;
  /** Deletes the row with this key and these values. Returns whether it existed. */
  remove(handle: WorkspaceHandle, key: string, where?: RowPart<Row>): Promise<boolean>;
}

/** The columns with a value: an undefined value counts as absent. */
const definedValues = <Row>(changes: RowPart<Row>): RowPart<Row> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as RowPart<Row>;

/** The names of statements that insert whole rows, by the sides that their handle reaches. */
const wholeShapes = {
  insert: { both: 'insert both sides', one: 'insert one side' },
  'unless taken': { both: 'unless taken both sides', one: 'unless taken one side' },
} as const;

/** Creates the writes. An update without values to set calls `count` to find out whether the row exists. */
export function createRowWrites<Row extends object>(
  statements: RowStatements<Row>,
  { count }: Pick<RowReads<Row>, 'count'>,
): RowWrites<Row> {
  const { table, statement, encode, insertedBy, namedBy, uniqueBy } = statements;
  const { name, key } = table;
  const columnCount = Object.keys(table.definitions).length;

  const addresses = Object.keys(table.definitions).filter((column) => table.definitions[column]?.kind === 'address');
  /** The row as handlers will read it, with normalised addresses. `stored` is its stored form. */
  const asStored = <R extends object>(row: R, stored: Stored): R => {
    const original = row as Stored;
    const changed = addresses.filter((column) => column in original && original[column] !== stored[column]);
    return changed.length === 0
      ? row
      : { ...row, ...Object.fromEntries(changed.map((column) => [column, stored[column]])) };
  };

  const insertStatement = (kind: 'insert' | 'unless taken', handle: WorkspaceHandle, row: Stored) => {
    const rowColumns = Object.keys(row);
    // Most rows name every column: their statement is looked up by a constant name, without joining the column names.
    const isWhole = rowColumns.length === columnCount;
    const shape = wholeShapes[kind][handle.sandbox === undefined ? 'both' : 'one'];
    return statement(isWhole ? shape : `${shape} ${rowColumns.join()}`, (db, p) => {
      const columns = namedBy(handle, isWhole ? Object.keys(table.definitions) : rowColumns);
      const insert = db.insertInto(name).values(Object.fromEntries(columns.map((column) => [column, p[column]])));
      return kind === 'insert' ? insert : insert.onConflict((conflict) => conflict.doNothing());
    });
  };
  const updateStatement = (changes: object, where: object) => {
    const [set, whereValues] = [encode(changes), encode(where)];
    const updated = statement(`update ${Object.keys(set).join()} where ${shapeOf(whereValues)}`, (db, p) => {
      const values = Object.keys(set).map((column) => [column, p[`set_${column}`]]);
      return whereEqual(db.updateTable(name).set(Object.fromEntries(values)), whereValues, p);
    });
    return { updated, parameters: { ...withPrefix('set', set), ...withPrefix('where', whereValues) } };
  };

  const writes: RowWrites<Row> = {
    async insert(handle, row) {
      const stored = insertedBy(handle, row);
      await handle.run(insertStatement('insert', handle, stored), stored);
      return asStored(row, stored);
    },
    deferInsert(handle, row) {
      const stored = insertedBy(handle, row);
      handle.defer(insertStatement('insert', handle, stored), stored);
    },
    async insertUnlessTaken(handle, row) {
      const stored = insertedBy(handle, row);
      return (await handle.run(insertStatement('unless taken', handle, stored), stored)) > 0;
    },
    async upsert(handle, row, conflict, changes) {
      const stored = insertedBy(handle, row);
      const columns = namedBy(handle, Object.keys(stored));
      const set = encode(changes);
      const shape = `upsert ${columns.join()} on ${conflict.join()} set ${Object.keys(set).join()}`;
      const upserted = statement(shape, (db, p) =>
        db
          .insertInto(name)
          .values(Object.fromEntries(columns.map((column) => [column, p[column]])))
          .onConflict((target) =>
            target
              .columns(uniqueBy(conflict))
              .doUpdateSet(Object.fromEntries(Object.keys(set).map((column) => [column, p[`set_${column}`]]))),
          ),
      );
      await handle.run(upserted, { ...stored, ...withPrefix('set', set) });
    },
    async update(handle, value, changes, where = {}) {
      const whereValues = { ...where, [key]: value } as RowPart<Row>;
      const set = definedValues(changes);
      if (Object.keys(set).length === 0) return (await count(handle, whereValues, 1)) > 0;
      const { updated, parameters } = updateStatement(set, whereValues);
      return (await handle.run(updated, parameters)) > 0;
    },
    deferUpdate(handle, value, changes) {
      const { updated, parameters } = updateStatement(changes, { [key]: value });
      handle.defer(updated, parameters);
    },
    async change(handle, row, changes) {
      const set = definedValues(changes);
      if (Object.keys(set).length === 0) return row;
      await writes.update(handle, (row as Stored)[key] as string, set);
      return { ...row, ...asStored(set, encode(set)) };
    },
    async remove(handle, value, where = {}) {
      const whereValues = encode({ ...where, [key]: value });
      const removed = statement(`remove ${shapeOf(whereValues)}`, (db, p) =>
        whereEqual(db.deleteFrom(name), whereValues, p),
      );
      return (await handle.run(removed, withPrefix('where', whereValues))) > 0;
    },
  };
  return writes;
}
