// The connections that work receives, and the transaction around one. A transaction begins with its first statement: in
// pipeline mode BEGIN is sent before it without waiting for the answer. Made by the Postgres driver; knows no SDK.
import {
  type SqlConnection,
  type SqlResult,
  type SqlStatement,
  StorageError,
} from '../../core/contract/ports/storage.ts';
import { groupWrites, mergeWrites } from './postgres-batch.ts';
import { breaksConnection, losesName, postgresFault } from './postgres-faults.ts';
import {
  type PostgresAnswer,
  type PostgresQuery,
  plainQuery,
  type SendingOptions,
  toQuery,
  toResult,
} from './postgres-statements.ts';

/** The part of a pg client that is used. */
export interface PostgresClient {
  query(query: PostgresQuery): Promise<PostgresAnswer>;
  /** I idle, T in a transaction, E in a failed one; older versions of pg do not report it. */
  getTransactionStatus?(): string | null;
  /** The socket of pg's connection, where pg exposes one. */
  readonly connection?: { readonly stream?: { cork?(): void; uncork?(): void } };
}

/** A client that a pool lent. */
export interface PostgresPoolClient extends PostgresClient {
  /** The server process that the connection was told when it began; null or absent where pg does not know it. */
  readonly processID?: number | null;
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
  /** True destroys the connection instead of keeping it. */
  release(destroy?: boolean): void;
}

/**
 * A connection over one pg client. Statements are answered in the order of the calls. A client in pipeline mode sends
 * statements that are not awaited one by one in one round trip; any other client waits for each answer.
 */
export class PostgresConnection implements SqlConnection {
  readonly #client: PostgresClient;
  readonly #options: SendingOptions;
  /** Sent before the first statement. */
  #beginning: string | undefined;
  #begun: Promise<unknown> | undefined;
  #last: Promise<unknown> | undefined;
  #ending: Promise<unknown> | undefined;
  #gathering = false;
  #revoked = false;
  /** Set only where it saves a round trip: in a transaction of ours, on a client in pipeline mode. */
  readonly finishWith?: (statements: readonly SqlStatement[]) => void;
  #broken = false;

  constructor(client: PostgresClient, options: SendingOptions, beginning?: string) {
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
    // All commands are built before one is sent: a statement that cannot be sent must fail the work, so that everything
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

  /** The answer to what `finishWith` sent; rejects when one of its statements failed. */
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
  get begun(): boolean {
    return this.#begun !== undefined;
  }

  /** Whether the client must not be used again. */
  get broken(): boolean {
    return this.#broken;
  }

  markBroken(): void {
    this.#broken = true;
  }

  /** Refuses every later call and waits for the statements that were sent. */
  async finish(): Promise<void> {
    this.#revoked = true;
    await this.#last?.catch(ignore);
  }

  /** Sends a text of the adapter's own, such as COMMIT. */
  async control(text: string): Promise<PostgresAnswer> {
    return this.#send(plainQuery(text, this.#options.answerTimeoutMs));
  }

  #assertUsable(): void {
    if (!this.#revoked) return;
    throw new StorageError(
      'handle_revoked',
      'This connection was used after its transaction had ended. Await every statement before the work returns, and keep no connection.',
    );
  }

  /** Outside pipeline mode pg would itself queue a second statement (also BEGIN's), but that is deprecated. */
  async #inTurn(send: () => Promise<PostgresAnswer>): Promise<PostgresAnswer> {
    const before = this.#last;
    const answer = before === undefined || this.#options.pipelined ? send() : before.then(send, send);
    this.#last = answer;
    try {
      return await answer;
    } finally {
      if (this.#last === answer) this.#last = undefined;
    }
  }

  async #send(query: PostgresQuery): Promise<PostgresAnswer> {
    this.#gather();
    this.#begin();
    try {
      // A limit on the wait for a connection holds only where nothing is sent after BEGIN.
      if (!this.#options.pipelined || this.#options.beginTimeoutMs !== undefined) await this.#begun;
      return await this.#client.query(query);
    } catch (error) {
      // When BEGIN failed, its error is the cause.
      const cause = this.#begun === undefined ? error : await this.#begun.then(() => error, itself);
      if (breaksConnection(cause) || breaksConnection(error)) this.#broken = true;
      if (losesName(cause)) this.#options.onNameLost?.();
      throw postgresFault(cause);
    }
  }

  /** Statements sent before the next turn leave in one write: each write costs about as much as a small statement. */
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
  // The caller gets this error from the statement that failed with it.
}

/**
 * Ends the transaction of `connection` with COMMIT or ROLLBACK, as `work` succeeded or failed. @throws the error of the
 * work or of the commit
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
  if (connection.begun) await commit(connection);
  return result;
}

async function rollBack(connection: PostgresConnection): Promise<void> {
  if (!connection.begun || connection.broken) return;
  try {
    await connection.control('ROLLBACK');
  } catch {
    // After a lost connection the server rolls back.
    connection.markBroken();
  }
}

async function commit(connection: PostgresConnection): Promise<void> {
  if (connection.broken) {
    throw new StorageError('unavailable', 'The connection to Postgres was lost before the commit: nothing was stored.');
  }
  let answer: PostgresAnswer;
  // Sent after the last writes without awaiting them: after a failed write, Postgres answers COMMIT with ROLLBACK.
  const committing = connection.control('COMMIT');
  try {
    const [ended, committed] = await Promise.allSettled([connection.ending, committing]);
    if (ended.status === 'rejected') throw ended.reason;
    if (committed.status === 'rejected') throw committed.reason;
    answer = committed.value;
  } catch (error) {
    if (!connection.broken) throw error;
    throw new StorageError(
      'unavailable',
      'The connection to Postgres was lost while committing: whether the transaction was stored is unknown. Look for its rows before doing it again.',
      { cause: error, outcomeUnknown: true },
    );
  }
  if (answer.command === 'COMMIT') return;
  throw new StorageError(
    'other',
    'A statement of this transaction failed and the work went on regardless: Postgres rolled everything back. Let such an error out, or wrap the statement in a savepoint.',
  );
}
