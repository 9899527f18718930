// The open MySQL or MariaDB database over a pool: the adapter's own, or the program's, which is neither closed nor changed. Made
// by mysql.ts, the only file that knows the SDK.

import type {
  ProgramTransaction,
  SqlConnection,
  StorageDriver,
  StorageError,
  TransactOptions,
} from '../../core/contract/ports/storage.ts';
import { borrow, OpenWork } from '../kit/pool-work.ts';
import type { SessionLimits } from '../kit/session-limits.ts';
import { type MysqlClient, MysqlConnection, runTransaction } from './mysql-connection.ts';
import { countsChangedRows, mysqlFault } from './mysql-faults.ts';
import type { QuoteText } from './mysql-merge.ts';
import { KnownSessions, type PoolEvents } from './mysql-sessions.ts';
import type { WholeNumber } from './mysql-statements.ts';

/** A connection of a pool, in mysql2's callback form. */
export interface MysqlPoolClient extends MysqlClient {
  release(): void;
  destroy(): void;
}

/** The part of a mysql2 pool, in its callback form, that is used. */
export interface MysqlPool {
  getConnection(onConnection: (error: unknown, connection: MysqlPoolClient) => void): void;
  readonly events: PoolEvents;
}

/** The parts of a driver. */
export interface MysqlDriverParts {
  readonly pool: MysqlPool;
  readonly limits: SessionLimits;
  /** Statements sent once on each connection of the adapter's own pool. The program's sessions are not changed. */
  readonly session: readonly string[];
  /** The SDK's function that writes a text as a literal. Set if the sessions are the adapter's own. */
  readonly quote?: QuoteText;
  /** Marks whole numbers for the SDK of `client`, which may be another copy of the SDK. */
  wholeNumberOn(client: MysqlClient): WholeNumber;
  readonly info: Readonly<Record<string, string | number>>;
  /** Ends the pool that the adapter opened. */
  close(): Promise<void>;
}

/** The time that is added to the server's own time limit before a connection is abandoned, in milliseconds. */
const answerGraceMs = 5000;
/** The client flag that makes an UPDATE count matched rows instead of changed rows only. */
const foundRows = 2;

const readCommitted = 'set transaction isolation level read committed';
const restoreLockWait = 'set session innodb_lock_wait_timeout = @postrider_lock_wait';
const liftLimits =
  'set session /*M! max_statement_time = 0, */ /*!80000 max_execution_time = 0, */ innodb_lock_wait_timeout = 31536000';

/** Implements the port's database. */
export class MysqlDriver implements StorageDriver {
  readonly #parts: MysqlDriverParts;
  readonly #answerTimeoutMs: number | undefined;
  readonly #beginning: readonly string[];
  readonly #sessions: KnownSessions;
  #prepares = true;
  readonly #work = new OpenWork('MySQL');

  constructor(parts: MysqlDriverParts) {
    this.#parts = parts;
    const { statementTimeoutMs } = parts.limits;
    this.#answerTimeoutMs = statementTimeoutMs === 0 ? undefined : statementTimeoutMs + answerGraceMs;
    this.#sessions = new KnownSessions(parts.session.length > 0 ? undefined : parts.pool.events);
    this.#beginning = parts.session.length > 0 ? ['start transaction'] : [readCommitted, 'start transaction'];
  }

