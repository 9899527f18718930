// The connections on which work runs, over one connection or transaction of the program's Kysely instance. Made by the Kysely
// driver; begins and ends no transaction.
import type { CompiledQuery } from 'kysely';
import {
  type SqlConnection,
  type SqlResult,
  type SqlStatement,
  StorageError,
} from '../../core/contract/ports/storage.ts';
import type { KyselyDialect } from './kysely-dialect.ts';

/** The part of a Kysely instance that runs statements. It is the same in every copy and version. */
export interface KyselyRunner {
  executeQuery(query: CompiledQuery): Promise<{ readonly rows: unknown[]; readonly numAffectedRows?: bigint }>;
}

/** A connection on which the statements of one piece of work run, one after another. */
export class KyselyConnection implements SqlConnection {
  readonly #runner: KyselyRunner;
  readonly #dialect: KyselyDialect;
  readonly #answerTimeoutMs: number | undefined;
  readonly #locks = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();
  #revoked = false;
  #failed = false;
  #checked: boolean;
  #late = false;
  #answered: Promise<unknown> = Promise.resolve();
  #ended: StorageError | undefined;

  /** @param isChecked - whether the session was already checked */
  constructor(runner: KyselyRunner, dialect: KyselyDialect, answerTimeoutMs: number | undefined, isChecked = false) {
    this.#checked = isChecked;
    this.#runner = runner;
    this.#dialect = dialect;
    this.#answerTimeoutMs = answerTimeoutMs;
  }

  async query(statement: SqlStatement): Promise<SqlResult> {
    if (this.#revoked) throw revokedError();
    return this.#inTurn(statement);
  }

  async batch(statements: readonly SqlStatement[]): Promise<readonly number[]> {
    const changes: number[] = [];
    for (const statement of statements) changes.push((await this.query(statement)).changes);
    return changes;
  }

  /** Takes a lock for the transaction. The driver releases session locks, which the end of the transaction does not release. */
  async tryLock(name: string): Promise<boolean> {
    if (this.#locks.has(name)) return true;
    const { rows } = await this.query(this.#dialect.lock(name));
    const isTaken = rows[0]?.['taken'];
    if (isTaken !== true && isTaken !== 1) return false;
    this.#locks.add(name);
    return true;
  }

  /** The session locks that were taken. */
  get locks(): readonly string[] {
    return [...this.#locks];
  }

  /** Whether an abandoned statement is still running in the database. */
  get hasAbandonedStatement(): boolean {
    return this.#late;
  }

  /** Waits for the result of an abandoned statement. */
  async settleAbandoned(): Promise<void> {
    await this.#answered;
  }

  /**
   * Rejects every later call, waits for the last one, and checks that the transaction can still be committed, because Kysely
   * reports a commit even if Postgres responds to COMMIT with ROLLBACK. @throws StorageError if it cannot be committed
   */
  async finish(): Promise<void> {
    await this.settle();
    if (this.#ended !== undefined) throw this.#ended;
    if (!this.#failed) return;
    try {
      await this.#send({ sql: 'select 1 as one', parameters: [] });
    } catch (cause) {
      throw new StorageError(
        'other',
        'A statement of this transaction failed and the work went on regardless: nothing was stored. Let the error reject the work, or wrap the statement in a savepoint.',
        { cause },
      );
    }
  }

  /** Rejects every later call and waits for the last one. */
  async settle(): Promise<void> {
    this.#revoked = true;
    await this.#last;
  }

  #inTurn(statement: SqlStatement): Promise<SqlResult> {
    const result = this.#last.then(() => this.#send(statement));
    this.#last = result.then(ignoreResult, ignoreResult);
    return result;
  }

  /** Checked for each borrowed connection, not once for the pool, because sessions differ and change. */
  async checkSession(): Promise<void> {
    const { session } = this.#dialect;
    if (session === undefined || this.#checked) return;
    // The query of the check itself needs no check.
    this.#checked = true;
    try {
      session.check((await this.#send(session.query)).rows);
    } catch (error) {
      this.#checked = false;
      throw error;
    }
  }

  async #send(statement: SqlStatement): Promise<SqlResult> {
    if (this.#ended !== undefined) throw this.#ended;
    await this.checkSession();
    const query = this.#dialect.compile(statement);
    try {
      const { rows, numAffectedRows } = await this.#inTime(this.#runner.executeQuery(query));
      return { rows: rows as Record<string, unknown>[], changes: Number(numAffectedRows ?? 0) };
    } catch (error) {
      const fault = this.#dialect.toStorageError(error, statement.sql);
      this.#failed = true;
      if (this.#dialect.endsTransaction(error)) this.#ended = fault;
      throw fault;
    }
  }

  #inTime<T>(answer: Promise<T>): Promise<T> {
    const timeoutMs = this.#answerTimeoutMs;
    if (timeoutMs === undefined) return answer;
    this.#answered = answer.then(ignoreResult, ignoreResult);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#late = true;
        this.#ended = new StorageError('unavailable', `The database did not answer within ${timeoutMs} ms.`);
        reject(this.#ended);
      };
      const timer = setTimeout(giveUp, timeoutMs);
      answer.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}

function ignoreResult(): void {
  // The caller of the statement gets this error.
}

function revokedError(): StorageError {
  return new StorageError(
    'handle_revoked',
    'This connection was used after its transaction had ended. Await every statement before the work returns, and do not keep the connection.',
  );
}
