// Transactions of the embedding program: recognises Kysely transactions, and runs savepoints of the service in them, one call at a
// time.
import { CompiledQuery } from 'kysely';
import { assertBackslashEscapes } from '../contract/ports/mysql-escaping.ts';
import { assertUsableSession, sessionSettingsQuery } from '../contract/ports/mysql-session.ts';
import {
  isStorageError,
  type ProgramTransaction,
  type SqlConnection,
  type SqlDialect,
  type SqlResult,
  type SqlStatement,
  type StorageDriver,
  StorageError,
} from '../contract/ports/storage.ts';

/** The part of a Kysely transaction that this file uses; another copy or version of Kysely has it too. */
interface KyselyTransactionShape {
  readonly isTransaction: boolean;
  withoutPlugins(): { executeQuery(query: CompiledQuery): Promise<{ rows: unknown[]; numAffectedRows?: bigint }> };
}

function isKyselyTransaction(handle: object): handle is KyselyTransactionShape {
  const shape = handle as Partial<KyselyTransactionShape>;
  return typeof shape.withoutPlugins === 'function' && shape.isTransaction === true;
}

/**
 * A connection over a Kysely transaction, without its plugins. `integers` names the columns that drivers may return as
 * text.
 */
function overKysely(
  transaction: KyselyTransactionShape,
  driver: StorageDriver,
  integers: ReadonlySet<string>,
  dialect: SqlDialect,
): SqlConnection {
  const plain = transaction.withoutPlugins();
  let ended: StorageError | undefined;
  let sessionCheck: Promise<void> | undefined;
  const execute = async (statement: SqlStatement) => {
    if (ended !== undefined) throw ended;
    // Checked once for each call that joins, because the program may change its session in between.
    if (dialect === 'mysql' && statement !== sessionSettingsQuery) {
      sessionCheck ??= query(sessionSettingsQuery).then(({ rows }) => {
        assertBackslashEscapes(rows);
        assertUsableSession(rows);
      });
      await sessionCheck;
    }
    try {
      return await plain.executeQuery(CompiledQuery.raw(statement.sql, [...statement.parameters]));
    } catch (error) {
      const storageError = driver.toStorageError(error);
      // In MySQL a deadlock ends the whole transaction: the next write would commit by itself.
      if (dialect === 'mysql' && storageError.fault === 'deadlock') ended = storageError;
      throw storageError;
    }
  };
  const query = async (statement: SqlStatement): Promise<SqlResult> => {
    const { rows, numAffectedRows } = await execute(statement);
    const isInteger = (name: string): boolean => integers.has(name) || statement.integers?.has(name) === true;
    return {
      rows: rows.map((row) => withIntegers(row as Record<string, unknown>, isInteger)),
      changes: Number(numAffectedRows ?? 0),
    };
  };
  return {
    query,
    async batch(statements) {
      const changes: number[] = [];
      for (const statement of statements) changes.push((await query(statement)).changes);
      return changes;
    },
  };
}

/** Converts the row in place: the driver has just created it, and nothing else uses it. */
function withIntegers(row: Record<string, unknown>, isInteger: (name: string) => boolean): Record<string, unknown> {
  for (const [name, cell] of Object.entries(row)) {
    if ((typeof cell === 'string' || typeof cell === 'bigint') && isInteger(name)) row[name] = Number(cell);
  }
  return row;
}

/** Joins a handle. @throws StorageError that explains what to pass, if the handle is not recognised */
export function joinTransaction(
  driver: StorageDriver,
  handle: object,
  integers: ReadonlySet<string>,
  dialect: SqlDialect,
): ProgramTransaction {
  const joined = driver.join(handle);
  if (joined !== undefined) return joined;
  if (isKyselyTransaction(handle)) {
    return {
      connection: overKysely(handle, driver, integers, dialect),
      identity: handle,
      mayEndUnnoticed: dialect === 'mysql',
    };
  }
  throw new StorageError(
    'other',
    'This trx is not an open transaction of a kind that the storage adapter recognises. Pass a Kysely transaction, or a raw connection between BEGIN and COMMIT. With Drizzle, Knex, TypeORM or Prisma, pass the driver connection that the transaction runs on: docs/transactions.md shows each.',
  );
}

const queues = new WeakMap<object, Promise<unknown>>();
/**
 * One name is enough: calls on a transaction run one after another, and the program's own savepoints have other names.
 */
const savepoint = 'postrider_call';

/** Runs `work` in a savepoint of the program's transaction, after every earlier call on the same transaction. */
export async function inSavepoint<T>(
  programTransaction: ProgramTransaction,
  work: (connection: SqlConnection) => Promise<T>,
): Promise<T> {
  const previousCall = queues.get(programTransaction.identity) ?? Promise.resolve();
  const running = previousCall.then(() => runInSavepoint(programTransaction, work));
  queues.set(
    programTransaction.identity,
    running.catch(() => undefined),
  );
  return running;
}

async function runInSavepoint<T>(
  { connection, mayEndUnnoticed }: ProgramTransaction,
  work: (connection: SqlConnection) => Promise<T>,
): Promise<T> {
  const runSql = (sql: string) => connection.query({ sql, parameters: [] });
  const lentConnection = lend(connection);
  await runSql(`SAVEPOINT ${savepoint}`);
  if (mayEndUnnoticed === true) await assertOpen(connection);
  try {
    const result = await work(lentConnection.connection);
    lentConnection.revoke();
    await runSql(`RELEASE SAVEPOINT ${savepoint}`);
    return result;
  } catch (error) {
    lentConnection.revoke();
    try {
      await runSql(`ROLLBACK TO SAVEPOINT ${savepoint}`);
      await runSql(`RELEASE SAVEPOINT ${savepoint}`);
    } catch {
      // The transaction itself has ended, and its writes are lost: the first error gives the reason.
    }
    throw error;
  }
}

/** Checks that the transaction is open. MySQL accepts a SAVEPOINT without one and drops it at once; only ROLLBACK TO fails. */
async function assertOpen(connection: SqlConnection): Promise<void> {
  try {
    await connection.query({ sql: `ROLLBACK TO SAVEPOINT ${savepoint}`, parameters: [] });
  } catch (cause) {
    if (isStorageError(cause, 'unavailable')) throw cause;
    throw new StorageError(
      'other',
      'The trx has no open transaction any more: a deadlock, or a statement such as CREATE TABLE, has ended it. Nothing of this call was stored: roll the transaction back, and begin a new one.',
      { cause },
    );
  }
}

/** Lends the connection for one call: a handler that continues after its call has ended cannot use the transaction. */
function lend(connection: SqlConnection): { readonly connection: SqlConnection; revoke(): void } {
  let revoked = false;
  const assertLent = (): void => {
    if (!revoked) return;
    throw new StorageError(
      'handle_revoked',
      'This handle was used after its call had ended. Await every statement before the handler returns, and keep no handle.',
    );
  };
  return {
    connection: {
      async query(statement) {
        assertLent();
        return connection.query(statement);
      },
      async batch(statements) {
        assertLent();
        return connection.batch(statements);
      },
    },
    revoke() {
      revoked = true;
    },
  };
}
