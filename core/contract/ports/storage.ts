// The storage port: the interface of a database adapter. The core sends SQL only through these few methods. Adapters
// (adapters/storage/*) implement them and never import the core. A connection must not outlive the `work` function that
// received it.

/** The SQL families that the core can compile for. */
export type SqlDialect = 'sqlite' | 'postgres' | 'mysql';

/** A value that every supported driver binds unchanged. Booleans and dates are stored as integers. */
export type SqlValue = string | number | bigint | Uint8Array | null;

/** One statement, compiled for the adapter's dialect. */
export interface SqlStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** True if the statement is compiled once and runs often: the adapter may keep it prepared. */
  readonly hot?: boolean;
  /** Aliases of result columns that are whole numbers, for drivers that return them as untyped text. */
  readonly integers?: ReadonlySet<string>;
}

/** The result of a statement: its rows (empty for a write) and the number of rows that a write changed. */
export interface SqlResult {
  readonly rows: readonly Record<string, unknown>[];
  readonly changes: number;
}

/** A connection for the duration of one `work` function. Calls on it are made one after another. */
export interface SqlConnection {
  /** Runs one statement. 64-bit integers come back as numbers, blobs as Buffers. */
  query(statement: SqlStatement): Promise<SqlResult>;
  /**
   * Runs independent writes in as few round trips as the database allows (Postgres: one statement).
   * They must not depend on each other's rows. Returns the number of rows that each write changed, in order.
   */
  batch(statements: readonly SqlStatement[]): Promise<readonly number[]>;
  /**
   * Sends the last writes of the transaction together with its COMMIT, which saves a round trip. If they fail, `transact`
   * rejects. The connection must not be used afterwards. Absent if it would not save a round trip, and on connections whose
   * transaction the program commits.
   */
  finishWith?(statements: readonly SqlStatement[]): void;
}

/** How a read may run. */
export interface ReadOptions {
  /**
   * If true, the adapter may run `work` on one connection together with other such work that begins in the same turn of the event loop.
   * It may then run `work` a second time, alone. (Default: false)
   */
  readonly mayShare?: boolean;
}

/** Limits of one transaction. */
export interface TransactOptions {
  /** The longest wait for the writer or a free connection, in milliseconds. (Default: 10,000) */
  readonly waitMs?: number;
  /**
   * The longest wait of a statement for a locked row, in milliseconds, if the database locks rows. (Default: the adapter's)
   */
  readonly lockWaitMs?: number;
  /** Ends the wait if aborted. Running work is rolled back if it rejects. */
  readonly signal?: AbortSignal;
  /**
   * If false, `transact` may resolve before the commit is on disk. A power failure may then undo the commit, but the end of the
   * process never does. A later durable commit makes it durable, too. An adapter may ignore this. (Default: true)
   */
  readonly durable?: boolean;
  /**
   * If true, an adapter that runs one transaction at a time may run others first, but not for ever. (Default: false)
   */
  readonly background?: boolean;
  /**
   * While it returns true, an adapter that runs one transaction at a time does not begin this one: it runs others, and asks again
   * soon. It returns false after a short time at the latest. (Default: the transaction may begin)
   */
  readonly isHeld?: () => boolean;
  /**
   * If true, the adapter may run `work` in one transaction with other such work that begins in the same turn of the event loop,
   * and may run it a second time, in a transaction of its own. Nothing of the first run is then stored. (Default: false)
   */
  readonly mayShare?: boolean;
  /** For migrations: lifts the adapter's time limits on statements and row locks. (Default: false) */
  readonly longRunning?: boolean;
}

/** The capabilities of an adapter. The core makes decisions by these, never by the adapter's id. */
export interface StorageCapabilities {
  /** Several callers share one commit, each in its own savepoint. Awaiting anything other than the connection is refused. */
  readonly sharedCommits: boolean;
  /** `FOR UPDATE SKIP LOCKED` works. */
  readonly skipLocked: boolean;
  /**
   * The owner of idempotency locks. `transaction`: the transaction in the database. `session`: the connection, while the
   * adapter's own transaction runs on it. `process`: a map in this process. Only with `transaction` can a lock be taken in a
   * transaction of the program.
   */
  readonly locks: 'transaction' | 'session' | 'process';
  /** `notify` reaches other processes if and only if the transaction commits. */
  readonly notifies: boolean;
}

/** A transaction of the embedding program that was passed to a call. */
export interface ProgramTransaction {
  readonly connection: SqlConnection;
  /** The object that identifies the transaction. Calls with the same object run one after another. */
  readonly identity: object;
  /**
   * True if neither the handle nor SAVEPOINT shows that the server has ended the transaction. Later writes would then commit
   * on their own, so the core checks that the transaction is open before it writes. (Default: false)
   */
  readonly mayEndUnnoticed?: boolean;
}

