// The open Postgres database over a pool: the adapter's own, or the program's, which is neither closed nor changed. Made by
// postgres.ts, the only file that knows the SDK.

import {
  isStorageError,
  type ProgramTransaction,
  type ReadOptions,
  type SqlConnection,
  type SqlStatement,
  type StorageDriver,
  StorageError,
  type TransactOptions,
} from '../../core/contract/ports/storage.ts';
import { borrow, OpenWork } from '../kit/pool-work.ts';
import type { SessionLimits } from '../kit/session-limits.ts';
import { ArrayForms } from './postgres-array-forms.ts';
import {
  type PostgresClient,
  PostgresConnection,
  type PostgresPoolClient,
  runTransaction,
} from './postgres-connection.ts';
import { postgresFault } from './postgres-faults.ts';
import { type PostgresListenClient, PostgresListener } from './postgres-listener.ts';
import { awaitFirstResponse } from './postgres-pooler.ts';
import { MemberConnection, SharedWork } from './postgres-shared.ts';
import type { PostgresSendOptions } from './postgres-statements.ts';

/** The part of a pg pool that is used. */
export interface PostgresPool {
  connect(): Promise<PostgresPoolClient>;
}

/** The parts of a driver. */
export interface PostgresDriverParts {
  readonly pool: PostgresPool;
  readonly limits: SessionLimits;
  readonly preparedStatements: boolean;
  /** Whether the pool's clients are in pg's pipeline mode. */
  readonly pipelined: boolean;
  /** Whether there is a pooler between the pool and Postgres. */
  readonly pooled: boolean;
  readonly notice: string | undefined;
  /** The schema of all tables; undefined if the search_path finds it. */
  readonly schema: string | undefined;
  /** Absent if the adapter may not open its own connections, or if LISTEN does not work through the pooler. */
  readonly createListenClient?: () => PostgresListenClient;
  readonly info: Readonly<Record<string, string | number>>;
  /** Ends the pool that the adapter opened. */
  close(): Promise<void>;
}

/** The time that is added to the server's own time limit before a connection is abandoned, in milliseconds. */
const answerGraceMs = 5000;
/** How long a statement of a shared transaction may take, and how long it may wait for a row lock. */
const sharedStatementMs = 2000;
const sharedLockMs = 100;

/** Implements the port's database. */
export class PostgresDriver implements StorageDriver {
  readonly #parts: PostgresDriverParts;
  #sending: PostgresSendOptions;
  readonly #beginning: string;
  readonly #beginningNotDurable: string;
  readonly #beginningLong: string;
  readonly #beginningShared: string;
  readonly #sharedReads: SharedWork;
  readonly #sharedTransactions: SharedWork;
  readonly #work = new OpenWork('Postgres');
  /** Clients to which a pooler has assigned a connection to Postgres. */
  readonly #answered = new WeakSet<PostgresPoolClient>();
  #listener: PostgresListener | undefined;
  readonly notice?: string;

