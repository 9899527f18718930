// The ordinary statements of a table: compiled once each, bound to the handle's workspace and side by the handle itself.
// Own SQL beside it stays ordinary: a plugin's store.ts.
import type { Compilable, Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely';
import type { Statement, WorkspaceHandle } from '../contract/handle.ts';
import { defineStatement } from '../contract/handle.ts';
import type { Tables } from '../contract/open.ts';
import type { CursorPosition } from '../storage/cursor.ts';
import { olderThan } from '../storage/cursor.ts';
import { filledList } from '../storage/filled-list.ts';
import { sideColumn } from '../storage/scope.ts';
import { encodeValue, isCoded } from './columns.ts';
import type { RowOf, TableDefinition } from './table.ts';
import { decodeRow, encodeRow } from './table.ts';

type Stored = Record<string, unknown>;
type AnyTables = Record<string, Stored>;
/** Conditions over stored columns. */
export type RowConditions = (columns: ExpressionBuilder<AnyTables, string>) => readonly Expression<SqlBool>[];

/** Columns with their values; undefined says nothing of a column, so that a body's optional fields can be given as they are. */
export type RowPart<Row> = { readonly [K in keyof Row]?: Row[K] | undefined };

/** Which rows, in which order: newest first. */
export interface RowPage<Row> {
  /** Of columns that must be equal; null asks for null, undefined for nothing. */
  readonly where?: RowPart<Row>;
  /** What equality cannot say. */
  readonly conditions?: RowConditions | undefined;
  readonly after?: CursorPosition | undefined;
  /** The most rows. */
  readonly limit: number;
}

/**
 * How rows that are read stay as they are until the transaction ends: `update` keeps every other transaction from changing or
 * locking them, `share` from changing them. What is read is what is committed by now, also in a transaction of the program that
 * shows everything as it was at its first look (MySQL and MariaDB).
 */
export type RowLock = 'update' | 'share';

/** The rows of a table in one workspace. */
export interface TenantRows<Row extends object> {
  readonly table: TableDefinition;
  /** A row of the plugin's own SQL as handlers see it; it must hold all columns of these rows. */
  decode(stored: object): Row;
  /** The columns of a page's order. */
  readonly order: { readonly time: string; readonly id: string };
  /** The row of this key; undefined where the workspace, or this side of it, has none. */
  find(handle: WorkspaceHandle, key: string): Promise<Row | undefined>;
  /** The first row with these values. `lock` needs a transaction. (Default: no lock) */
  findBy(handle: WorkspaceHandle, where: RowPart<Row>, lock?: RowLock): Promise<Row | undefined>;
  /**
   * The rows whose column is one of `values`, in the order of their keys: transactions that lock several wait for each other
   * in one order. `lock` needs a transaction. (Default: no lock)
   */
  findIn(
    handle: WorkspaceHandle,
    column: keyof Row & string,
    values: readonly string[],
    lock?: RowLock,
  ): Promise<Row[]>;
  /** The same as `find`; no other transaction changes the row until this one has ended. */
  lock(handle: WorkspaceHandle, key: string): Promise<Row | undefined>;
  /** @throws StorageError `unique` where a unique index holds the same values already */
  insert(handle: WorkspaceHandle, row: Row): Promise<Row>;
  /** The same at the end of the transaction, together with its other deferred writes. */
  deferInsert(handle: WorkspaceHandle, row: Row): void;
  /** False where the values of a unique index are taken: nothing was written then, and the transaction goes on. */
  insertUnlessTaken(handle: WorkspaceHandle, row: Row): Promise<boolean>;
  /** Inserts, or sets `changes` on the row that holds the same values of `conflict`, which a unique index must cover. */
  upsert(
    handle: WorkspaceHandle,
    row: Row,
    conflict: readonly (keyof Row & string)[],
    changes: RowPart<Row>,
  ): Promise<void>;
  /** Sets what `changes` names; answers whether there was such a row. `where` narrows by equal values. */
  update(handle: WorkspaceHandle, key: string, changes: RowPart<Row>, where?: RowPart<Row>): Promise<boolean>;
  /** The same at the end of the transaction, together with its other deferred writes. */
  deferUpdate(handle: WorkspaceHandle, key: string, changes: RowPart<Row>): void;
  /**
   * Sets what `changes` names on a row that was read with `lock`, and answers it as it is then. What is undefined stays as it
   * is: the body of a PATCH can be given as it came.
   */
  change(handle: WorkspaceHandle, row: Row, changes: RowPart<Row>): Promise<Row>;
  /** Answers whether there was one. */
  remove(handle: WorkspaceHandle, key: string, where?: RowPart<Row>): Promise<boolean>;
  /** A page, newest first. */
  page(handle: WorkspaceHandle, request: RowPage<Row>): Promise<Row[]>;
  /** All rows with these values, newest first, a batch at a time. */
  each(handle: WorkspaceHandle, where?: RowPart<Row>, batch?: number): AsyncGenerator<readonly Row[]>;
  /** How many rows have these values; counting stops at `limit`. */
  count(handle: WorkspaceHandle, where: RowPart<Row>, limit: number): Promise<number>;
  position(row: Row): CursorPosition;
}

type ColumnOf<D extends TableDefinition> = keyof D['definitions'] & string;

/** Equal values as a part of a statement: which columns, which of them null. */
const shapeOf = (values: Stored): string =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (value === null ? `${name}=null` : name))
    .join();

