// Faults that only a server can cause, on MariaDB: lost connections and answers, time limits, deadlocks.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type MysqlOptions, mysqlStorage } from '../../adapters/storage/mysql.ts';
import {
  isStorageError,
  type SqlConnection,
  type StorageDriver,
  type StorageError,
} from '../../core/contract/ports/storage.ts';
import { startLossyProxy } from '../support/lossy-proxy.ts';
import {
  createMysqlDatabase,
  dropMysqlDatabase,
  hasMysql,
  mysqlUrlOf,
  queryOnOtherMysqlConnection,
} from '../support/mysql-server.ts';

const test = suite('mysql storage, faults');

const plain = (sql: string, ...parameters: unknown[]) => ({ sql, parameters, hot: true });
const insert = (id: string) => plain('insert into items (id, n) values (?, 0)', id);
const update = (id: string) => plain('update items set n = n + 1 where id = ?', id);
const thread = async (connection: SqlConnection): Promise<number> =>
  Number((await connection.query(plain('select connection_id() as id'))).rows[0]?.['id']);
const kill = (id: number) => queryOnOtherMysqlConnection('kill ?', [id]);
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function faultOf(promise: Promise<unknown>): Promise<StorageError> {
  try {
    await promise;
  } catch (error) {
    if (isStorageError(error)) return error;
    throw error;
  }
  throw new Error('It was expected to fail.');
}

interface FaultDatabase {
  readonly storage: StorageDriver;
  ids(): Promise<unknown[]>;
}

async function withStorage(
  work: (context: FaultDatabase) => Promise<void>,
  options: MysqlOptions = {},
  through: (uri: string) => string = (uri) => uri,
): Promise<void> {
  const database = await createMysqlDatabase();
  const storage = await mysqlStorage({ uri: through(mysqlUrlOf(database)), maxConnections: 3 }, options).open();
  try {
    await storage.transact((connection) =>
      connection.query(plain('create table items (id varchar(40) primary key, n bigint not null)')),
    );
    const ids = async () =>
      (await queryOnOtherMysqlConnection(`select id from ${database}.items order by id`)).map(({ id }) => id);
    await work({ storage, ids });
  } finally {
    await storage.close();
    await dropMysqlDatabase(database);
  }
}

/** Two transactions that wait for each other's rows. Returns how each of them ended. */
function runCrossing(storage: StorageDriver): Promise<PromiseSettledResult<unknown>[]> {
  const crossing = (first: string, second: string) =>
    storage.transact(async (connection) => {
      await connection.query(update(first));
      await pause(100);
      await connection.query(update(second)).catch(async (error: unknown) => {
        // If work continued after a deadlock, it would write outside of any transaction.
        await connection.query(insert('stray')).catch(() => undefined);
        throw error;
      });
    });
  return Promise.allSettled([crossing('a', 'b'), crossing('b', 'a')]);
}

