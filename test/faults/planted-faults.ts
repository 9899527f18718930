// Planted faults that the accounting of the killing test must detect. They wrap the real adapters of a worker process;
// no shipped code uses them.
import { randomUUID } from 'node:crypto';
import type { SqlConnection, SqlStatement, StorageAdapter, StorageDriver } from '../../core/contract/ports/storage.ts';
import type { MailAdapter } from '../../plugins/email/port/index.ts';

/** The kinds of faults. */
export const plants = ['lost', 'doubled', 'new-message-id', 'stuck'] as const;

/**
 * `lost`: answers before the commit. `doubled`: forgets idempotency records. `new-message-id`: every attempt has its own
 * Message-ID. `stuck`: jobs with expired leases stay claimed.
 */
export type InjectedFault = (typeof plants)[number];

/** Copies the driver's methods to an object, so that some can be replaced. */
function delegateTo(driver: StorageDriver): StorageDriver {
  const { yieldWriter, notify, listen } = driver;
  return {
    read: (work) => driver.read(work),
    transact: (work, options) => driver.transact(work, options),
    tryLock: (connection, name) => driver.tryLock(connection, name),
    join: (handle) => driver.join(handle),
    toStorageError: (error) => driver.toStorageError(error),
    describe: () => driver.describe(),
    close: () => driver.close(),
    ...(yieldWriter !== undefined && { yieldWriter: () => yieldWriter.call(driver) }),
    ...(notify !== undefined && { notify: (...args) => notify.apply(driver, args) }),
    ...(listen !== undefined && { listen: (...args) => listen.apply(driver, args) }),
  };
}

/** Returns the result as soon as the work is done, before the commit and whatever its outcome. */
function withEarlyAnswers(driver: StorageDriver): StorageDriver {
  return {
    ...delegateTo(driver),
    transact: (work, options) =>
      new Promise((resolve, reject) => {
        const workAndAnswer = async (connection: SqlConnection) => {
          const result = await work(connection);
          resolve(result);
          return result;
        };
        driver.transact(workAndAnswer, options).catch(reject);
      }),
  };
}

const emptyResult = { rows: [], changes: 0 };

/** Skips every statement for which `isHidden` returns true. Its writes report one changed row. */
function withHiddenStatements(driver: StorageDriver, isHidden: (sql: string) => boolean): StorageDriver {
  const inner = new WeakMap<SqlConnection, SqlConnection>();
  const wrap = (connection: SqlConnection): SqlConnection => {
    const wrapper: SqlConnection = {
      query: async (statement) => (isHidden(statement.sql) ? emptyResult : connection.query(statement)),
      async batch(statements: readonly SqlStatement[]) {
        const visible = statements.filter(({ sql }) => !isHidden(sql));
        const changes = [...(await connection.batch(visible))];
        return statements.map(({ sql }) => (isHidden(sql) ? 1 : (changes.shift() ?? 0)));
      },
    };
    inner.set(wrapper, connection);
    return wrapper;
  };
  return {
    ...delegateTo(driver),
    read: (work) => driver.read((connection) => work(wrap(connection))),
    transact: (work, options) => driver.transact((connection) => work(wrap(connection)), options),
    tryLock: (connection, name) => driver.tryLock(inner.get(connection) ?? connection, name),
  };
}

const touchesIdempotency = (sql: string): boolean => sql.includes('postrider_idempotency"');
const looksForExpiredLeases = (sql: string): boolean => /"lease_until" < /.test(sql);

const wrapStorage: Partial<Record<InjectedFault, (driver: StorageDriver) => StorageDriver>> = {
  lost: withEarlyAnswers,
  doubled: (driver) => withHiddenStatements(driver, touchesIdempotency),
  stuck: (driver) => withHiddenStatements(driver, looksForExpiredLeases),
};

/** The storage with the planted fault, if the fault concerns storage. */
export function plantInStorage(storage: StorageAdapter, plant: InjectedFault | undefined): StorageAdapter {
  const wrap = plant === undefined ? undefined : wrapStorage[plant];
  return wrap === undefined ? storage : { ...storage, open: async () => wrap(await storage.open()) };
}

/** The mail adapter with the planted fault, if the fault concerns mail. */
export function plantInMail(mail: MailAdapter, plant: InjectedFault | undefined): MailAdapter {
  if (plant !== 'new-message-id') return mail;
  return {
    id: mail.id,
    capabilities: mail.capabilities,
    send: (message, options) => mail.send({ ...message, messageId: `<${randomUUID()}@example.com>` }, options),
    close: () => mail.close(),
  };
}
