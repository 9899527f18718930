// The connections on which work runs, and the transaction around a connection. A transaction begins with its first statement: in
// pipeline mode BEGIN is sent before it without waiting for the response. Made by the Postgres driver; knows no SDK.
import {
  type SqlConnection,
  type SqlResult,
  type SqlStatement,
  StorageError,
} from '../../core/contract/ports/storage.ts';
import { groupWrites, mergeWrites } from './postgres-batch.ts';
import { breaksConnection, losesStatementName, postgresFault } from './postgres-faults.ts';
import {
  type PostgresQuery,
  type PostgresResponse,
  type PostgresSendOptions,
  plainQuery,
  toQuery,
  toResult,
} from './postgres-statements.ts';

/** The part of a pg client that is used. */
export interface PostgresClient {
  query(query: PostgresQuery): Promise<PostgresResponse>;
  /** I: idle, T: in a transaction, E: in a failed transaction. Older versions of pg do not report it. */
  getTransactionStatus?(): string | null;
  /** The socket of pg's connection, if pg exposes it. */
  readonly connection?: { readonly stream?: { cork?(): void; uncork?(): void } };
}

/** A client of a pool. */
export interface PostgresPoolClient extends PostgresClient {
  /** The server process of the connection, as reported when it began. Null or absent if pg does not know it. */
  readonly processID?: number | null;
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
  /** True destroys the connection instead of keeping it. */
  release(destroy?: boolean): void;
}

/**
 * A connection over one pg client. Responses come in the order of the calls. In pipeline mode, statements that are not awaited
 * one by one are sent in one round trip; otherwise each statement waits for the previous response.
 */
export class PostgresConnection implements SqlConnection {
  readonly #client: PostgresClient;
  readonly #options: PostgresSendOptions;
  /** Sent before the first statement. */
  #beginning: string | undefined;
  #begun: Promise<unknown> | undefined;
  #last: Promise<unknown> | undefined;
  #ending: Promise<unknown> | undefined;
  #gathering = false;
  #revoked = false;
  /** Set only if it saves a round trip: in the adapter's own transaction, on a client in pipeline mode. */
  readonly finishWith?: (statements: readonly SqlStatement[]) => void;
  #broken = false;

  constructor(client: PostgresClient, options: PostgresSendOptions, beginning?: string) {
    this.#client = client;
    this.#options = options;
    this.#beginning = beginning;
    if (options.pipelined && beginning !== undefined) this.finishWith = (statements) => this.#finishWith(statements);
  }

  async query(statement: SqlStatement): Promise<SqlResult> {
    this.#assertUsable();
    return toResult(await this.#inTurn(() => this.#send(toQuery(statement, this.#options))));
  }

  #finishWith(statements: readonly SqlStatement[]): void {
    this.#assertUsable();
    // All commands are built before the first one is sent: a statement that cannot be sent must fail the work, so that everything
    // is rolled back.
    const queries = groupWrites(statements).map((group) => {
      const [only] = group;
      return toQuery(
        group.length === 1 && only !== undefined ? only : mergeWrites(group, false).statement,
        this.#options,
      );
    });
    this.#revoked = true;
    this.#ending = Promise.all(queries.map((query) => this.#inTurn(() => this.#send(query))));
    this.#ending.catch(ignore);
  }

  /** The result of the statements that `finishWith` sent. Rejects if one of them failed. */
  get ending(): Promise<unknown> | undefined {
    return this.#ending;
  }

  async batch(statements: readonly SqlStatement[]): Promise<readonly number[]> {
    const changes: number[] = [];
    for (const group of groupWrites(statements)) {
      const [only] = group;
      if (group.length === 1 && only !== undefined) {
        changes.push((await this.query(only)).changes);
        continue;
      }
      const { statement, counts } = mergeWrites(group);
      changes.push(...counts(await this.query(statement)));
    }
    return changes;
  }

  /** Whether BEGIN was sent. */
  get hasBegun(): boolean {
    return this.#begun !== undefined;
  }

  /** Whether the client must not be used again. */
  get isBroken(): boolean {
    return this.#broken;
  }

  markBroken(): void {
    this.#broken = true;
  }

  /** Rejects every later call and waits for the statements that were sent. */
  async finish(): Promise<void> {
    this.#revoked = true;
    await this.#last?.catch(ignore);
  }

  /** Sends one of the adapter's own texts, such as COMMIT. */
  async control(text: string): Promise<PostgresResponse> {
    return this.#send(plainQuery(text, this.#options.answerTimeoutMs));
  }

