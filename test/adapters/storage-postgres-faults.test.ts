// Faults that only Postgres can cause: lost connections and answers, time limits, deadlocks.
// full-run: slow
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type PostgresOptions, postgresStorage } from '../../adapters/storage/postgres.ts';
import {
  isStorageError,
  type SqlConnection,
  type StorageDriver,
  type StorageError,
} from '../../core/contract/ports/storage.ts';
import { startLossyProxy } from '../support/lossy-proxy.ts';
import { dropSchema, hasPostgres, newSchema, postgresUrl, queryOnOwnConnection } from '../support/postgres-server.ts';

const test = suite('postgres storage, faults');

const plain = (sql: string, ...parameters: unknown[]) => ({ sql, parameters, hot: true });
const insert = (id: string) => plain('insert into items (id, n) values ($1, 0)', id);
const backend = async (connection: SqlConnection): Promise<unknown> =>
  (await connection.query(plain('select pg_backend_pid() as pid'))).rows[0]?.pid;
const kill = (pid: unknown) => queryOnOwnConnection('select pg_terminate_backend($1)', [pid]);
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

async function assertRejects(promise: Promise<unknown>): Promise<void> {
  const isRejected = await promise.then(
    () => false,
    () => true,
  );
  assert.ok(isRejected, 'the statement was expected to fail');
}

interface FaultDatabase {
  readonly storage: StorageDriver;
  readonly schema: string;
  ids(): Promise<unknown[]>;
}

async function withStorage(
  work: (context: FaultDatabase) => Promise<void>,
  options: PostgresOptions = {},
  connectionString = postgresUrl,
): Promise<void> {
  const schema = newSchema();
  const storage = await postgresStorage({ connectionString, schema, maxConnections: 3 }, options).open();
  try {
    await storage.transact((connection) =>
      connection.query(plain('create table items (id text primary key, n bigint not null)')),
    );
    const ids = async () =>
      (await queryOnOwnConnection(`select id from ${schema}.items order by id`)).rows.map(({ id }) => id);
    await work({ storage, schema, ids });
  } finally {
    await storage.close();
    await dropSchema(schema);
  }
}

