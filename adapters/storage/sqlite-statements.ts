// Statements on one better-sqlite3 handle: prepared once (the 500 newest stay prepared), run synchronously. Called by the writer, the
// reader and joined transactions. Never begins or ends a transaction itself.
import { readOnlyError, type SqlResult, type SqlStatement } from '../../core/contract/ports/storage.ts';
import { checkParameters, controlOf, controlRefused } from '../kit/sql-parameters.ts';
import { sqliteFault } from './sqlite-faults.ts';

/** The part of a better-sqlite3 statement that is used. */
export interface SqliteStatementHandle {
  readonly reader: boolean;
  readonly readonly: boolean;
  all(...parameters: unknown[]): unknown[];
  /** Makes `all` return rows as arrays. */
  raw(toggle?: boolean): unknown;
  columns(): readonly { readonly name: string }[];
  run(...parameters: unknown[]): { changes: number };
  safeIntegers(toggle?: boolean): unknown;
}

/** The part of a better-sqlite3 database that is used. It is the same in every copy and version of the driver. */
export interface SqliteHandle {
  readonly open: boolean;
  readonly inTransaction: boolean;
  readonly memory: boolean;
  readonly name: string;
  prepare(sql: string): SqliteStatementHandle;
  exec(sql: string): unknown;
  pragma(source: string, options?: { simple?: boolean }): unknown;
  close(): unknown;
}

/** Whether a value is a better-sqlite3 database, recognised by its shape. */
export function isSqliteHandle(handle: unknown): handle is SqliteHandle {
  if (typeof handle !== 'object' || handle === null) return false;
  const shape = handle as Partial<SqliteHandle>;
  return (
    typeof shape.prepare === 'function' && typeof shape.exec === 'function' && typeof shape.inTransaction === 'boolean'
  );
}

/** Why a handle of Node's own SQLite is rejected, and the solution; undefined for every other value. */
export function foreignHandle(handle: unknown): string | undefined {
  const name = typeof handle === 'object' ? handle?.constructor?.name : undefined;
  return name === 'DatabaseSync'
    ? 'This is a handle of node:sqlite (DatabaseSync), which Postrider does not support. Open the file with better-sqlite3 and pass that handle: both may have it open.'
    : undefined;
}

const maxStatements = 500;

/** A statement, and the names of its columns if its rows come as arrays. */
interface PreparedStatement {
  readonly statement: SqliteStatementHandle;
  readonly names: readonly string[] | undefined;
}

/** The columns of `*` may change while a statement is cached. Every other list of columns is fixed by its text. */
const selectsAll = /(?:^|[\s.,])\*/;

type Row = Record<string, unknown>;
const noRows: readonly Row[] = [];

/** Makes rows from arrays, which is several times faster than the driver's own objects, both to create and to read. */
function rowsFrom(names: readonly string[], rows: readonly (readonly unknown[])[]): Row[] {
  return rows.map((values) => {
    const row: Row = {};
    for (let index = 0; index < names.length; index += 1) row[names[index] as string] = values[index];
    return row;
  });
}

/** The statements of one handle. */
export class SqliteStatements {
  readonly handle: SqliteHandle;
  readonly #prepared = new Map<string, PreparedStatement>();

  constructor(handle: SqliteHandle) {
    this.handle = handle;
  }

  /**
   * Runs one statement immediately. `access` is the permission of the connection: a reader neither writes nor keeps a snapshot open.
   * @throws StorageError
   */
  execute(statement: SqlStatement, access: 'read' | 'write'): SqlResult {
    checkParameters(statement);
    try {
      const { statement: prepared, names } = this.#prepared.get(statement.sql) ?? this.#prepare(statement.sql, access);
      if (access === 'read' && !prepared.readonly) throw readOnlyError(statement.sql);
      const values = statement.parameters.map(asInteger);
      if (!prepared.reader) return { rows: noRows, changes: prepared.run(values).changes };
      const rows = prepared.all(values);
      return { rows: names === undefined ? (rows as Row[]) : rowsFrom(names, rows as unknown[][]), changes: 0 };
    } catch (error) {
      throw sqliteFault(error);
    }
  }

  #prepare(sql: string, access: 'read' | 'write'): PreparedStatement {
    const control = controlOf(sql);
    if (control === 'transaction') throw controlRefused(sql);
    if (control === 'savepoint' && access === 'read') throw readOnlyError(sql);
    const statement = this.handle.prepare(sql);
    const byPosition = statement.reader && !selectsAll.test(sql);
    if (statement.reader) statement.safeIntegers(false);
    if (byPosition) statement.raw(true);
    const prepared = { statement, names: byPosition ? statement.columns().map(({ name }) => name) : undefined };
    if (control !== undefined) return prepared;
    if (this.#prepared.size >= maxStatements) this.#forgetOldest();
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  #forgetOldest(): void {
    const oldest = this.#prepared.keys().next();
    if (!oldest.done) this.#prepared.delete(oldest.value);
  }
}

/** The driver binds every JavaScript number as a REAL, so whole numbers are passed as integers. */
function asInteger(value: unknown): unknown {
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}
