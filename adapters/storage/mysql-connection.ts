// The connections that work is handed, and the transaction around one, which begins with its first statement.
// Made by the MySQL driver; knows no SDK.
import { createHash } from 'node:crypto';
import type { SqlConnection, SqlResult, SqlStatement } from '../../core/contract/ports/storage.ts';
import { StorageError } from '../../core/contract/ports/storage.ts';
import { breaksConnection, mysqlFault, rolledBack } from './mysql-faults.ts';
import type { MysqlAnswer, MysqlCommand, WholeNumber } from './mysql-statements.ts';
import { assertInTransaction, plainCommand, toCommand, toResult } from './mysql-statements.ts';

type OnAnswer = (error: unknown, answer: MysqlAnswer) => void;

/** The part of a mysql2 connection, in its callback form, that is used. It answers in the order of the calls. */
export interface MysqlClient {
  query(command: MysqlCommand, onAnswer: OnAnswer): unknown;
  execute(command: MysqlCommand, onAnswer: OnAnswer): unknown;
  readonly config?: { readonly clientFlags?: number };
}

/** How statements are sent. */
export interface SendingOptions {
  readonly answerTimeoutMs: number | undefined;
  readonly whole: WholeNumber;
}

/** A connection over one mysql2 client. */
export class MysqlConnection implements SqlConnection {
  readonly #client: MysqlClient;
  readonly #options: SendingOptions;
  /** Sent in front of the first statement; undefined on reads and in a transaction of the program. */
  #beginning: readonly string[] | undefined;
  readonly #foreign: boolean;
  #last: Promise<unknown> | undefined;
  readonly #locks = new Set<string>();
  #begun = false;
  #revoked = false;
  #broken = false;
  #rolledBack: StorageError | undefined;

  constructor(
    client: MysqlClient,
    options: SendingOptions,
    role: { readonly beginning?: readonly string[]; readonly foreign?: boolean } = {},
  ) {
    this.#client = client;
    this.#options = options;
    this.#beginning = role.beginning;
    this.#foreign = role.foreign ?? false;
  }