function registerFaults(): void {
  test('if the server ends its connection, only the transaction is lost', () =>
    withStorage(async ({ storage, ids }) => {
      const lostFault = await faultOf(
        storage.transact(async (connection) => {
          await connection.query(insert('a'));
          await kill(await thread(connection));
          await connection.query(insert('b'));
        }),
      );
      assert.is(lostFault.fault, 'unavailable');
      assert.is(lostFault.outcomeUnknown, false);
      for (const id of ['c', 'd', 'e', 'f']) await storage.transact((connection) => connection.query(insert(id)));
      assert.equal(await ids(), ['c', 'd', 'e', 'f']);
    }));

  for (const how of ['cut', 'hang'] as const) {
    test(`the storage reports an unknown outcome if the answer to the commit is lost (${how})`, async () => {
      const database = new URL(mysqlUrlOf(''));
      const cable = await startLossyProxy(database.href);
      try {
        await withStorage(
          async ({ storage, ids }) => {
            cable.loseResponseTo('commit', how);
            const lostFault = await faultOf(storage.transact((connection) => connection.query(insert('a'))));
            assert.is(lostFault.fault, 'unavailable');
            assert.is(lostFault.outcomeUnknown, true);
            assert.match(lostFault.message, /unknown/);
            while ((await ids()).length === 0) await pause(5);
            await storage.transact((connection) => connection.query(insert('b')));
            assert.equal(await ids(), ['a', 'b']);
          },
          { statementTimeoutMs: 200 },
          (uri) => cable.url + new URL(uri).pathname.slice(1),
        );
      } finally {
        await cable.close();
      }
    });
  }

  test('the storage survives the loss of its idle connections', () =>
    withStorage(async ({ storage, ids }) => {
      const threads = await Promise.all([1, 2, 3].map(() => storage.transact(thread)));
      for (const id of threads) await kill(id);
      await pause(50);
      await storage.transact((connection) => connection.query(insert('a')));
      assert.equal(await ids(), ['a']);
    }));

  test('the storage keeps its writes if the work caught a failed statement', () =>
    withStorage(async ({ storage, ids }) => {
      await storage.transact(async (connection) => {
        await connection.query(insert('a'));
        await connection.query(insert('a')).catch(() => undefined);
      });
      assert.equal(await ids(), ['a']);
    }));

  test('the storage waits for statements that the work did not await, and keeps their writes', () =>
    withStorage(async ({ storage, ids }) => {
      await storage.transact(async (connection) => {
        void connection.query(insert('a'));
        void connection.query(insert('b'));
      });
      assert.equal(await ids(), ['a', 'b']);
    }));

  test('after a deadlock, the storage writes nothing outside of the ended transaction', () =>
    withStorage(async ({ storage, ids }) => {
      await storage.transact((connection) => connection.batch([insert('a'), insert('b')]));
      const failures = (await runCrossing(storage)).filter((result) => result.status === 'rejected');
      assert.is(failures.length, 1);
      assert.ok(isStorageError(failures[0]?.reason, 'deadlock'));
      assert.equal(await ids(), ['a', 'b']);
    }));

  test('the storage ends a long statement and a long wait for a row lock', () =>
    withStorage(
      async ({ storage }) => {
        await storage.transact((connection) => connection.query(insert('a')));
        const slow = plain('select sleep(10) as slept');
        assert.is((await faultOf(storage.transact((connection) => connection.query(slow)))).fault, 'busy');
        const waiting = storage.transact(async (connection) => {
          await connection.query(update('a'));
          return faultOf(storage.transact((other) => other.query(update('a'))));
        });
        assert.is((await waiting).fault, 'busy');
      },
      { statementTimeoutMs: 3000, lockTimeoutMs: 1000 },
    ));

  test('the storage waits for a row lock as long as a transaction allows, and does not leave that limit on the session', () =>
    withStorage(
      async ({ storage }) => {
        await storage.transact((connection) => connection.query(insert('a')));
        const timeout = async (connection: SqlConnection): Promise<unknown> =>
          (await connection.query(plain('select @@session.innodb_lock_wait_timeout as seconds'))).rows[0]?.['seconds'];
        await storage.transact(async (connection) => {
          await connection.query(update('a'));
          const waiting = storage.transact((other) => other.query(update('a')), { lockWaitMs: 300 });
          assert.is((await faultOf(waiting)).fault, 'busy');
        });
        assert.is(await storage.transact(timeout, { lockWaitMs: 1500 }), 2);
        assert.is(await storage.transact(timeout, { lockWaitMs: 600_000 }), 9);
        for (let round = 0; round < 4; round += 1) assert.is(await storage.transact(timeout), 9);
      },
      { lockTimeoutMs: 9000 },
    ));

  test('the storage lifts its limits for a long transaction only', () =>
    withStorage(
      async ({ storage }) => {
        const limits = async (connection: SqlConnection): Promise<unknown[]> => {
          const names = ['max_statement_time', 'innodb_lock_wait_timeout', 'idle_transaction_timeout'];
          const text = names.map((name) => `@@session.${name} as ${name}`).join(', ');
          const { rows } = await connection.query(plain(`select ${text}`));
          return names.map((name) => Number(rows[0]?.[name]));
        };
        assert.equal(await storage.transact(limits), [7.5, 3, 11]);
        assert.equal(await storage.transact(limits, { longRunning: true }), [0, 31_536_000, 11]);
        for (let round = 0; round < 4; round += 1) assert.equal(await storage.transact(limits), [7.5, 3, 11]);
      },
      { statementTimeoutMs: 7500, lockTimeoutMs: 3000, idleInTransactionTimeoutMs: 11_000 },
    ));

  test('the storage reports a transaction that was idle for too long', () =>
    withStorage(
      async ({ storage, ids }) => {
        const idle = storage.transact(async (connection) => {
          await connection.query(insert('a'));
          await pause(2500);
        });
        assert.is((await faultOf(idle)).fault, 'unavailable');
        assert.equal(await ids(), []);
      },
      { idleInTransactionTimeoutMs: 1000 },
    ));

  test('the storage releases its locks if the connection is lost', () =>
    withStorage(async ({ storage }) => {
      const lostTransaction = storage.transact(async (connection) => {
        await storage.tryLock(connection, 'name');
        await kill(await thread(connection));
        await connection.query(insert('a'));
      });
      await faultOf(lostTransaction);
      while (!(await storage.transact((connection) => storage.tryLock(connection, 'name')))) await pause(5);
    }));
}

test('the storage reports a missing server at once', async () => {
  const storage = await mysqlStorage({ uri: 'mysql://127.0.0.1:1/none' }).open();
  assert.is((await faultOf(storage.transact((connection) => connection.query(insert('a'))))).fault, 'unavailable');
  assert.is((await faultOf(storage.read((connection) => connection.query(insert('a'))))).fault, 'unavailable');
  await storage.close();
});

async function register(): Promise<void> {
  if (await hasMysql()) registerFaults();
  test.run();
}

await register();
