// A storage that records every distinct statement that ran on it, with the parameters of its first run. For the test in which the
// databases explain all statements.
import type { SqlConnection, SqlStatement, StorageAdapter, StorageDriver } from '../../core/contract/ports/storage.ts';

/** Statements by their text, as they first ran */
export type RecordedStatements = Map<string, SqlStatement>;

function recordingDriver(driver: StorageDriver, statements: RecordedStatements): StorageDriver {
  const originals = new WeakMap<SqlConnection, SqlConnection>();
  const originalOf = (connection: SqlConnection): SqlConnection => originals.get(connection) ?? connection;
  const record = (statement: SqlStatement): void => {
    if (!statements.has(statement.sql)) statements.set(statement.sql, statement);
  };
  const observe = (connection: SqlConnection): SqlConnection => {
    const finishWith = connection.finishWith?.bind(connection);
    const observedConnection: SqlConnection = {
      query(statement) {
        record(statement);
        return connection.query(statement);
      },
      batch(several) {
        several.forEach(record);
        return connection.batch(several);
      },
      ...(finishWith !== undefined && {
        finishWith(several: readonly SqlStatement[]) {
          several.forEach(record);
          finishWith(several);
        },
      }),
    };
    originals.set(observedConnection, connection);
    return observedConnection;
  };
  return {
    ...driver,
    read: (work) => driver.read((connection) => work(observe(connection))),
    transact: (work, options) => driver.transact((connection) => work(observe(connection)), options),
    tryLock: (connection, name) => driver.tryLock(originalOf(connection), name),
    join: (handle) => driver.join(handle),
    toStorageError: (error) => driver.toStorageError(error),
    ...(driver.yieldWriter !== undefined && { yieldWriter: () => driver.yieldWriter?.() ?? Promise.resolve() }),
    ...(driver.notify !== undefined && {
      notify: async (connection: SqlConnection, channel: string, payload: string) =>
        driver.notify?.(originalOf(connection), channel, payload),
    }),
    ...(driver.listen !== undefined && {
      listen: async (channel: string, onPayload: (payload: string) => void) => driver.listen?.(channel, onPayload),
    }),
    describe: () => driver.describe(),
    close: () => driver.close(),
  };
}

/** Wraps a storage so that its statements are recorded; every call still reaches the real storage. */
export function recordStatements(storage: StorageAdapter): {
  readonly storage: StorageAdapter;
  readonly statements: RecordedStatements;
} {
  const statements: RecordedStatements = new Map();
  const open = async (): Promise<StorageDriver> => recordingDriver(await storage.open(), statements);
  return { storage: { ...storage, open }, statements };
}
