// The reads of a declared table's rows: by key, by values, in pages. Made by rows.ts.
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely';
import type { WorkspaceHandle } from '../contract/context/handle.ts';
import { type CursorPosition, notOlderThan, olderThan } from '../storage/cursor.ts';
import { expressionBuilder } from '../storage/expressions.ts';
import { filledList } from '../storage/filled-list.ts';
import { scanEnd } from '../storage/scan-end.ts';
import { encodeValue } from './columns.ts';
import {
  type AnyTables,
  anyTables,
  type RowLock,
  type RowPart,
  type RowStatements,
  type Stored,
  shapeOf,
  whereEqual,
  withLock,
  withPrefix,
} from './row-statements.ts';

/** Conditions over stored columns. */
export type RowConditions = (columns: ExpressionBuilder<AnyTables, string>) => readonly Expression<SqlBool>[];

/** The request for a page, newest first. */
export interface RowPage<Row> {
  /** Columns that must be equal: null matches null, undefined is ignored. */
  readonly where?: RowPart<Row>;
  /** Conditions other than equality. */
  readonly conditions?: RowConditions | undefined;
  /** The end of the previous page. (Default: from the newest row) */
  readonly after?: CursorPosition | undefined;
  /** The last position to read, from `scanEnd`. (Default: to the oldest row) */
  readonly scannedTo?: CursorPosition | undefined;
  /** The largest number of rows. */
  readonly limit: number;
}

/** The position of the last row that was read from a span: its time and its key. */
export interface SpanPosition {
  readonly at: number;
  readonly id: string;
}

/** A span of time. */
export interface TimeSpan {
  /** Milliseconds since the epoch. */
  readonly from: number;
  /** Not included. */
  readonly until: number;
  /** Only rows after this position. Rows with the same time are ordered by id. (Default: from the beginning) */
  readonly after?: SpanPosition | undefined;
  /** The largest number of rows. */
  readonly limit: number;
}

/** The request for the rows of a span of time, oldest first. */
export interface RowSpan<Row> extends TimeSpan {
  /** The column of the time. It may be null; such rows are in no span. */
  readonly time: keyof Row & string;
  readonly where?: RowPart<Row>;
  readonly conditions?: RowConditions | undefined;
}

/** The reads of a table in one workspace. */
export interface RowReads<Row extends object> {
  /** The row with this key; undefined if the workspace, or the handle's side of it, does not have it. */
  find(handle: WorkspaceHandle, key: string): Promise<Row | undefined>;
  /** The first row with these values. `lock` needs a transaction. (Default: no lock) */
  findBy(handle: WorkspaceHandle, where: RowPart<Row>, lock?: RowLock): Promise<Row | undefined>;
  /**
   * The rows with one of `values` in a column, ordered by key, so that transactions that lock several rows lock them in
   * the same order and cannot deadlock. `lock` needs a transaction. (Default: no lock) `where`: values that the rows
   * have in other columns.
   */
  findIn(
    handle: WorkspaceHandle,
    column: keyof Row & string,
    values: readonly string[],
    lock?: RowLock,
    where?: RowPart<Row>,
  ): Promise<Row[]>;
  /** Like `find`, and locks the row: no other transaction can change it until this one ends. */
  lock(handle: WorkspaceHandle, key: string): Promise<Row | undefined>;
  /** A page, newest first. */
  page(handle: WorkspaceHandle, request: RowPage<Row>): Promise<Row[]>;
  /**
   * The position at which a page ends if no index serves its `conditions`: the position of the last row, if it reads 20,000 rows with
   * the values `where`. Undefined if the list ends before.
   */
  scanEnd(handle: WorkspaceHandle, request: Pick<RowPage<Row>, 'where' | 'after'>): Promise<CursorPosition | undefined>;
  /** The rows of a span of time, oldest first. The column needs an index: workspace, side if there are sides, time, key. */
  between(handle: WorkspaceHandle, span: RowSpan<Row>): Promise<Row[]>;
  /** All rows with these values, newest first, in batches. */
  each(handle: WorkspaceHandle, where?: RowPart<Row>, batch?: number): AsyncGenerator<readonly Row[]>;
  /** The number of rows with these values; counting stops at `limit`. */
  count(handle: WorkspaceHandle, where: RowPart<Row>, limit: number): Promise<number>;
  position(row: Row): CursorPosition;
}

/** The names of the parameters of a list. Cached, because lists are long. */
const slotNames: string[] = [];
function slotOf(index: number): string {
  const name = slotNames[index] ?? `in_${index}`;
  slotNames[index] = name;
  return name;
}