  #assertUsable(): void {
    if (!this.#revoked) return;
    throw new StorageError(
      'handle_revoked',
      'This connection was used after its transaction had ended. Await every statement before the work returns, and do not keep the connection.',
    );
  }

  /** Outside pipeline mode, each statement waits for the previous one (or BEGIN), because queueing inside pg is deprecated. */
  async #inTurn(send: () => Promise<PostgresResponse>): Promise<PostgresResponse> {
    const previous = this.#last;
    const answer = previous === undefined || this.#options.pipelined ? send() : previous.then(send, send);
    this.#last = answer;
    try {
      return await answer;
    } finally {
      if (this.#last === answer) this.#last = undefined;
    }
  }

  async #send(query: PostgresQuery): Promise<PostgresResponse> {
    this.#gather();
    this.#begin();
    try {
      // A limit on the wait for a connection works only if nothing is sent after BEGIN.
      if (!this.#options.pipelined || this.#options.beginTimeoutMs !== undefined) await this.#begun;
      return await this.#client.query(query);
    } catch (error) {
      // If BEGIN failed, its error is the cause.
      const cause = this.#begun === undefined ? error : await this.#begun.then(() => error, itself);
      if (breaksConnection(cause) || breaksConnection(error)) this.#broken = true;
      if (losesStatementName(cause)) this.#options.onNameLost?.();
      throw postgresFault(cause);
    }
  }

  /** Statements of the same turn are sent in one write, because each write takes about as long as a small statement. */
  #gather(): void {
    const stream = this.#options.pipelined ? this.#client.connection?.stream : undefined;
    if (this.#gathering || stream?.cork === undefined) return;
    this.#gathering = true;
    stream.cork();
    process.nextTick(() => {
      this.#gathering = false;
      stream.uncork?.();
    });
  }

  #begin(): void {
    if (this.#beginning === undefined) return;
    this.#begun = this.#client.query(
      plainQuery(this.#beginning, this.#options.beginTimeoutMs ?? this.#options.answerTimeoutMs),
    );
    this.#begun.catch(ignore);
    this.#beginning = undefined;
  }
}

function itself(error: unknown): unknown {
  return error;
}

function ignore(): void {
  // The caller gets this error from the statement that caused it.
}

/**
 * Ends the transaction of `connection` with COMMIT if `work` succeeded, or ROLLBACK if it failed. @throws the error of the work
 * or of the commit
 */
export async function runTransaction<T>(
  connection: PostgresConnection,
  work: (connection: SqlConnection) => Promise<T>,
): Promise<T> {
  let result: T;
  try {
    result = await work(connection);
  } catch (error) {
    await connection.finish();
    await rollBack(connection);
    throw error;
  }
  if (connection.ending === undefined) await connection.finish();
  if (connection.hasBegun) await commit(connection);
  return result;
}

async function rollBack(connection: PostgresConnection): Promise<void> {
  if (!connection.hasBegun || connection.isBroken) return;
  try {
    await connection.control('ROLLBACK');
  } catch {
    // After a lost connection the server rolls back.
    connection.markBroken();
  }
}

async function commit(connection: PostgresConnection): Promise<void> {
  if (connection.isBroken) {
    throw new StorageError('unavailable', 'The connection to Postgres was lost before the commit: nothing was stored.');
  }
  let response: PostgresResponse;
  // Sent after the last writes without awaiting them. After a failed write, Postgres responds to COMMIT with ROLLBACK.
  const committing = connection.control('COMMIT');
  try {
    const [writesResult, commitResult] = await Promise.allSettled([connection.ending, committing]);
    if (writesResult.status === 'rejected') throw writesResult.reason;
    if (commitResult.status === 'rejected') throw commitResult.reason;
    response = commitResult.value;
  } catch (error) {
    if (!connection.isBroken) {
      // Postgres reports the error before it releases the locks of the transaction, and responds to ROLLBACK only afterwards. Until
      // then, a retry of the same work in another transaction could be blocked by these locks.
      await rollBack(connection);
      throw error;
    }
    throw new StorageError(
      'unavailable',
      'The connection to Postgres was lost while committing: whether the transaction was stored is unknown. Look for its rows before doing it again.',
      { cause: error, outcomeUnknown: true },
    );
  }
  if (response.command === 'COMMIT') return;
  throw new StorageError(
    'other',
    'A statement of this transaction failed and the work went on regardless: Postgres rolled everything back. Let the error reject the work, or wrap the statement in a savepoint.',
  );
}
