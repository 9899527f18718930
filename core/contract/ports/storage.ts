// The storage port: what a database adapter gives the core. The core sends SQL through these few methods only; adapters
// (adapters/storage/*) implement them and never import the core. A connection must not outlive the work it was given
// to.

/** The SQL families that the core can compile for. */
export type SqlDialect = 'sqlite' | 'postgres' | 'mysql';

/** A value that every supported driver binds unchanged. Booleans and dates are stored as integers. */
export type SqlValue = string | number | bigint | Uint8Array | null;

/** One statement, compiled for the adapter's dialect. */
export interface SqlStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** True for statements that are compiled once and run often: the adapter may keep them prepared. */
  readonly hot?: boolean;
  /** Aliases in the result that are whole numbers, for drivers that return them as text without a type. */
  readonly integers?: ReadonlySet<string>;
}

/** The result of a statement: rows (none for a write) and how many rows a write changed. */
export interface SqlResult {
  readonly rows: readonly Record<string, unknown>[];
  readonly changes: number;
}

/** A connection for the time of one piece of work. Calls on it are made one after another. */
export interface SqlConnection {
  /** Runs one statement. 64-bit integers come back as numbers, blobs as Buffers. */
  query(statement: SqlStatement): Promise<SqlResult>;
  /**
   * Runs independent writes in as few round trips as the database allows (Postgres: one statement).
   * They must not depend on each other's rows. Answers the number of rows changed by each, in order.
   */
  batch(statements: readonly SqlStatement[]): Promise<readonly number[]>;
  /**
   * The last writes of the transaction: sent together with its COMMIT where that saves a round trip. Their failure
   * rejects `transact`, and the connection must not be used after them. Absent where it would save nothing, and on
   * connections whose transaction the program commits.
   */
  finishWith?(statements: readonly SqlStatement[]): void;
}

/** Limits of one transaction. */
export interface TransactOptions {
  /** How long to wait for the writer or a free connection, in milliseconds. (Default: 10,000) */
  readonly waitMs?: number;
  /**
   * How long a statement may wait for a locked row, in milliseconds, where the database locks rows. (Default: the
   * adapter's)
   */
  readonly lockWaitMs?: number;
  /** Ends the wait; running work is rolled back when it rejects. */
  readonly signal?: AbortSignal;
  /** For migrations: lifts the adapter's time limits on statements and row locks. (Default: false) */
  readonly longRunning?: boolean;
}

/** The capabilities of an adapter; the core decides by these, never by the adapter's id. */
export interface StorageCapabilities {
  /** Several callers share one commit, each in its own savepoint; awaiting anything but the connection is refused. */
  readonly sharedCommits: boolean;
  /** `FOR UPDATE SKIP LOCKED` works. */
  readonly skipLocked: boolean;
  /**
   * What holds idempotency locks: the transaction in the database; the connection, while the adapter's own transaction
   * runs on it; or a map in this process. Only the first can hold one in a transaction of the program.
   */
  readonly locks: 'transaction' | 'session' | 'process';
  /** `notify` reaches other processes when (and only when) the transaction commits. */
  readonly notifies: boolean;
}

/** A transaction of the embedding program that was passed to a call. */
export interface ForeignTransaction {
  readonly connection: SqlConnection;
  /** The object that identifies the transaction: calls with the same one are queued. */
  readonly identity: object;
  /**
   * True where neither the handle nor SAVEPOINT shows that the server has ended the transaction, so that writes would
   * commit by themselves: the core then checks before it writes. (Default: false)
   */
  readonly endsInSilence?: boolean;
}

/** An open database. */
export interface StorageDriver {
  /** What an operator may want to know of how the database was opened, in one sentence: it is logged at info. */
  readonly notice?: string;
  /** Reads outside a transaction; sees what was committed before the call. */
  read<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in a transaction and commits it; resolves only after the commit is durable. A rejection of `work` rolls
   * its effects back and is passed on. Nothing of `work` runs twice. On Postgres a failed statement aborts the
   * transaction: rethrow its error, or wrap it in a savepoint. BEGIN, COMMIT and ROLLBACK as statements are refused;
   * SAVEPOINT, RELEASE and ROLLBACK TO are not.
   */
  transact<T>(work: (connection: SqlConnection) => Promise<T>, options?: TransactOptions): Promise<T>;
  /** Takes the named lock for the transaction of `connection`; false at once when another transaction holds it. */
  tryLock(connection: SqlConnection, name: string): Promise<boolean>;
  /**
   * Recognises a raw handle of the embedding program (pg client, better-sqlite3 database …) with an open transaction;
   * undefined for another kind of handle. Kysely transactions are left to the core.
   * @throws StorageError `other` when the handle is of this kind but is known to have no open transaction
   */
  join(handle: unknown): ForeignTransaction | undefined;
  /** Translates an error that a Kysely transaction of the program threw into a StorageError. */
  faultOf(error: unknown): StorageError;
  /** Waits until none of our transactions runs, so that a joined one can take the writer. (SQLite only) */
  yieldWriter?(): Promise<void>;
  /** Notifies the listeners of `channel` when the transaction of `connection` commits. Present where `notifies`. */
  notify?(connection: SqlConnection, channel: string, payload: string): Promise<void>;
  /**
   * Listens on `channel` with a connection of its own and answers a function that stops; undefined where the database
   * does not allow it. An empty payload after a lost connection means: notifications may be missing, so check the
   * tables.
   */
  listen?(channel: string, onPayload: (payload: string) => void): Promise<(() => Promise<void>) | undefined>;
  /** Details for diagnosis and tests: pragmas of the live writer, server version. Never secrets. */
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
   * The schema that statements qualify their tables with, in place of the connection's own. (Default: the connection's)
   */
  readonly schema?: string;
  /** Opens the database (creating a SQLite file and its folder when missing). */
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

/** A database error with its kind. `table` is set on `unique` faults. Tested by `isStorageError`, never instanceof. */
export class StorageError extends Error {
  readonly fault: StorageFault;
  readonly table: string | undefined;
  /** True when the answer to a COMMIT was lost: the transaction may have been stored. Otherwise nothing was. */
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

const passingFaults: ReadonlySet<StorageFault> = new Set(['busy', 'unavailable', 'deadlock', 'full']);

/** Whether the same work may succeed later: the database is away, its disk is full, or other transactions were in the way. */
export function isPassingFault(error: unknown): error is StorageError {
  return isStorageError(error) && passingFaults.has(error.fault);
}

/** The beginning of a statement, for messages. Its parameters are never shown. */
export const shorten = (sql: string): string => (sql.length > 80 ? `${sql.slice(0, 80)}…` : sql);

/** The refusal of a write where only reads are allowed. */
export const readsOnly = (sql: string): StorageError =>
  new StorageError('other', `"${shorten(sql)}" was refused: read() only reads. Write inside transact().`);
