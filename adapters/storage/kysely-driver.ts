// The open database over the program's own Kysely instance, which is neither closed nor changed. Made by kysely.ts.

import {
  type ProgramTransaction,
  type SqlConnection,
  type StorageDriver,
  StorageError,
  type TransactOptions,
} from '../../core/contract/ports/storage.ts';
import { OpenWork } from '../kit/pool-work.ts';
import type { SessionLimits } from '../kit/session-limits.ts';
import { KyselyConnection, type KyselyRunner } from './kysely-connection.ts';
import type { KyselyDialect } from './kysely-dialect.ts';

/** The time that is added to the server's own time limit before a statement is abandoned, in milliseconds. */
const answerGraceMs = 5000;

/** The part of a Kysely instance that is used. It is the same in every copy and version of Kysely. */
export interface KyselyInstance {
  readonly isTransaction: boolean;
  withoutPlugins(): KyselyInstance & KyselyRunner;
  getExecutor(): { readonly adapter: object };
  connection(): { execute<T>(work: (connection: KyselyInstance & KyselyRunner) => Promise<T>): Promise<T> };
  transaction(): {
    setIsolationLevel(level: 'read committed'): {
      execute<T>(work: (transaction: KyselyInstance & KyselyRunner) => Promise<T>): Promise<T>;
    };
  };
}

/** Implements the port's database. */
export class KyselyDriver implements StorageDriver {
  readonly #db: KyselyInstance;
  readonly #dialect: KyselyDialect;
  readonly #limits: SessionLimits;
  readonly #info: Readonly<Record<string, string | number>>;
  readonly #ownConnections = new WeakSet<SqlConnection>();
  readonly #work = new OpenWork('Kysely');
  readonly notify?: (connection: SqlConnection, channel: string, payload: string) => Promise<void>;

  constructor(
    db: KyselyInstance,
    dialect: KyselyDialect,
    limits: SessionLimits,
    info: Readonly<Record<string, string | number>>,
    notification: string | undefined,
  ) {
    this.#db = db.withoutPlugins();
    this.#dialect = dialect;
    this.#limits = limits;
    this.#info = info;
    if (notification !== undefined) {
      this.notify = async (connection, channel, payload) => {
        await connection.query({ sql: notification, parameters: [channel, payload] });
      };
    }
  }

