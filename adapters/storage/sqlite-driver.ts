// The open SQLite database: a writer, a separate reader (or the same connection), and the transactions of the program. Made by
// sqlite.ts, the only file that knows the SDK. Never closes or changes a handle that the program shares.
import {
  type ProgramTransaction,
  type SqlConnection,
  type SqlResult,
  type SqlStatement,
  type StorageDriver,
  StorageError,
  type TransactOptions,
} from '../../core/contract/ports/storage.ts';
import { SqliteConnection, SqliteReadConnection } from './sqlite-connection.ts';
import { isBusy, sqliteFault } from './sqlite-faults.ts';
import type { SqliteSession } from './sqlite-session.ts';
import { foreignHandle, isSqliteHandle, type SqliteHandle, SqliteStatements } from './sqlite-statements.ts';
import { SqliteWriter } from './sqlite-writer.ts';

/** The parts of a driver. */
export interface SqliteDriverParts {
  readonly session: SqliteSession;
  /** A second connection, for reads during a transaction. Without it, reads wait until the transaction ends. */
  readonly reader?: SqliteHandle;
  /** Milliseconds to wait for another connection if a call sets no limit. */
  readonly waitMs: number;
  /** Facts that only the file that imports the SDK knows. */
  readonly info: Readonly<Record<string, string | number>>;
  /** Closes the connections that the adapter opened. */
  close(): void;
}

/** Implements the port's database. */
export class SqliteDriver implements StorageDriver {
  readonly #parts: SqliteDriverParts;
  readonly #writer: SqliteWriter;
  readonly #writing: SqliteStatements;
  readonly #reading: SqliteStatements;
  readonly #joined = new WeakMap<SqliteHandle, SqliteStatements>();
  readonly #joinedConnections = new WeakSet<SqlConnection>();
  readonly #reads = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(parts: SqliteDriverParts) {
    this.#parts = parts;
    this.#writing = new SqliteStatements(parts.session.handle);
    this.#reading = parts.reader === undefined ? this.#writing : new SqliteStatements(parts.reader);
    this.#writer = new SqliteWriter(parts.session, this.#writing);
  }

  async read<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    this.#assertOpen();
    const connection = new SqliteReadConnection((statement) => this.#readNow(statement), this.#parts.waitMs);
    const reading = work(connection);
    this.#reads.add(reading);
    try {
      return await reading;
    } finally {
      this.#reads.delete(reading);
      connection.revoke();
    }
  }

  async transact<T>(work: (connection: SqlConnection) => Promise<T>, options: TransactOptions = {}): Promise<T> {
    this.#assertOpen();
    return this.#writer.transact(work, options.waitMs ?? this.#parts.waitMs, options);
  }

  async tryLock(connection: SqlConnection, name: string): Promise<boolean> {
    // The program's open write transaction already excludes every other writer.
    if (this.#joinedConnections.has(connection)) return true;
    const isTaken = this.#writer.tryLock(connection, name);
    if (isTaken === undefined) throw new StorageError('other', 'A lock needs a connection of a running transaction.');
    return isTaken;
  }

  join(handle: unknown): ProgramTransaction | undefined {
    const refusal = foreignHandle(handle);
    if (refusal !== undefined) throw new StorageError('other', refusal);
    if (!isSqliteHandle(handle)) return undefined;
    if (!handle.inTransaction) {
      throw new StorageError(
        'other',
        'The better-sqlite3 handle has no open transaction. Run BEGIN IMMEDIATE on it before the call and COMMIT after it.',
      );
    }
    const statements = this.#joined.get(handle) ?? new SqliteStatements(handle);
    this.#joined.set(handle, statements);
    const connection = new SqliteConnection((statement) => {
      if (handle.inTransaction) return statements.execute(statement, 'write');
      throw new StorageError(
        'handle_revoked',
        'The transaction that was passed to the call has ended in the meantime.',
      );
    });
    this.#joinedConnections.add(connection);
    return { connection, identity: handle };
  }

  toStorageError(error: unknown): StorageError {
    return sqliteFault(error);
  }

  yieldWriter(): Promise<void> {
    return this.#writer.settled();
  }

  async describe(): Promise<Record<string, string | number>> {
    this.#assertOpen();
    return { ...this.#parts.info, ...this.#parts.session.describe() };
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    await Promise.allSettled([...this.#reads, this.#writer.drained()]);
    this.#parts.close();
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw new StorageError('unavailable', 'This SQLite storage has been closed.');
  }

  /** Undefined if another connection, or a transaction on the same connection, blocks the read. */
  #readNow(statement: SqlStatement): SqlResult | undefined {
    const { session, reader } = this.#parts;
    const inTransaction = session.handle.inTransaction;
    if (reader === undefined && inTransaction) return undefined;
    try {
      // Between transactions, reads use the writer's connection: its own commits keep its cache valid, but invalidate the
      // reader's.
      if (!inTransaction) return session.reading(() => this.#writing.execute(statement, 'read'));
      return this.#reading.execute(statement, 'read');
    } catch (error) {
      if (error instanceof Error && isBusy(error.cause)) return undefined;
      throw error;
    }
  }
}