  constructor(parts: PostgresDriverParts) {
    this.#parts = parts;
    if (parts.notice !== undefined) this.notice = parts.notice;
    const { statementTimeoutMs } = parts.limits;
    this.#sending = {
      pipelined: parts.pipelined,
      preparedStatements: parts.preparedStatements,
      answerTimeoutMs: statementTimeoutMs === 0 ? undefined : statementTimeoutMs + answerGraceMs,
      // The pooler's behaviour may only show later, because it assigns connections at random.
      onNameLost: () => {
        this.#sending = { ...this.#sending, preparedStatements: false };
      },
    };
    this.#beginning = beginningOf(parts.limits, statementTimeoutMs, parts.limits.lockTimeoutMs);
    this.#beginningNotDurable = `${this.#beginning}; SET LOCAL synchronous_commit = off`;
    this.#beginningLong = beginningOf(parts.limits, 0, 0);
    this.#beginningShared = beginningOf(
      parts.limits,
      boundedBy(sharedStatementMs, statementTimeoutMs),
      boundedBy(sharedLockMs, parts.limits.lockTimeoutMs),
    );
    const forms = new ArrayForms((work) => this.#work.track(() => this.#transact(work, {})));
    const readAlone = <T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> => this.#read(work);
    this.#sharedReads = new SharedWork({ runAlone: readAlone, runShared: readAlone }, forms);
    const sharing = {
      runAlone: <T>(work: (connection: SqlConnection) => Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
        this.#transact(work, signal === undefined ? {} : { signal }),
      runShared: (work: (connection: SqlConnection) => Promise<void>) =>
        this.#transact(work, {}, this.#beginningShared),
    };
    this.#sharedTransactions = new SharedWork(sharing, forms);
  }

  read<T>(work: (connection: SqlConnection) => Promise<T>, { mayShare }: ReadOptions = {}): Promise<T> {
    return this.#work.track(() => (mayShare === true ? this.#sharedReads.run(work, undefined) : this.#read(work)));
  }

  async #read<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    const { preparedStatements } = this.#sending;
    try {
      return await this.#readOnce(work);
    } catch (error) {
      const lostStatementName =
        preparedStatements && !this.#sending.preparedStatements && isStorageError(error, 'deadlock');
      // Reads change nothing, so they are retried without prepared statements. Callers retry transactions that fail this way.
      if (lostStatementName) return this.#readOnce(work);
      throw error;
    }
  }

  async #readOnce<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    const client = await this.#acquire(this.#parts.limits.waitMs);
    const connection = new PostgresConnection(client, this.#sending);
    return returnAfter(client, connection, async () => {
      try {
        return await work(connection);
      } finally {
        await connection.finish();
      }
    });
  }

  transact<T>(work: (connection: SqlConnection) => Promise<T>, options: TransactOptions = {}): Promise<T> {
    return this.#work.track(() =>
      options.mayShare === true ? this.#sharedTransactions.run(work, options.signal) : this.#transact(work, options),
    );
  }

  async #transact<T>(
    work: (connection: SqlConnection) => Promise<T>,
    options: TransactOptions,
    beginning = this.#beginningFor(options),
  ): Promise<T> {
    const { waitMs, signal, longRunning } = options;
    const client = await this.#acquire(waitMs ?? this.#parts.limits.waitMs, signal);
    // In transaction mode a pooler accepts BEGIN at once and responds when one of its connections is free. All of them may be
    // held by open transactions whose callers wait for this transaction, so the wait for BEGIN is limited, too.
    const beginOptions =
      this.#parts.pooled && waitMs !== undefined ? { ...this.#sending, beginTimeoutMs: waitMs } : this.#sending;
    const sendOptions = longRunning === true ? { ...this.#sending, answerTimeoutMs: undefined } : beginOptions;
    const connection = new PostgresConnection(client, sendOptions, beginning);
    return returnAfter(client, connection, () => runTransaction(connection, work));
  }

  #beginningFor({ longRunning, lockWaitMs, durable }: TransactOptions): string {
    if (longRunning === true) return this.#beginningLong;
    if (lockWaitMs === undefined) return durable === false ? this.#beginningNotDurable : this.#beginning;
    const { limits } = this.#parts;
    return beginningOf(limits, limits.statementTimeoutMs, boundedBy(lockWaitMs, limits.lockTimeoutMs));
  }

  async tryLock(connection: SqlConnection, name: string): Promise<boolean> {
    const lock = advisoryLock(name, this.#parts.schema);
    if (connection instanceof MemberConnection) return connection.tryLock(name, lock);
    const { rows } = await connection.query(lock);
    return rows[0]?.['taken'] === true;
  }

  join(handle: unknown): ProgramTransaction | undefined {
    if (!isClient(handle)) return undefined;
    const status = handle.getTransactionStatus?.() ?? undefined;
    if (status === 'I') {
      throw new StorageError(
        'other',
        'The pg client has no open transaction. Await BEGIN on it before the call and COMMIT after it.',
      );
    }
    if (status === 'E') {
      throw new StorageError('other', 'The transaction of the pg client has failed already: roll it back.');
    }
    return {
      connection: new PostgresConnection(handle, { ...this.#sending, pipelined: false, answerTimeoutMs: undefined }),
      identity: handle,
    };
  }

  toStorageError(error: unknown): StorageError {
    return postgresFault(error);
  }

  async notify(connection: SqlConnection, channel: string, payload: string): Promise<void> {
    await connection.query({ sql: 'select pg_notify($1, $2)', parameters: [channel, payload], hot: true });
  }

  async listen(channel: string, onPayload: (payload: string) => void): Promise<(() => Promise<void>) | undefined> {
    this.#work.assertOpen();
    const { createListenClient } = this.#parts;
    if (createListenClient === undefined) return undefined;
    this.#listener ??= new PostgresListener(createListenClient);
    try {
      return await this.#listener.listen(channel, onPayload);
    } catch (error) {
      throw postgresFault(error);
    }
  }

  async describe(): Promise<Record<string, string | number>> {
    const names = ['server_version', 'synchronous_commit', 'search_path'] as const;
    const sql = `select ${names.map((name) => `current_setting('${name}') as ${name}`).join(', ')}`;
    const { rows } = await this.read((connection) => connection.query({ sql, parameters: [] }));
    const settings = names.map((name) => [name, String(rows[0]?.[name])]);
    const { info, schema } = this.#parts;
    return { ...info, ...(schema === undefined ? {} : { schema }), ...Object.fromEntries(settings) };
  }

  close(): Promise<void> {
    return this.#work.close({ before: async () => this.#listener?.close(), end: () => this.#parts.close() });
  }

  async #acquire(waitMs: number, signal?: AbortSignal): Promise<PostgresPoolClient> {
    const lender = { ask: () => this.#parts.pool.connect(), faultOf: postgresFault };
    const startedAt = performance.now();
    const client = await borrow(lender, { waitMs, ...(signal !== undefined && { signal }) });
    if (this.#parts.pooled && !this.#answered.has(client)) {
      await awaitFirstResponse(client, waitMs - (performance.now() - startedAt));
      this.#answered.add(client);
    }
    return client;
  }
}

/** Returns the client to the pool after `run`, or destroys it if its connection broke. */
async function returnAfter<T>(
  client: PostgresPoolClient,
  connection: PostgresConnection,
  run: () => Promise<T>,
): Promise<T> {
  // Without a listener, an error on a borrowed client would end the process.
  const onError = (): void => connection.markBroken();
  client.on('error', onError);
  try {
    return await run();
  } finally {
    client.removeListener('error', onError);
    client.release(connection.isBroken);
  }
}

/** One message, so that the limits cost no round trip. SET LOCAL leaves no setting on the session. */
function beginningOf(limits: SessionLimits, statementTimeoutMs: number, lockTimeoutMs: number): string {
  return [
    'BEGIN ISOLATION LEVEL READ COMMITTED',
    `SET LOCAL statement_timeout = ${statementTimeoutMs}`,
    `SET LOCAL lock_timeout = ${lockTimeoutMs}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${limits.idleInTransactionTimeoutMs}`,
  ].join('; ');
}

/**
 * The shorter of a transaction's own limit and the adapter's, where 0 means no limit. At least 1, because 0 would remove the
 * limit.
 */
const boundedBy = (lockWaitMs: number, lockTimeoutMs: number): number =>
  Math.max(1, Math.ceil(Math.min(lockWaitMs, lockTimeoutMs === 0 ? lockWaitMs : lockTimeoutMs)));

/**
 * Advisory locks are 64-bit numbers, shared by the whole database. The number is computed from the name and the schema, so that
 * services in two schemas do not wait for each other. Every driver must compute the same number.
 */
export const advisoryLock = (name: string, schema: string | undefined): SqlStatement => ({
  sql: "select pg_try_advisory_xact_lock(hashtextextended(coalesce($1::text, current_schema()) || ':postrider:' || $2::text, 0)) as taken",
  parameters: [schema ?? null, name],
  hot: true,
});

/** Whether a value is a raw pg client, recognised by its shape. A pool has no transaction to join. */
function isClient(handle: unknown): handle is PostgresClient {
  if (typeof handle !== 'object' || handle === null) return false;
  const isPgClient = 'connectionParameters' in handle && 'processID' in handle;
  return isPgClient && 'query' in handle && typeof handle.query === 'function';
}