  read<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    return this.#work.track(async () => {
      const client = await this.#acquire(this.#parts.limits.waitMs);
      const connection = this.#connectionOver(client, {});
      return this.#lending(client, connection, async () => {
        try {
          return await work(connection);
        } finally {
          await connection.finish();
        }
      });
    });
  }

  transact<T>(work: (connection: SqlConnection) => Promise<T>, options: TransactOptions = {}): Promise<T> {
    return this.#work.track(async () => {
      const client = await this.#acquire(options.waitMs ?? this.#parts.limits.waitMs, options.signal);
      const longRunning = options.longRunning === true;
      const lockWaitMs = longRunning ? undefined : options.lockWaitMs;
      const beginning = [
        ...(longRunning ? [liftLimits] : []),
        ...(lockWaitMs === undefined ? [] : [this.#shortened(lockWaitMs)]),
        ...this.#beginning,
      ];
      const connection = this.#connectionOver(client, {
        beginning,
        ...(longRunning && { answerTimeoutMs: undefined }),
      });
      return this.#lending(client, connection, async () => {
        try {
          return await runTransaction(connection, work);
        } finally {
          // The session no longer has its time limits.
          if (longRunning) connection.markBroken();
          else if (lockWaitMs !== undefined && connection.hasBegun) await connection.restore(restoreLockWait);
        }
      });
    });
  }

  /** Shortens the lock wait. The server counts whole seconds, and the setting stays on the session, so it is reset afterwards. */
  #shortened(lockWaitMs: number): string {
    const { lockTimeoutMs } = this.#parts.limits;
    const limitMs = lockTimeoutMs === 0 ? lockWaitMs : Math.min(lockWaitMs, lockTimeoutMs);
    const seconds = Math.max(1, Math.ceil(limitMs / 1000));
    return `set @postrider_lock_wait = @@session.innodb_lock_wait_timeout, session innodb_lock_wait_timeout = ${seconds}`;
  }

  async tryLock(connection: SqlConnection, name: string): Promise<boolean> {
    if (connection instanceof MysqlConnection) return connection.tryLock(name);
    return true;
  }

  join(handle: unknown): ProgramTransaction | undefined {
    const client = clientOf(handle);
    if (client === undefined) return undefined;
    assertCountsFound(client);
    const connection = new MysqlConnection(
      client,
      { answerTimeoutMs: undefined, whole: this.#parts.wholeNumberOn(client), ...this.#preparing() },
      { isJoined: true },
    );
    return { connection: this.#checkedFirst(connection), identity: client };
  }

  toStorageError(error: unknown): StorageError {
    return mysqlFault(error);
  }

  async describe(): Promise<Record<string, string | number>> {
    const names = ['version', 'innodb_flush_log_at_trx_commit', 'sql_mode'] as const;
    const sql = `select ${names.map((name) => `@@${name} as ${name}`).join(', ')}, database() as database_name`;
    const { rows } = await this.read((connection) => connection.query({ sql, parameters: [] }));
    const settings = Object.entries(rows[0] ?? {}).map(([name, value]) => [name, String(value)]);
    return { ...this.#parts.info, ...Object.fromEntries(settings) };
  }

  close(): Promise<void> {
    return this.#work.close({
      end: () => {
        this.#sessions.end();
        return this.#parts.close();
      },
    });
  }

  #connectionOver(
    client: MysqlClient,
    { beginning, ...options }: { beginning?: readonly string[]; answerTimeoutMs?: undefined },
  ): MysqlConnection {
    const { quote } = this.#parts;
    const sending = {
      answerTimeoutMs: this.#answerTimeoutMs,
      whole: this.#parts.wholeNumberOn(client),
      ...(quote !== undefined && { quote }),
      ...this.#preparing(),
      ...options,
    };
    return new MysqlConnection(client, sending, beginning === undefined ? {} : { beginning });
  }

  /**
   * If the server has no prepared statement left, statements are sent as texts, as behind a pooler that loses prepared
   * statements.
   */
  #preparing() {
    return {
      prepares: this.#prepares,
      onPreparedStatementsExhausted: () => {
        this.#prepares = false;
      },
    };
  }

  /** Returns the client to the pool after `run`, or destroys it if its connection broke. */
  async #lending<T>(client: MysqlPoolClient, connection: MysqlConnection, run: () => Promise<T>): Promise<T> {
    try {
      await this.#prepareSession(client, connection);
      return await run();
    } finally {
      if (connection.isBroken) client.destroy();
      else this.#sessions.returning(client);
    }
  }

  async #prepareSession(client: MysqlPoolClient, connection: MysqlConnection): Promise<void> {
    if (this.#sessions.has(client)) return;
    assertCountsFound(client);
    try {
      for (const text of this.#parts.session) await connection.control(text);
      if (this.#parts.session.length === 0) await connection.checkSession();
    } catch (error) {
      connection.markBroken();
      throw error;
    }
    this.#sessions.add(client);
  }

  /** A connection of the program. Its session is checked before the first statement, because the program may have changed it. */
  #checkedFirst(connection: MysqlConnection): SqlConnection {
    let sessionCheck: Promise<void> | undefined;
    const check = (): Promise<void> => {
      sessionCheck ??= connection.checkSession();
      return sessionCheck;
    };
    return {
      query: async (statement) => {
        await check();
        return connection.query(statement);
      },
      batch: async (statements) => {
        await check();
        return connection.batch(statements);
      },
    };
  }

  #acquire(waitMs: number, signal?: AbortSignal): Promise<MysqlPoolClient> {
    const requestConnection = (): Promise<MysqlPoolClient> =>
      new Promise((resolve, reject) => {
        this.#sessions.withRequest(() =>
          this.#parts.pool.getConnection((error, client) => {
            if (error === null || error === undefined) resolve(client);
            else reject(error);
          }),
        );
      });
    return borrow({ ask: requestConnection, faultOf: mysqlFault }, { waitMs, ...(signal !== undefined && { signal }) });
  }
}

/**
 * Renewing a lease may write the time that is already stored. A server that counts only changed rows would report the lease as
 * lost.
 */
function assertCountsFound({ config }: MysqlClient): void {
  if (config?.clientFlags === undefined || (config.clientFlags & foundRows) !== 0) return;
  throw countsChangedRows();
}

/**
 * Whether a value is a raw mysql2 connection, or the connection inside its promise form, recognised by its shape. A pool has no
 * transaction.
 */
function clientOf(handle: unknown): MysqlClient | undefined {
  if (isClient(handle)) return handle;
  if (typeof handle === 'object' && handle !== null && 'connection' in handle && isClient(handle.connection)) {
    return handle.connection;
  }
  return undefined;
}

function isClient(handle: unknown): handle is MysqlClient {
  if (typeof handle !== 'object' || handle === null) return false;
  const isConnection = 'threadId' in handle && 'authorized' in handle && 'config' in handle;
  return isConnection && 'execute' in handle && typeof handle.execute === 'function' && !('connection' in handle);
}