  read<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    return this.#work.track(() =>
      this.#withConnection(this.#limits.waitMs, undefined, async (runner, giveUp) => {
        const connection = new KyselyConnection(runner, this.#dialect, this.#answerTimeoutMs());
        try {
          return await work(connection);
        } catch (error) {
          if (connection.hasAbandonedStatement) giveUp(error);
          throw error;
        } finally {
          await connection.settle();
          await connection.settleAbandoned();
        }
      }),
    );
  }

  transact<T>(work: (connection: SqlConnection) => Promise<T>, options: TransactOptions = {}): Promise<T> {
    const limits =
      options.longRunning === true
        ? { ...this.#limits, statementTimeoutMs: 0, lockTimeoutMs: 0 }
        : { ...this.#limits, lockTimeoutMs: shorterOf(this.#limits.lockTimeoutMs, options.lockWaitMs) };
    return this.#work.track(() =>
      this.#withConnection(options.waitMs ?? limits.waitMs, options.signal, (runner, giveUp) =>
        this.#transactOn(runner, work, limits, giveUp),
      ),
    );
  }

  /** Runs a transaction. Session locks are released after its commit, on the connection that took them. */
  async #transactOn<T>(
    runner: KyselyInstance & KyselyRunner,
    work: (connection: SqlConnection) => Promise<T>,
    limits: SessionLimits,
    giveUp: (reason: unknown) => void,
  ): Promise<T> {
    // Checked before BEGIN, because BEGIN itself would fail with some of the rejected settings.
    const checkConnection = new KyselyConnection(runner, this.#dialect, this.#answerTimeoutMs());
    try {
      await checkConnection.checkSession();
    } catch (error) {
      if (checkConnection.hasAbandonedStatement) giveUp(error);
      await checkConnection.settleAbandoned();
      throw error;
    }
    let connection: KyselyConnection | undefined;
    let isCommitting = false;
    let refusal: { readonly reason: unknown } | undefined;
    try {
      return await runner
        .transaction()
        .setIsolationLevel('read committed')
        .execute(async (transaction) => {
          connection = new KyselyConnection(transaction, this.#dialect, this.#answerTimeoutMs(limits), true);
          this.#ownConnections.add(connection);
          try {
            const beginning = this.#dialect.beginning(limits);
            if (beginning !== undefined) await connection.query(beginning);
            const result = await withSettledTransaction(connection, work);
            await connection.finish();
            isCommitting = true;
            return result;
          } catch (reason) {
            refusal = { reason };
            // The ROLLBACK waits for the statement that is still running.
            if (connection.hasAbandonedStatement) giveUp(reason);
            throw reason;
          }
        });
    } catch (error) {
      // Kysely throws the error of its own ROLLBACK instead of the error of the work.
      if (refusal !== undefined) throw refusal.reason;
      throw isCommitting ? this.#commitFault(error) : this.#dialect.toStorageError(error);
    } finally {
      await this.#release(runner, connection?.locks ?? []);
    }
  }

  #commitFault(error: unknown): StorageError {
    if (!this.#dialect.breaksConnection(error)) return this.#dialect.toStorageError(error);
    return new StorageError(
      'unavailable',
      'The database connection was lost while committing: whether the transaction was stored is unknown. Look for its rows before doing it again.',
      { cause: this.#dialect.toStorageError(error), outcomeUnknown: true },
    );
  }

  async #release(runner: KyselyRunner, locks: readonly string[]): Promise<void> {
    for (const name of locks) {
      const unlock = this.#dialect.unlock(name);
      if (unlock === undefined) return;
      // A connection that cannot respond is lost, together with its locks.
      await runner.executeQuery(this.#dialect.compile(unlock)).catch(() => undefined);
    }
  }

  async tryLock(connection: SqlConnection, name: string): Promise<boolean> {
    if (connection instanceof KyselyConnection) {
      // Nothing reports the end of the program's transaction, so a session lock would stay after it.
      if (!this.#ownConnections.has(connection) && this.#dialect.unlock(name) !== undefined) return true;
      return connection.tryLock(name);
    }
    if (this.#dialect.unlock(name) !== undefined) return true;
    const { rows } = await connection.query(this.#dialect.lock(name));
    return rows[0]?.['taken'] === true;
  }

  /**
   * Joins transactions of the same instance only: its driver is known, so that every value is read as in the adapter's own
   * transactions.
   */
  join(handle: unknown): ProgramTransaction | undefined {
    if (!isInstance(handle) || !handle.isTransaction) return undefined;
    if (handle.getExecutor().adapter !== this.#db.getExecutor().adapter) return undefined;
    const { isCommitted, isRolledBack } = handle as { isCommitted?: unknown; isRolledBack?: unknown };
    if (isCommitted === true || isRolledBack === true) {
      throw new StorageError(
        'other',
        'The Kysely transaction has ended: pass one between BEGIN and COMMIT, from transaction().execute or startTransaction().',
      );
    }
    return {
      connection: new KyselyConnection(handle.withoutPlugins(), this.#dialect, undefined),
      identity: handle,
      mayEndUnnoticed: this.#dialect.mayEndUnnoticed,
    };
  }

  toStorageError(error: unknown): StorageError {
    return this.#dialect.toStorageError(error);
  }

  async describe(): Promise<Record<string, string | number>> {
    const { rows } = await this.read((connection) => connection.query(this.#dialect.settingsQuery));
    const settings = Object.entries(rows[0] ?? {}).map(([name, value]) => [name, String(value)]);
    return { ...this.#info, ...Object.fromEntries(settings) };
  }

  close(): Promise<void> {
    return this.#work.close();
  }

  #answerTimeoutMs({ statementTimeoutMs } = this.#limits): number | undefined {
    return statementTimeoutMs === 0 ? undefined : statementTimeoutMs + answerGraceMs;
  }

  /**
   * Runs `work` on a connection of the program's pool, or rejects after `waitMs`. A connection that arrives too late is returned
   * unused. If `work` is abandoned before its end, the caller gets the error at once, and the connection is returned when `work`
   * has ended.
   */
  #withConnection<T>(
    waitMs: number,
    signal: AbortSignal | undefined,
    work: (runner: KyselyInstance & KyselyRunner, giveUp: (reason: unknown) => void) => Promise<T>,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      let isWaiting = true;
      const finishWaiting = (): void => {
        isWaiting = false;
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const giveUp = (reason: unknown): void => {
        finishWaiting();
        reject(reason);
      };
      const onAbort = (): void => giveUp(signal?.reason);
      const timer = setTimeout(() => giveUp(noFreeConnection(waitMs)), waitMs);
      signal?.addEventListener('abort', onAbort);
      const using = async (runner: KyselyInstance & KyselyRunner): Promise<void> => {
        if (!isWaiting) return;
        finishWaiting();
        await work(runner, reject).then(resolve, reject);
      };
      this.#db
        .connection()
        .execute(using)
        .catch((error: unknown) => giveUp(this.#dialect.toStorageError(error)));
    });
  }
}

/** Runs the work. After a failure, waits for the statements that are still running. */
async function withSettledTransaction<T>(
  connection: KyselyConnection,
  work: (connection: SqlConnection) => Promise<T>,
): Promise<T> {
  try {
    return await work(connection);
  } catch (error) {
    await connection.settle();
    throw error;
  }
}

function noFreeConnection(waitMs: number): StorageError {
  return new StorageError(
    'unavailable',
    `No database connection was free for ${waitMs} ms. Nothing was run: try again, or enlarge the program's pool.`,
  );
}

/** Whether a value is a Kysely instance, recognised by its shape. */
export function isInstance(handle: unknown): handle is KyselyInstance {
  if (typeof handle !== 'object' || handle === null) return false;
  const shape = handle as Partial<KyselyInstance>;
  return typeof shape.withoutPlugins === 'function' && typeof shape.getExecutor === 'function';
}

/** The shorter of the two limits, in milliseconds. A `lockTimeoutMs` of 0 means no limit. */
function shorterOf(lockTimeoutMs: number, lockWaitMs: number | undefined): number {
  if (lockWaitMs === undefined) return lockTimeoutMs;
  return Math.max(1, Math.ceil(lockTimeoutMs === 0 ? lockWaitMs : Math.min(lockWaitMs, lockTimeoutMs)));
}