/** An open database. */
export interface StorageDriver {
  /** One sentence for operators about how the database was opened. It is logged at info level. */
  readonly notice?: string;
  /** Reads outside a transaction. Sees everything that was committed before the call. */
  read<T>(work: (connection: SqlConnection) => Promise<T>, options?: ReadOptions): Promise<T>;
  /**
   * Runs `work` in a transaction and commits it. Unless `durable` is false, it resolves only after the commit is durable. If
   * `work` rejects, its effects are rolled back and the error is passed on. Unless `mayShare` is true, `work` never runs twice. On
   * Postgres a failed statement aborts the transaction: rethrow its error, or run the statement in a savepoint. The statements
   * BEGIN, COMMIT and ROLLBACK are refused; SAVEPOINT, RELEASE and ROLLBACK TO are allowed.
   */
  transact<T>(work: (connection: SqlConnection) => Promise<T>, options?: TransactOptions): Promise<T>;
  /** Takes the named lock for the transaction of `connection`. Returns false at once if another transaction has it. */
  tryLock(connection: SqlConnection, name: string): Promise<boolean>;
  /**
   * Recognises a raw handle of the embedding program (pg client, better-sqlite3 database …) with an open transaction.
   * Returns undefined for another kind of handle. The core itself handles Kysely transactions.
   * @throws StorageError `other` if the handle is of this kind but certainly has no open transaction
   */
  join(handle: unknown): ProgramTransaction | undefined;
  /** Translates an error that a Kysely transaction of the program threw into a StorageError. */
  toStorageError(error: unknown): StorageError;
  /** Waits until no transaction of the adapter runs, so that a transaction of the program can use the writer. (SQLite only) */
  yieldWriter?(): Promise<void>;
  /** Notifies the listeners of `channel` when the transaction of `connection` commits. Present if `notifies` is true. */
  notify?(connection: SqlConnection, channel: string, payload: string): Promise<void>;
  /**
   * Listens on `channel` with its own connection. Returns a function that stops listening, or undefined if the database
   * does not allow it. After a lost connection, `onPayload` gets an empty payload: notifications may be missing, so check
   * the tables.
   */
  listen?(channel: string, onPayload: (payload: string) => void): Promise<(() => Promise<void>) | undefined>;
  /** Returns details for diagnosis and tests: pragmas of the live writer, server version. Never secrets. */
  describe(): Promise<Record<string, string | number>>;
  /** Waits for running work, then closes every connection that the adapter opened. */
  close(): Promise<void>;
}

/** A database adapter. Constructing one has no effect: no file, no network. */
export interface StorageAdapter {
  readonly id: string;
  readonly dialect: SqlDialect;
  readonly capabilities: StorageCapabilities;
  /**
   * The database schema of the tables: statements qualify table names with it. (Default: the connection's schema)
   */
  readonly schema?: string;
  /** Opens the database. Creates a missing SQLite file and its folder. */
  open(): Promise<StorageDriver>;
}

/** Why a statement or a commit failed, independent of the driver. */
export type StorageFault =
  | 'unique'
  | 'busy'
  | 'unavailable'
  | 'deadlock'
  | 'handler_awaited_outside'
  | 'handle_revoked'
  | 'full'
  | 'other';

/** A database error with its kind. `table` is set on `unique` faults. Test it with `isStorageError`, never with instanceof. */
export class StorageError extends Error {
  readonly fault: StorageFault;
  readonly table: string | undefined;
  /** True if the answer to a COMMIT was lost: the transaction may have been stored. If false, nothing was stored. */
  readonly outcomeUnknown: boolean;

  constructor(
    fault: StorageFault,
    message: string,
    options: { cause?: unknown; table?: string; outcomeUnknown?: boolean } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'StorageError';
    this.fault = fault;
    this.table = options.table;
    this.outcomeUnknown = options.outcomeUnknown ?? false;
  }
}

/** Whether `error` is a StorageError, of the given fault if one is named. */
export function isStorageError(error: unknown, fault?: StorageFault): error is StorageError {
  if (!(error instanceof Error) || error.name !== 'StorageError') return false;
  return fault === undefined || (error as StorageError).fault === fault;
}

const transientFaults: ReadonlySet<StorageFault> = new Set(['busy', 'unavailable', 'deadlock', 'full']);

/**
 * Whether the same work may succeed later: the database is unreachable, its disk is full, or other transactions were in the way.
 */
export function isTransientFault(error: unknown): error is StorageError {
  return isStorageError(error) && transientFaults.has(error.fault);
}

/** Whether another transaction caused this failure and nothing was stored, so that the transaction may run again. */
export function isConflict(error: unknown): boolean {
  return (isStorageError(error, 'unique') || isStorageError(error, 'deadlock')) && !error.outcomeUnknown;
}

/** The beginning of a statement, for messages. Its parameters are never shown. */
export const shorten = (sql: string): string => (sql.length > 80 ? `${sql.slice(0, 80)}…` : sql);

/** The error for a write where only reads are allowed. */
export const readOnlyError = (sql: string): StorageError =>
  new StorageError('other', `"${shorten(sql)}" was refused: read() only reads. Write inside transact().`);
