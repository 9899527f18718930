// Planted faults: what the accounting of the killing test must notice. They wrap the real adapters of a worker process;
// nothing that is shipped knows of them.
import { randomUUID } from 'node:crypto';
import type { SqlConnection, SqlStatement, StorageAdapter, StorageDriver } from '../../core/contract/ports/storage.ts';
import type { MailAdapter } from '../../plugins/email/port/index.ts';

/** The kinds of faults. */
export const plants = ['lost', 'doubled', 'new-message-id', 'stuck'] as const;

/**
 * lost: answers before the commit. doubled: forgets idempotency records. new-message-id: every try has its own
 * Message-ID. stuck: leases that ran out are never taken back.
 */
export type Plant = (typeof plants)[number];

/** The driver's methods on an object that others can replace some of. */
function delegateTo(driver: StorageDriver): StorageDriver {
  const { yieldWriter, notify, listen } = driver;
  return {
    read: (work) => driver.read(work),
    transact: (work, options) => driver.transact(work, options),
    tryLock: (connection, name) => driver.tryLock(connection, name),
    join: (handle) => driver.join(handle),
    faultOf: (error) => driver.faultOf(error),
    describe: () => driver.describe(),
    close: () => driver.close(),
    ...(yieldWriter !== undefined && { yieldWriter: () => yieldWriter.call(driver) }),
    ...(notify !== undefined && { notify: (...given) => notify.apply(driver, given) }),
    ...(listen !== undefined && { listen: (...given) => listen.apply(driver, given) }),
  };
}

/** Hands the result over as soon as the work is done, whatever becomes of the commit. */
function answeringEarly(driver: StorageDriver): StorageDriver {
  return {
    ...delegateTo(driver),
    transact: (work, options) =>
      new Promise((resolve, reject) => {
        const early = async (connection: SqlConnection) => {
          const result = await work(connection);
          resolve(result);
          return result;
        };
        driver.transact(early, options).catch(reject);
      }),
  };
}

const nothing = { rows: [], changes: 0 };

/** Shows and writes no statement that `isHidden` names; its writes are said to have changed one row. */
function hiding(driver: StorageDriver, isHidden: (sql: string) => boolean): StorageDriver {
  const inner = new WeakMap<SqlConnection, SqlConnection>();
  const wrap = (connection: SqlConnection): SqlConnection => {
    const wrapped: SqlConnection = {
      query: async (statement) => (isHidden(statement.sql) ? nothing : connection.query(statement)),
      async batch(statements: readonly SqlStatement[]) {
        const shown = statements.filter(({ sql }) => !isHidden(sql));
        const changes = [...(await connection.batch(shown))];
        return statements.map(({ sql }) => (isHidden(sql) ? 1 : (changes.shift() ?? 0)));
      },
    };
    inner.set(wrapped, connection);
    return wrapped;
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

const spoiled: Partial<Record<Plant, (driver: StorageDriver) => StorageDriver>> = {
  lost: answeringEarly,
  doubled: (driver) => hiding(driver, touchesIdempotency),
  stuck: (driver) => hiding(driver, looksForExpiredLeases),
};

/** The storage with the fault planted, where it is one of storage. */
export function plantInStorage(storage: StorageAdapter, plant: Plant | undefined): StorageAdapter {
  const spoil = plant === undefined ? undefined : spoiled[plant];
  return spoil === undefined ? storage : { ...storage, open: async () => spoil(await storage.open()) };
}

/** The mail adapter with the fault planted, where it is one of mail. */
export function plantInMail(mail: MailAdapter, plant: Plant | undefined): MailAdapter {
  if (plant !== 'new-message-id') return mail;
  return {
    id: mail.id,
    capabilities: mail.capabilities,
    send: (message, options) => mail.send({ ...message, messageId: `<${randomUUID()}@example.com>` }, options),
    close: () => mail.close(),
  };
}
