// The connections on which work runs, and the transaction around a connection, which begins with its first statement. Made by the
// MySQL driver; knows no SDK.
import { assertUsableSession, sessionSettingsQuery } from '../../core/contract/ports/mysql-session.ts';
import {
  type SqlConnection,
  type SqlResult,
  type SqlStatement,
  StorageError,
} from '../../core/contract/ports/storage.ts';
import { breaksConnection, exhaustsPreparedStatements, mysqlFault, rolledBack } from './mysql-faults.ts';
import { lockExpression, lockName } from './mysql-locks.ts';
import {
  groupStatements,
  type InlinedStatement,
  inline,
  isMerged,
  type QuoteText,
  quoteInAnyMode,
  type StatementGroup,
} from './mysql-merge.ts';
import {
  assertInTransaction,
  assertSendable,
  type MysqlCommand,
  type MysqlResponse,
  plainCommand,
  toCommand,
  toResult,
  type WholeNumber,
} from './mysql-statements.ts';

type OnAnswer = (error: unknown, response: MysqlResponse) => void;

/** mysql2's result for a text of several statements: one result for each statement. */
type OnAnswers = (error: unknown, answers: MysqlResponse | readonly MysqlResponse[]) => void;

/** The part of a mysql2 connection, in its callback form, that is used. It responds in the order of the calls. */
export interface MysqlClient {
  query(command: MysqlCommand, onAnswer: OnAnswers): { on(event: 'result', listener: () => void): unknown };
  execute(command: MysqlCommand, onAnswer: OnAnswer): unknown;
  readonly config?: { readonly clientFlags?: number };
}

/** How statements are sent. */
export interface MysqlSendOptions {
  readonly answerTimeoutMs: number | undefined;
  readonly whole: WholeNumber;
  /** Set for the adapter's own sessions, which accept several statements in one text. */
  readonly quote?: QuoteText;
  /** Whether values are bound to prepared statements. False once the server had no prepared statement left. (Default: true) */
  readonly prepares?: boolean;
  /** Called when the server has no prepared statement left. */
  readonly onPreparedStatementsExhausted?: () => void;
}

const inlined = (sql: string): InlinedStatement => ({ sql, original: sql });

/** A connection over one mysql2 client. */
export class MysqlConnection implements SqlConnection {
  readonly #client: MysqlClient;
  readonly #options: MysqlSendOptions;
  /** Sent before the first statement. Undefined for reads and in a transaction of the program. */
  #beginning: readonly string[] | undefined;
  readonly #foreign: boolean;
  /** Set only if it saves round trips: in the adapter's own transaction on its own session. */
  readonly finishWith?: (statements: readonly SqlStatement[]) => void;
  #ending: readonly StatementGroup[] = [];
  #last: Promise<unknown> | undefined;
  readonly #locks = new Set<string>();
  #begun = false;
  /** Set when COMMIT succeeded in a text of several statements. */
  #committed = false;
  #revoked = false;
  #broken = false;
  #rolledBack: StorageError | undefined;

  constructor(
    client: MysqlClient,
    options: MysqlSendOptions,
    role: { readonly beginning?: readonly string[]; readonly isJoined?: boolean } = {},
  ) {
    this.#client = client;
    this.#options = options;
    this.#beginning = role.beginning;
    this.#foreign = role.isJoined ?? false;
    const { quote } = options;
    if (quote === undefined || role.beginning === undefined) return;
    this.finishWith = (statements) => {
      this.#assertUsable();
      // All commands are built before the first one is sent, because a statement that cannot be sent must fail the
      // work, so that everything is rolled back.
      this.#ending = sendable(statements, quote);
      this.#revoked = true;
    };
  }

