// Runs the shared storage suite on the program's own Kysely instance, on Postgres and MariaDB. On SQLite, storage uses the handle that
// Kysely uses, and joins Kysely's transactions.
// full-run: slow
import BetterSqlite from 'better-sqlite3';
import { CamelCasePlugin, Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely';
import { createPool } from 'mysql2';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { kyselyStorage } from '../../adapters/storage/kysely.ts';
import { isStorageError } from '../../core/contract/ports/storage.ts';
import { storageAdapterSuite } from '../../hosts/testing/storage-suite.ts';
import type { StorageUnderTest } from '../../hosts/testing/storage-suite-bench.ts';
import { createMysqlDatabase, dropMysqlDatabase, hasMysql, mysqlUrlOf } from '../support/mysql-server.ts';
import { dropSchema, hasPostgres, newSchema, postgresUrl, queryOnOwnConnection } from '../support/postgres-server.ts';

const test = suite('kysely storage');
const plugins = [new CamelCasePlugin()];

/** A storage under test on a Kysely instance. The host's transactions are Kysely transactions. */
function storageOn(db: Kysely<unknown>, assertOpen: () => void, remove: () => Promise<void>): StorageUnderTest {
  return {
    createAdapter: () => kyselyStorage(db),
    async beginHostTransaction() {
      const transaction = await db.startTransaction().execute();
      return {
        handle: transaction,
        commit: () => transaction.commit().execute(),
        rollback: () => transaction.rollback().execute(),
      };
    },
    async remove() {
      assertOpen();
      await db.destroy();
      await remove();
    },
  };
}

async function postgresStorageUnderTest(): Promise<StorageUnderTest> {
  const schema = newSchema();
  await queryOnOwnConnection(`create schema ${schema}`);
  const pool = new pg.Pool({ connectionString: postgresUrl, options: `-c search_path=${schema}`, max: 6 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }), plugins });
  const assertOpen = () => assert.is(pool.ended, false, 'the pool of the program was closed');
  return storageOn(db, assertOpen, () => dropSchema(schema));
}

async function mysqlStorageUnderTest(): Promise<StorageUnderTest> {
  const database = await createMysqlDatabase('utf8mb4');
  const pool = createPool({ uri: mysqlUrlOf(database), connectionLimit: 6 });
  const db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }), plugins });
  return storageOn(
    db,
    () => undefined,
    () => dropMysqlDatabase(database),
  );
}

function registerLostCommit(): void {
  test('the storage reports an unknown outcome if the answer to COMMIT is lost, and loses no connection', async () => {
    const pool = new pg.Pool({ connectionString: postgresUrl, max: 1 });
    // Kysely adds no error listener to its borrowed clients. Without this listener, a lost connection ends the process.
    pool.on('connect', (client) => client.on('error', () => undefined));
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
    const storage = await kyselyStorage(db).open();
    try {
      const lostTransaction = storage.transact(async (connection) => {
        const { rows } = await connection.query({ sql: 'select pg_backend_pid() as pid', parameters: [] });
        await queryOnOwnConnection('select pg_terminate_backend($1)', [rows[0]?.['pid']]);
        // The session has ended when the server no longer lists it.
        while (
          (await queryOnOwnConnection('select 1 from pg_stat_activity where pid = $1', [rows[0]?.['pid']])).rowCount !==
          0
        );
      });
      const error = await lostTransaction.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      assert.ok(isStorageError(error, 'unavailable') && error.outcomeUnknown, String(error));
      assert.is(await storage.transact(async () => 5), 5);
    } finally {
      await storage.close();
      await db.destroy();
    }
  });
}

async function register(): Promise<void> {
  if (await hasPostgres()) {
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool() }) });
    const adapter = kyselyStorage(db);
    assert.is(adapter.dialect, 'postgres');
    storageAdapterSuite(
      { name: 'Postgres', adapter, createSubject: postgresStorageUnderTest, hostTransactions: true },
      test,
    );
    registerLostCommit();
  }
  if (await hasMysql()) {
    const db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool: createPool({}) }) });
    const adapter = kyselyStorage(db);
    assert.is(adapter.dialect, 'mysql');
    storageAdapterSuite(
      { name: 'MariaDB', adapter, createSubject: mysqlStorageUnderTest, hostTransactions: true },
      test,
    );
  }
  test('the storage refuses unsupported instances, and names the remedy', async () => {
    const database = new BetterSqlite(':memory:');
    const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
    assert.throws(() => kyselyStorage(db), /sqliteStorage\(\{ database \}\)/);
    assert.throws(() => kyselyStorage({} as never), /takes a Kysely instance/);
    assert.throws(() => kyselyStorage(db, { dialect: 'postgres', waitMs: -1 }), /whole milliseconds/);
    assert.throws(() => kyselyStorage(db, { dialect: 'mysql', schema: 'a' }), /cannot be the schema/);
    await db.destroy();
  });
  test.run();
}

await register();