function registerFaults(): void {
  test('if the server ends its connection, only the transaction is lost', () =>
    withStorage(async ({ storage, ids }) => {
      const lostFault = await faultOf(
        storage.transact(async (connection) => {
          await connection.query(insert('a'));
          await kill(await backend(connection));
          await connection.query(insert('b'));
        }),
      );
      assert.is(lostFault.fault, 'unavailable');
      assert.is(lostFault.outcomeUnknown, false);
      for (const id of ['c', 'd', 'e', 'f']) await storage.transact((connection) => connection.query(insert(id)));
      assert.equal(await ids(), ['c', 'd', 'e', 'f']);
    }));

  test('the storage reports that nothing was stored if the connection is lost before the commit', () =>
    withStorage(async ({ storage, ids }) => {
      const lostFault = await faultOf(
        storage.transact(async (connection) => {
          await connection.query(insert('a'));
          await kill(await backend(connection));
          await pause(50);
        }),
      );
      assert.is(lostFault.fault, 'unavailable');
      assert.is(lostFault.outcomeUnknown, false);
      assert.match(lostFault.message, /nothing was stored/);
      assert.equal(await ids(), []);
    }));

  for (const how of ['cut', 'hang'] as const) {
    test(`the storage reports an unknown outcome if the answer to the commit is lost (${how})`, async () => {
      const cable = await startLossyProxy(postgresUrl);
      try {
        await withStorage(
          async ({ storage, ids }) => {
            // The text must equal the message exactly: READ COMMITTED must not match.
            cable.loseResponseTo('COMMIT\0', how);
            const lostFault = await faultOf(storage.transact((connection) => connection.query(insert('a'))));
            assert.is(lostFault.fault, 'unavailable');
            assert.is(lostFault.outcomeUnknown, true);
            assert.match(lostFault.message, /unknown/);
            while ((await ids()).length === 0) await pause(5);
            await storage.transact((connection) => connection.query(insert('b')));
            assert.equal(await ids(), ['a', 'b']);
          },
          { statementTimeoutMs: 200 },
          cable.url,
        );
      } finally {
        await cable.close();
      }
    });
  }

  test('the storage survives the loss of its idle connections', () =>
    withStorage(async ({ storage, ids }) => {
      const pids = await Promise.all([1, 2, 3].map(() => storage.transact(backend)));
      for (const pid of pids) await kill(pid);
      await pause(50);
      await storage.transact((connection) => connection.query(insert('a')));
      assert.equal(await ids(), ['a']);
    }));

  test('the storage stores nothing if the work caught a failed statement', () =>
    withStorage(async ({ storage, ids }) => {
      const passedOver = storage.transact(async (connection) => {
        await connection.query(insert('a'));
        await connection.query(insert('a')).catch(() => undefined);
      });
      const { fault, message } = await faultOf(passedOver);
      assert.is(fault, 'other');
      assert.match(message, /savepoint/);
      assert.equal(await ids(), []);
    }));

  test('the storage rolls everything back if the last writes cannot be sent, or fail', () =>
    withStorage(async ({ storage, ids }) => {
      const commitWith = (last: ReturnType<typeof plain>) =>
        storage.transact(async (connection) => {
          await connection.query(insert('first'));
          connection.finishWith?.([insert('second'), last]);
        });
      await assertRejects(commitWith({ ...insert('third'), parameters: [true] }));
      await assertRejects(commitWith(insert('first')));
      await assertRejects(commitWith(plain('select broken')));
      assert.equal(await ids(), []);
      await commitWith(insert('third'));
      assert.equal(await ids(), ['first', 'second', 'third']);
    }));

  test('the storage waits for statements that the work did not await, and keeps their writes', () =>
    withStorage(async ({ storage, ids }) => {
      await storage.transact(async (connection) => {
        void connection.query(insert('a'));
        void connection.query(insert('b'));
      });
      assert.equal(await ids(), ['a', 'b']);
    }));

  test('the storage ends a deadlock, a long statement and a wait for a row lock', () =>
    withStorage(
      async ({ storage }) => {
        await storage.transact((connection) => connection.batch([insert('a'), insert('b')]));
        const update = (id: string) => plain('update items set n = n + 1 where id = $1', id);
        const crossing = (first: string, second: string) =>
          storage.transact(async (connection) => {
            await connection.query(update(first));
            await pause(100);
            await connection.query(update(second));
          });
        const results = await Promise.allSettled([crossing('a', 'b'), crossing('b', 'a')]);
        const failures = results.filter((result) => result.status === 'rejected');
        assert.is(failures.length, 1);
        assert.ok(isStorageError(failures[0]?.reason, 'deadlock'));

        const slow = plain('select pg_sleep(10)');
        assert.is((await faultOf(storage.transact((connection) => connection.query(slow)))).fault, 'busy');

        const waiting = storage.transact(async (connection) => {
          await connection.query(update('a'));
          return faultOf(storage.transact((other) => other.query(update('a'))));
        });
        assert.is((await waiting).fault, 'busy');
      },
      { statementTimeoutMs: 2500, lockTimeoutMs: 2000 },
    ));

  test('the storage sets its limits for each transaction only, and lifts them for long transactions', () =>
    withStorage(
      async ({ storage }) => {
        const limits = async (connection: SqlConnection): Promise<unknown[]> => {
          const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
          const text = names.map((name) => `current_setting('${name}') as ${name}`).join(', ');
          const { rows } = await connection.query(plain(`select ${text}`));
          return names.map((name) => rows[0]?.[name]);
        };
        assert.equal(await storage.transact(limits), ['7s', '3s', '11s']);
        assert.equal(await storage.transact(limits, { longRunning: true }), ['0', '0', '11s']);
        assert.equal(await storage.read(limits), ['0', '0', '0']);
      },
      { statementTimeoutMs: 7000, lockTimeoutMs: 3000, idleInTransactionTimeoutMs: 11_000 },
    ));

  test('the storage reports a transaction that was idle for too long', () =>
    withStorage(
      async ({ storage, ids }) => {
        const idle = storage.transact(async (connection) => {
          await connection.query(insert('a'));
          await pause(200);
        });
        assert.is((await faultOf(idle)).fault, 'unavailable');
        assert.equal(await ids(), []);
      },
      { idleInTransactionTimeoutMs: 50 },
    ));

  test('the storage sends a transaction with a batch of seven writes as three messages', async () => {
    const schema = newSchema();
    await queryOnOwnConnection(`create schema ${schema}`);
    const pool = new pg.Pool({ connectionString: postgresUrl, options: `-c search_path=${schema}`, max: 1 });
    const sentMessages: string[] = [];
    pool.on('connect', (client) => {
      const query = client.query.bind(client);
      Reflect.set(client, 'query', (config: { text: string }) => {
        sentMessages.push(config.text);
        return query(config);
      });
    });
    const storage = await postgresStorage({ pool }).open();
    await storage.transact((connection) =>
      connection.query(plain('create table items (id text primary key, n bigint)')),
    );
    sentMessages.length = 0;
    await storage.transact((connection) => connection.batch(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(insert)));
    assert.equal(
      sentMessages.map((text) => text.slice(0, 6).trim()),
      ['BEGIN', 'with b', 'COMMIT'],
    );
    sentMessages.length = 0;
    await storage.transact(async () => 'nothing to send');
    assert.equal(sentMessages, []);
    await storage.close();
    await pool.end();
    await dropSchema(schema);
  });

  test('the storage listens again after a lost connection, and reports that notifications may have been missed', () =>
    withStorage(async ({ storage, schema }) => {
      const receivedTexts: string[] = [];
      const channel = `${schema}"quoted`;
      const stop = await storage.listen?.(channel, (payload) => receivedTexts.push(payload));
      const notify = (payload: string) =>
        storage.transact(async (connection) => storage.notify?.(connection, channel, payload));
      const until = async (count: number): Promise<void> => {
        while (receivedTexts.length < count) await pause(5);
      };
      await notify('one');
      await until(1);
      await queryOnOwnConnection(
        "select pg_terminate_backend(pid) from pg_stat_activity where query like 'LISTEN%' and query like $1",
        [`%${schema}%`],
      );
      await until(2);
      await notify('two');
      await until(3);
      assert.equal(receivedTexts, ['one', '', 'two']);
      await stop?.();
      await notify('three');
      assert.is(receivedTexts.length, 3);
    }));
}

test('the storage reports a missing server at once', async () => {
  const opening = postgresStorage({ connectionString: 'postgres://127.0.0.1:1/none' }).open();
  assert.is((await faultOf(opening)).fault, 'unavailable');
});

async function register(): Promise<void> {
  if (await hasPostgres()) registerFaults();
  test.run();
}

await register();