  async query(statement: SqlStatement): Promise<SqlResult> {
    this.#assertUsable();
    const { quote } = this.#options;
    // A server keeps a limited number of prepared statements, so only statements that are repeated unchanged are prepared.
    if (quote !== undefined && statement.hot !== true && statement.parameters.length > 0) {
      const [parcel] = sendable([statement], quote);
      const [answer] = parcel === undefined ? [] : await this.#inTurn(() => this.#sendParcel(parcel));
      return toResult(answer ?? []);
    }
    assertSendable(statement);
    const answer = await this.#inTurn(() => this.#sendStatement(statement));
    if (this.#foreign) assertInTransaction(answer);
    return toResult(answer);
  }

  async batch(statements: readonly SqlStatement[]): Promise<readonly number[]> {
    const { quote } = this.#options;
    const changes: number[] = [];
    if (quote === undefined || statements.length < 2) {
      for (const statement of statements) changes.push((await this.query(statement)).changes);
      return changes;
    }
    this.#assertUsable();
    const commands = sendable(statements, quote);
    // All texts are sent in one turn of the queue. If the transaction ends meanwhile, its end waits for the text in progress, and no
    // further text is sent.
    return this.#inTurn(async () => {
      for (const parcel of commands) {
        this.#assertUsable();
        const answers = await this.#sendParcel(parcel);
        changes.push(...answers.map((answer) => toResult(answer).changes));
      }
      return changes;
    });
  }

  /**
   * Takes a named lock of the session, which the end of the transaction releases. In a transaction of the program no lock is
   * taken: nothing reports the end of that transaction, and the lock would outlive it.
   */
  async tryLock(name: string): Promise<boolean> {
    if (this.#foreign) return true;
    this.#assertUsable();
    const lock = lockName(name);
    if (this.#locks.has(lock)) return true;
    const text = `select get_lock(${lockExpression(lock)}, 0) as taken`;
    const [answer] = await this.#inTurn(() => this.#sendTexts([inlined(text)]));
    if (answer === undefined || toResult(answer).rows[0]?.['taken'] !== 1) return false;
    this.#locks.add(lock);
    return true;
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

  /** Sends one of the adapter's own texts. */
  async control(text: string): Promise<MysqlResponse> {
    return this.#send(plainCommand(text, this.#options.answerTimeoutMs));
  }

  /** Whether a transaction was begun, even if it has ended. */
  get hasBegun(): boolean {
    return this.#begun;
  }

  /** Resets the session. If it cannot be reset, it is not used again. */
  async restore(text: string): Promise<void> {
    if (this.#broken) return;
    await this.control(text).catch(() => {
      this.#broken = true;
    });
  }

  /** @throws StorageError if the session's settings are unsafe */
  async checkSession(): Promise<void> {
    assertUsableSession(toResult(await this.control(sessionSettingsQuery.sql)).rows);
  }

  /**
   * Sends the last writes and COMMIT, and releases the locks. If the session accepts several statements in one text, this takes
   * one round trip.
   */
  async commit(): Promise<void> {
    if (!this.#begun && this.#ending.length === 0) return;
    if (this.#rolledBack !== undefined) throw this.#rolledBack;
    if (this.#broken) {
      throw new StorageError('unavailable', 'The database connection was lost before the commit: nothing was stored.');
    }
    const ending = [...this.#ending];
    const last = ending.at(-1);
    const writes = last !== undefined && isMerged(last) ? last : [];
    if (writes.length > 0) ending.pop();
    for (const parcel of ending) await this.#sendParcel(parcel);
    try {
      await this.#sendTexts([...writes, inlined('commit'), ...this.#releases()]);
      this.#locks.clear();
    } catch (error) {
      if (this.#committed) {
        // Only releasing the locks failed. They end with the connection.
        this.#broken = true;
        return;
      }
      if (!this.#broken) throw error;
      throw new StorageError(
        'unavailable',
        'The database connection was lost while committing: whether the transaction was stored is unknown. Look for its rows before doing it again.',
        { cause: error, outcomeUnknown: true },
      );
    }
  }

  /** Rolls back and releases the locks. After a lost connection the server does both. */
  async rollBack(): Promise<void> {
    if (this.#broken || (!this.#begun && this.#locks.size === 0)) return;
    try {
      await this.#sendTexts([inlined('rollback'), ...this.#releases()]);
      this.#locks.clear();
    } catch {
      this.#broken = true;
    }
  }

  #releases(): InlinedStatement[] {
    if (this.#locks.size === 0) return [];
    return [inlined(`do ${[...this.#locks].map((lock) => `release_lock(${lockExpression(lock)})`).join(', ')}`)];
  }

  #assertUsable(): void {
    if (this.#revoked) {
      throw new StorageError(
        'handle_revoked',
        'This connection was used after its transaction had ended. Await every statement before the work returns, and do not keep the connection.',
      );
    }
    if (this.#rolledBack !== undefined) throw this.#rolledBack;
  }

  /**
   * Sends each statement after the response to the previous one, because after a deadlock the next statement would run without a
   * transaction.
   */
  async #inTurn<T>(send: () => Promise<T>): Promise<T> {
    const previous = this.#last;
    const answer = this.#after(previous, send);
    this.#last = answer;
    try {
      return await answer;
    } finally {
      if (this.#last === answer) this.#last = undefined;
    }
  }

  async #after<T>(before: Promise<unknown> | undefined, send: () => Promise<T>): Promise<T> {
    if (before !== undefined) await before.catch(ignore);
    if (this.#rolledBack !== undefined) throw this.#rolledBack;
    return send();
  }

  async #sendParcel(parcel: StatementGroup): Promise<readonly MysqlResponse[]> {
    if (isMerged(parcel)) return this.#sendTexts(parcel);
    return [await this.#sendStatement(parcel)];
  }

  async #sendStatement(statement: SqlStatement): Promise<MysqlResponse> {
    const { whole, answerTimeoutMs, prepares = true } = this.#options;
    for (const text of this.#takeBeginning()) await this.control(text);
    const sendAsText = () => this.#send(plainCommand(inline(statement, quoteInAnyMode).sql, answerTimeoutMs));
    if (!prepares && statement.parameters.length > 0) return sendAsText();
    try {
      return await this.#send(toCommand(statement, whole, answerTimeoutMs));
    } catch (error) {
      if (!exhaustsPreparedStatements(error)) throw error;
      this.#options.onPreparedStatementsExhausted?.();
      return sendAsText();
    }
  }

  #takeBeginning(): readonly string[] {
    const texts = this.#beginning;
    if (texts === undefined) return [];
    this.#beginning = undefined;
    this.#begun = true;
    return texts;
  }

  /** Sends texts together if the session accepts that, otherwise one by one. Returns one result for each text. */
  async #sendTexts(statements: readonly InlinedStatement[]): Promise<readonly MysqlResponse[]> {
    const beginning = this.#takeBeginning().map(inlined);
    const texts = [...beginning, ...statements];
    if (this.#options.quote === undefined || texts.length === 1) {
      const answers: MysqlResponse[] = [];
      for (const { sql } of texts) answers.push(await this.control(sql));
      return answers.slice(beginning.length);
    }
    return (await this.#sendTogether(texts)).slice(beginning.length);
  }

  #sendTogether(statements: readonly InlinedStatement[]): Promise<readonly MysqlResponse[]> {
    return new Promise((resolve, reject) => {
      let answeredCount = 0;
      const text = statements.map(({ sql }) => sql).join('; ');
      this.#client
        .query(plainCommand(text, this.#options.answerTimeoutMs), (error, answers) => {
          if (error === null || error === undefined) resolve(answers as readonly MysqlResponse[]);
          // The server stops at the first failing statement.
          else reject(this.#faultOf(error, statements[answeredCount]?.original ?? ''));
        })
        .on('result', () => {
          this.#committed ||= statements[answeredCount]?.sql === 'commit';
          answeredCount += 1;
        });
    });
  }

  #send(command: MysqlCommand): Promise<MysqlResponse> {
    return new Promise((resolve, reject) => {
      const onAnswer = (error: unknown, answer: MysqlResponse | readonly MysqlResponse[]): void => {
        if (error === null || error === undefined) resolve(answer as MysqlResponse);
        else reject(this.#faultOf(error, command.sql));
      };
      // A statement without parameters need not be prepared, and SAVEPOINT cannot be prepared.
      if (command.values.length === 0) this.#client.query(command, onAnswer);
      else this.#client.execute(command, onAnswer);
    });
  }

  #faultOf(error: unknown, sql: string): StorageError {
    const fault = mysqlFault(error, sql);
    if (breaksConnection(error)) this.#broken = true;
    // In a transaction of the program, a lock wait timeout has rolled back only its statement. The adapter's savepoint rolls back
    // the rest.
    if (rolledBack(error) || (!this.#foreign && fault.fault === 'busy')) this.#rolledBack ??= fault;
    return fault;
  }
}

function sendable(statements: readonly SqlStatement[], quote: QuoteText): StatementGroup[] {
  for (const statement of statements) assertSendable(statement);
  return groupStatements(statements, quote);
}

/**
 * Ends the transaction of `connection` with COMMIT if `work` succeeded, or ROLLBACK if it failed. @throws the error of the work
 * or of the commit
 */
export async function runTransaction<T>(
  connection: MysqlConnection,
  work: (connection: SqlConnection) => Promise<T>,
): Promise<T> {
  try {
    const result = await work(connection);
    await connection.finish();
    await connection.commit();
    return result;
  } catch (error) {
    await connection.finish();
    await connection.rollBack();
    throw error;
  }
}

function ignore(): void {
  // The caller gets this error from the statement that caused it.
}
