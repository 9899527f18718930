// The connections on which work runs: one for each piece of work, unusable as soon as the work is over. Made by the SQLite
// writer, reader and join. Every statement runs synchronously, so a result costs microtasks only.
import {
  readOnlyError,
  type SqlConnection,
  type SqlResult,
  type SqlStatement,
  StorageError,
} from '../../core/contract/ports/storage.ts';
import { Backoff } from './sqlite-waiting.ts';

/** A connection over a synchronous `execute`. After `revoke` every call rejects with `handle_revoked`. */
export class SqliteConnection implements SqlConnection {
  readonly #execute: (statement: SqlStatement) => SqlResult;
  #revoked = false;

  constructor(execute: (statement: SqlStatement) => SqlResult) {
    this.#execute = execute;
  }

  query(statement: SqlStatement): Promise<SqlResult> {
    return this.#answer(() => this.#execute(statement));
  }

  batch(statements: readonly SqlStatement[]): Promise<readonly number[]> {
    return this.#answer(() => statements.map((statement) => this.#execute(statement).changes));
  }

  revoke(): void {
    this.#revoked = true;
  }

  #answer<T>(run: () => T): Promise<T> {
    if (this.#revoked) return Promise.reject(revokedError());
    try {
      return Promise.resolve(run());
    } catch (error) {
      return Promise.reject(error);
    }
  }
}

/** Tries a read. Undefined if another connection, or a transaction on the same connection, blocks it. */
export type TryRead = (statement: SqlStatement) => SqlResult | undefined;

/** A read-only connection. While the database is busy it waits. Other work does not queue behind a read. */
export class SqliteReadConnection implements SqlConnection {
  readonly #tryRead: TryRead;
  readonly #waitMs: number;
  #revoked = false;

  constructor(tryRead: TryRead, waitMs: number) {
    this.#tryRead = tryRead;
    this.#waitMs = waitMs;
  }

  async query(statement: SqlStatement): Promise<SqlResult> {
    let backoff: Backoff | undefined;
    for (;;) {
      if (this.#revoked) throw revokedError();
      const result = this.#tryRead(statement);
      if (result !== undefined) return result;
      backoff ??= new Backoff(performance.now() + this.#waitMs);
      if (await backoff.pause()) continue;
      throw new StorageError('busy', `The SQLite database was not free to read for ${this.#waitMs} ms: try again.`);
    }
  }

  async batch(statements: readonly SqlStatement[]): Promise<readonly number[]> {
    throw this.#revoked ? revokedError() : readOnlyError(statements[0]?.sql ?? '');
  }

  revoke(): void {
    this.#revoked = true;
  }
}

/** The error for a call on a connection whose work is over. */
export function revokedError(): StorageError {
  return new StorageError(
    'handle_revoked',
    'This connection was used after its transaction had ended. Await every statement before the work returns, and do not keep the connection.',
  );
}