  async query(statement: SqlStatement): Promise<SqlResult> {
    this.#assertUsable();
    const answer = await this.#inTurn(toCommand(statement, this.#options.whole, this.#options.answerTimeoutMs));
    if (this.#foreign) assertInTransaction(answer);
    return toResult(answer);
  }

  async batch(statements: readonly SqlStatement[]): Promise<readonly number[]> {
    const changes: number[] = [];
    for (const statement of statements) changes.push((await this.query(statement)).changes);
    return changes;
  }

  /**
   * Takes a named lock of the session, which the end of the transaction gives back. In a transaction of the program
   * nothing is taken: nobody tells when it ends, and the lock would outlive it.
   */
  async tryLock(name: string): Promise<boolean> {
    if (this.#foreign) return true;
    this.#assertUsable();
    const lock = lockName(name);
    if (this.#locks.has(lock)) return true;
    const text = `select get_lock(${lockExpression(lock)}, 0) as taken`;
    const { rows } = toResult(await this.#inTurn(plainCommand(text, this.#options.answerTimeoutMs)));
    if (rows[0]?.['taken'] !== 1) return false;
    this.#locks.add(lock);
    return true;
  }

  /** Whether BEGIN was sent. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Whether the client must not be used again. */
  get broken(): boolean {
    return this.#broken;
  }

  markBroken(): void {
    this.#broken = true;
  }

  /** Set when the server has ended the transaction by itself: what came after it was not sent. */
  get rolledBack(): StorageError | undefined {
    return this.#rolledBack;
  }

  /** Refuses every later call and waits for the statements that were sent. */
  async finish(): Promise<void> {
    this.#revoked = true;
    await this.#last?.catch(ignore);
  }

  /** Sends a text of the adapter's own, such as COMMIT. */
  async control(text: string): Promise<MysqlAnswer> {
    return this.#send(plainCommand(text, this.#options.answerTimeoutMs));
  }

  /** Gives the named locks back; what cannot be given back ends with the connection. */
  async releaseLocks(): Promise<void> {
    if (this.#broken || this.#locks.size === 0) return;
    const releases = [...this.#locks].map((lock) => `release_lock(${lockExpression(lock)})`);
    try {
      await this.control(`do ${releases.join(', ')}`);
      this.#locks.clear();
    } catch {
      this.#broken = true;
    }
  }

  #assertUsable(): void {
    if (this.#revoked) {
      throw new StorageError(
        'handle_revoked',
        'This connection was used after its transaction had ended. Await every statement before the work returns, and keep no connection.',
      );
    }
    if (this.#rolledBack !== undefined) throw this.#rolledBack;
  }

  /** Each is sent when the one before is answered: after a deadlock the next would run without a transaction. */
  async #inTurn(command: MysqlCommand): Promise<MysqlAnswer> {
    const before = this.#last;
    const answer = this.#sendAfter(before, command);
    this.#last = answer;
    try {
      return await answer;
    } finally {
      if (this.#last === answer) this.#last = undefined;
    }
  }

  async #sendAfter(before: Promise<unknown> | undefined, command: MysqlCommand): Promise<MysqlAnswer> {
    if (before !== undefined) await before.catch(ignore);
    if (this.#rolledBack !== undefined) throw this.#rolledBack;
    const texts = this.#beginning;
    if (texts !== undefined) {
      this.#beginning = undefined;
      this.#begun = true;
      for (const text of texts) await this.control(text);
    }
    return this.#send(command);
  }

  #send(command: MysqlCommand): Promise<MysqlAnswer> {
    return new Promise((resolve, reject) => {
      const onAnswer: OnAnswer = (error, answer) => {
        if (error === null || error === undefined) resolve(answer);
        else reject(this.#faultOf(error, command.sql));
      };
      // What has no parameters needs no preparing, and SAVEPOINT cannot be prepared.
      if (command.values.length === 0) this.#client.query(command, onAnswer);
      else this.#client.execute(command, onAnswer);
    });
  }

  #faultOf(error: unknown, sql: string): StorageError {
    const fault = mysqlFault(error, sql);
    if (breaksConnection(error)) this.#broken = true;
    if (rolledBack(error)) this.#rolledBack ??= fault;
    return fault;
  }
}

/** What GET_LOCK takes for a name of `lockName`. The locks are shared by every database of the server. */
export function lockExpression(lock: string): string {
  return `left(sha2(concat(coalesce(database(), ''), ':${lock}'), 256), 60)`;
}

export function lockName(name: string): string {
  return createHash('sha256').update(`postrider:${name}`).digest('hex');
}

/** Ends the transaction of `connection` the way `work` ended. @throws what the work or the commit threw */
export async function runTransaction<T>(
  connection: MysqlConnection,
  work: (connection: MysqlConnection) => Promise<T>,
): Promise<T> {
  let result: T;
  try {
    result = await work(connection);
    await connection.finish();
    if (connection.begun) await commit(connection);
  } catch (error) {
    await connection.finish().catch(ignore);
    await rollBack(connection);
    await connection.releaseLocks();
    throw error;
  }
  await connection.releaseLocks();
  return result;
}

async function rollBack(connection: MysqlConnection): Promise<void> {
  if (!connection.begun || connection.broken) return;
  try {
    await connection.control('rollback');
  } catch {
    // The server rolls back what a lost connection leaves behind.
    connection.markBroken();
  }
}

async function commit(connection: MysqlConnection): Promise<void> {
  if (connection.rolledBack !== undefined) throw connection.rolledBack;
  if (connection.broken) {
    throw new StorageError('unavailable', 'The database connection was lost before the commit: nothing was stored.');
  }
  try {
    await connection.control('commit');
  } catch (error) {
    if (!connection.broken) throw error;
    throw new StorageError(
      'unavailable',
      'The database connection was lost while committing: whether the transaction was stored is unknown. Look for its rows before doing it again.',
      { cause: error, outcomeUnknown: true },
    );
  }
}

function ignore(): void {
  // The error that is passed on explains more.
}