const prefixed = (prefix: string, values: Stored): Stored =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}_${name}`, value]));

interface Conditional {
  where(column: string, operator: '=' | 'is', value: unknown): this;
}

function whereEqual<Q>(query: Q, values: Stored, p: Stored): Q {
  let narrowed = query as Q & Conditional;
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    narrowed = value === null ? narrowed.where(name, 'is', null) : narrowed.where(name, '=', p[`where_${name}`]);
  }
  return narrowed;
}

interface Lockable {
  forUpdate(): this;
  forShare(): this;
}

const locked = <Q extends Lockable>(query: Q, lock: RowLock | undefined): Q =>
  lock === undefined ? query : lock === 'update' ? query.forUpdate() : query.forShare();

/**
 * The rows of a declared table. Keeps compiled statements and nothing else.
 * @param options.time the column of a page's order, before the key (Default: created_at)
 * @param options.columns the only columns that are read: for lists of rows with large ones. Must hold the key and the time.
 *   (Default: all)
 */
export function tenantRows<D extends TableDefinition, C extends ColumnOf<D> = ColumnOf<D>>(
  table: D,
  options: { readonly time?: ColumnOf<D>; readonly columns?: readonly C[] } = {},
): TenantRows<Pick<RowOf<D>, C>> {
  type Row = Pick<RowOf<D>, C> & object;
  const { name, key } = table;
  const time = options.time ?? 'created_at';
  const columns: readonly string[] = options.columns ?? Object.keys(table.definitions);
  const allColumns = Object.keys(table.definitions).length;
  const keyParameter = `where_${key}`;
  const kept = new Map<string, Statement<Stored, Stored>>();
  const loose = (db: Kysely<Tables>): Kysely<AnyTables> => db as unknown as Kysely<AnyTables>;

  const statement = (
    shape: string,
    build: (db: Kysely<AnyTables>, p: Stored) => unknown,
  ): Statement<Stored, Stored> => {
    const known = kept.get(shape);
    if (known !== undefined) return known;
    const made = defineStatement((db, p: Stored) => build(loose(db), p) as Compilable<Stored>);
    kept.set(shape, made);
    return made;
  };
  const encode = (values: object): Stored => encodeRow(table, values);
  const coded = Object.entries(table.definitions).filter(([, definition]) => isCoded(definition));
  /** A row that names every column is copied as a whole, which is much cheaper: each send writes several. */
  const encodeNew = (row: object): Stored => {
    const stored: Stored = { ...row };
    if (Object.keys(stored).length !== allColumns) return encode(row);
    for (const [column, definition] of coded) stored[column] = encodeValue(definition, stored[column]);
    return stored;
  };
  const decode = (stored: object): Row => decodeRow<Row>(table, columns, stored as Stored);
  /** What is inserted: the side is the handle's own, and a row that says another one is refused. */
  const insertedBy = (handle: WorkspaceHandle, row: object): Stored => {
    const whole = encodeNew(row);
    const side = whole[sideColumn];
    if (!table.sides || side === undefined || handle.sandbox === undefined) return whole;
    if (Number(handle.sandbox) !== side) throw new Error(`A row of ${name} lies on the other side than its handle.`);
    const { [sideColumn]: _, ...stored } = whole;
    return stored;
  };
  const named = (where: RowPart<Row>): Stored => prefixed('where', encode(where));

  const inserting = (kind: 'insert' | 'unless taken', row: Stored) => {
    const some = Object.keys(row);
    // Most rows name every column: their statement is found without putting the names together.
    const isWhole = some.length === allColumns;
    return statement(isWhole ? kind : `${kind} ${some.join()}`, (db, p) => {
      const given = isWhole ? Object.keys(table.definitions) : some;
      const insert = db.insertInto(name).values(Object.fromEntries(given.map((column) => [column, p[column]])));
      return kind === 'insert' ? insert : insert.onConflict((conflict) => conflict.doNothing());
    });
  };

  const selected = (where: Stored, p: Stored, db: Kysely<AnyTables>) =>
    whereEqual(db.selectFrom(name).select(columns), where, p);

  const updating = (changes: object, where: object) => {
    const [set, narrowed] = [encode(changes), encode(where)];
    const updated = statement(`update ${Object.keys(set).join()} where ${shapeOf(narrowed)}`, (db, p) => {
      const values = Object.keys(set).map((column) => [column, p[`set_${column}`]]);
      return whereEqual(db.updateTable(name).set(Object.fromEntries(values)), narrowed, p);
    });
    return { updated, given: { ...prefixed('set', set), ...prefixed('where', narrowed) } };
  };

  const rows: TenantRows<Row> = {
    table,
    decode,
    order: { time, id: key },
    async find(handle, value) {
      const byKey = statement('find', (db, p) => selected({ [key]: value }, p, db));
      const found = await handle.one(byKey, { [keyParameter]: value });
      return found === undefined ? undefined : decode(found);
    },
    async findBy(handle, where, lock) {
      const values = encode(where);
      const shape = `find ${shapeOf(values)} ${lock}`;
      const found = await handle.one(
        statement(shape, (db, p) => locked(selected(values, p, db), lock)),
        prefixed('where', values),
      );
      return found === undefined ? undefined : decode(found);
    },
    async findIn(handle, column, values, lock) {
      if (values.length === 0) return [];
      const among = loose(handle.db)
        .selectFrom(name)
        .select(columns)
        .where(column as string, 'in', filledList(values));
      return (await locked(among.orderBy(key), lock).execute()).map(decode);
    },
    lock: async (handle, value) => await rows.findBy(handle, { [key]: value } as RowPart<Row>, 'update'),
    async insert(handle, row) {
      const stored = insertedBy(handle, row);
      await handle.run(inserting('insert', stored), stored);
      return row;
    },
    deferInsert(handle, row) {
      const stored = insertedBy(handle, row);
      handle.defer(inserting('insert', stored), stored);
    },
    async insertUnlessTaken(handle, row) {
      const stored = insertedBy(handle, row);
      return (await handle.run(inserting('unless taken', stored), stored)) > 0;
    },
    async upsert(handle, row, conflict, changes) {
      const stored = insertedBy(handle, row);
      const set = encode(changes);
      const shape = `upsert ${Object.keys(stored).join()} on ${conflict.join()} set ${Object.keys(set).join()}`;
      const upserted = statement(shape, (db, p) =>
        db
          .insertInto(name)
          .values(Object.fromEntries(Object.keys(stored).map((column) => [column, p[column]])))
          .onConflict((target) =>
            target
              .columns(['workspace_id', ...(table.sides ? ['sandbox'] : []), ...conflict])
              .doUpdateSet(Object.fromEntries(Object.keys(set).map((column) => [column, p[`set_${column}`]]))),
          ),
      );
      await handle.run(upserted, { ...stored, ...prefixed('set', set) });
    },
    async update(handle, value, changes, where = {}) {
      if (Object.values(changes).every((given) => given === undefined))
        return (await rows.findBy(handle, { ...where, [key]: value } as RowPart<Row>)) !== undefined;
      const { updated, given } = updating(changes, { ...where, [key]: value });
      return (await handle.run(updated, given)) > 0;
    },
    deferUpdate(handle, value, changes) {
      const { updated, given } = updating(changes, { [key]: value });
      handle.defer(updated, given);
    },
    async change(handle, row, changes) {
      const named = Object.entries(changes).filter(([, value]) => value !== undefined);
      if (named.length === 0) return row;
      const set = Object.fromEntries(named) as RowPart<Row>;
      await rows.update(handle, (row as Stored)[key] as string, set);
      return { ...row, ...set };
    },
    async remove(handle, value, where = {}) {
      const narrowed = encode({ ...where, [key]: value });
      const removed = statement(`remove ${shapeOf(narrowed)}`, (db, p) => whereEqual(db.deleteFrom(name), narrowed, p));
      return (await handle.run(removed, prefixed('where', narrowed))) > 0;
    },
    async page(handle, { where = {}, conditions, after, limit }) {
      const values = encode(where);
      const build = (db: Kysely<AnyTables>, p: Stored) => {
        let query = selected(values, p, db);
        if (conditions !== undefined) query = query.where((eb) => eb.and([...conditions(eb as never)]));
        if (after !== undefined)
          query = query.where(
            olderThan(time, key, { createdAt: p['after_time'] as number, id: p['after_id'] as string }),
          );
        return query
          .orderBy(time, 'desc')
          .orderBy(key, 'desc')
          .limit(p['limit'] as number);
      };
      const given = {
        ...prefixed('where', values),
        ...(after === undefined ? {} : { after_time: after.createdAt, after_id: after.id }),
        limit,
      };
      // What filters is planned for its values: a plan for any value may walk the whole list to find a rare one.
      const isWholeList = conditions === undefined && Object.keys(values).length === 0;
      const found = isWholeList
        ? await handle.all(statement(`page ${after !== undefined}`, build), given)
        : await build(loose(handle.db), given).execute();
      return found.map(decode);
    },
    async *each(handle, where = {}, batch = 200) {
      for (let after: CursorPosition | undefined, more = true; more; ) {
        const found: Row[] = await rows.page(handle, { where, after, limit: batch });
        const last = found.at(-1);
        more = found.length === batch;
        if (last !== undefined) {
          after = rows.position(last);
          yield found;
        }
      }
    },
    async count(handle, where, limit) {
      const values = encode(where);
      const counted = statement(`count ${shapeOf(values)}`, (db, p) =>
        whereEqual(db.selectFrom(name).select(key), values, p).limit(p['limit'] as number),
      );
      return (await handle.all(counted, { ...named(where), limit })).length;
    },
    position: (row) => {
      const values = row as Stored;
      return { createdAt: values[time] as number, id: values[key] as string };
    },
  };
  return rows;
}