/** Creates the reads. `time` is the column that orders pages, before the key. */
export function createRowReads<Row extends object>(statements: RowStatements<Row>, time: string): RowReads<Row> {
  const { statement, selected, encode, decode } = statements;
  const { table } = statements;
  const { name, key } = table;
  const encodeKey = (value: string): Stored => withPrefix('where', encode({ [key]: value }));

  const reads: RowReads<Row> = {
    async find(handle, value) {
      const byKey = statement('find', (db, p) => selected({ [key]: value }, p, db));
      const row = await handle.one(byKey, encodeKey(value));
      return row === undefined ? undefined : decode(row);
    },
    async findBy(handle, where, lock) {
      const values = encode(where);
      const shape = `find ${shapeOf(values)} ${lock}`;
      const row = await handle.one(
        statement(shape, (db, p) => withLock(selected(values, p, db), lock)),
        withPrefix('where', values),
      );
      return row === undefined ? undefined : decode(row);
    },
    async findIn(handle, column, values, lock, where = {}) {
      if (values.length === 0) return [];
      const definition = table.definitions[column];
      const stored =
        definition === undefined ? values : values.map((value) => encodeValue(definition, value) as string);
      const list = filledList([...stored].sort());
      const otherValues = encode(where);
      const rows = statement(`in ${column} ${list.length} ${lock} ${shapeOf(otherValues)}`, (db, p) => {
        const isListed = selected(otherValues, p, db).where(
          column as string,
          'in',
          list.map((_, index) => p[slotOf(index)]),
        );
        if (definition?.kind !== 'id') return withLock(isListed.orderBy(key), lock);
        // The range is redundant, but makes Postgres seek. Without it, if the statistics show a small workspace,
        // Postgres reads all rows of the workspace. Only ids have the same order here and in every database.
        const inRange = isListed.where(column as string, '>=', p['first']).where(column as string, '<=', p['last']);
        return withLock(inRange.orderBy(key), lock);
      });
      const parameters: Stored = { ...withPrefix('where', otherValues), first: list[0], last: list.at(-1) };
      for (const [index, value] of list.entries()) parameters[slotOf(index)] = value;
      return (await handle.all(rows, parameters)).map(decode);
    },
    lock: async (handle, value) => await reads.findBy(handle, { [key]: value } as RowPart<Row>, 'update'),
    async page(handle, { where = {}, conditions, after, scannedTo, limit }) {
      if (table.definitions[time] === undefined)
        throw new TypeError(
          `Pages of ${table.name} need a time, and it has no column ${time}: name one, tenantRows(${table.name}, { time: '…' }), or read with findIn.`,
        );
      const values = encode(where);
      const extraConditions = conditions?.(expressionBuilder<AnyTables, string>()) ?? [];
      const build = (db: Kysely<AnyTables>, p: Stored) => {
        let query = selected(values, p, db);
        if (extraConditions.length > 0) query = query.where((eb) => eb.and([...extraConditions]));
        if (after !== undefined)
          query = query.where(
            olderThan(time, key, { createdAt: p['after_time'] as number, id: p['after_id'] as string }),
          );
        if (scannedTo !== undefined) query = query.where(notOlderThan(time, key, scannedTo));
        return query
          .orderBy(time, 'desc')
          .orderBy(key, 'desc')
          .limit(p['limit'] as number);
      };
      const parameters = {
        ...withPrefix('where', values),
        ...(after === undefined ? {} : { after_time: after.createdAt, after_id: after.id }),
        limit,
      };
      // A filtered page is planned for its values: a generic plan may walk the whole list to find a rare value.
      const isWholeList = extraConditions.length === 0 && Object.keys(values).length === 0 && scannedTo === undefined;
      const rows = isWholeList
        ? await handle.all(statement(`page ${after !== undefined}`, build), parameters)
        : await build(anyTables(handle.db), parameters).execute();
      return rows.map(decode);
    },
    scanEnd: (handle, { where = {}, after }) => {
      const values = encode(where);
      return scanEnd(selected(values, withPrefix('where', values), anyTables(handle.db)), time, key, after);
    },
    async between(handle, { time: timeColumn, from, until, after, limit, where = {}, conditions }) {
      const column: string = timeColumn;
      const values = encode(where);
      const extraConditions = conditions?.(expressionBuilder<AnyTables, string>()) ?? [];
      const start = after === undefined ? from : Math.max(from, after.at);
      let query = selected(values, withPrefix('where', values), anyTables(handle.db))
        .where(column, '>=', start)
        .where(column, '<', until);
      if (extraConditions.length > 0) query = query.where((eb) => eb.and([...extraConditions]));
      if (after !== undefined) query = query.where((eb) => eb.or([eb(column, '>', after.at), eb(key, '>', after.id)]));
      const rows = await query.orderBy(column).orderBy(key).limit(limit).execute();
      return rows.map(decode);
    },
    async *each(handle, where = {}, batch = 200) {
      for (let after: CursorPosition | undefined, more = true; more; ) {
        const rows: Row[] = await reads.page(handle, { where, after, limit: batch });
        const last = rows.at(-1);
        more = rows.length === batch;
        if (last !== undefined) {
          after = reads.position(last);
          yield rows;
        }
      }
    },
    async count(handle, where, limit) {
      const values = encode(where);
      const counted = statement(`count ${shapeOf(values)}`, (db, p) =>
        whereEqual(db.selectFrom(name).select(key), values, p).limit(p['limit'] as number),
      );
      return (await handle.all(counted, { ...withPrefix('where', values), limit })).length;
    },
    position: (row) => {
      const values = row as Stored;
      return { createdAt: values[time] as number, id: values[key] as string };
    },
  };
  return reads;
}
