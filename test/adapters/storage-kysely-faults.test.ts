// The errors of a lost connection and of an unanswered statement through the program's Kysely instance, on Postgres and MariaDB.
// full-run: slow
import { Kysely, MysqlDialect, PostgresDialect } from 'kysely';
import { createPool } from 'mysql2';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { kyselyStorage } from '../../adapters/storage/kysely.ts';
import { isStorageError, type SqlConnection } from '../../core/contract/ports/storage.ts';
import { hasMysql, mysqlUrl, queryOnOtherMysqlConnection } from '../support/mysql-server.ts';
import { hasPostgres, postgresUrl, queryOnOwnConnection } from '../support/postgres-server.ts';

const test = suite('faults of a Kysely instance');

const plain = (sql: string) => ({ sql, parameters: [] });

/** A database whose sessions can be ended from outside. The instance has one connection. */
interface EndableDatabase {
  readonly name: string;
  readonly sessionQuestion: string;
  /** Ends a session, and waits until the server has removed it. */
  kill(session: number): Promise<void>;
  open(): Kysely<unknown>;
}

const postgres: EndableDatabase = {
  name: 'Postgres',
  sessionQuestion: 'select pg_backend_pid() as session',
  async kill(session) {
    await queryOnOwnConnection('select pg_terminate_backend($1)', [session]);
    while ((await queryOnOwnConnection('select 1 from pg_stat_activity where pid = $1', [session])).rowCount !== 0);
  },
  open() {
    const pool = new pg.Pool({ connectionString: postgresUrl, max: 1 });
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  },
};

const inProcesslist = 'select info from information_schema.processlist where id = ?';

const mysql: EndableDatabase = {
  name: 'MariaDB',
  sessionQuestion: 'select connection_id() as session',
  async kill(session) {
    await queryOnOtherMysqlConnection('kill ?', [session]);
    while ((await queryOnOtherMysqlConnection(inProcesslist, [session])).length !== 0);
  },
  open: () =>
    new Kysely<unknown>({ dialect: new MysqlDialect({ pool: createPool({ uri: mysqlUrl, connectionLimit: 1 }) }) }),
};

const rejection = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );

function registerLost(database: EndableDatabase): void {
  const { name } = database;
  const sessionOf = async (connection: SqlConnection): Promise<number> =>
    Number((await connection.query(plain(database.sessionQuestion))).rows[0]?.['session']);

  test(`${name}: the storage reports the database as unavailable if the connection is lost inside a transaction`, async () => {
    const db = database.open();
    const storage = await kyselyStorage(db).open();
    const lostTransaction = storage.transact(async (connection) => {
      await database.kill(await sessionOf(connection));
      await connection.query(plain('select 1 as one'));
    });
    const error = await rejection(lostTransaction);
    assert.ok(isStorageError(error, 'unavailable') && error.outcomeUnknown !== true, String(error));
    assert.is(await storage.transact(async () => 5), 5);
    await storage.close();
    await db.destroy();
  });

  test(`${name}: the storage throws the error of the work, not the error of the ROLLBACK on the lost connection`, async () => {
    const db = database.open();
    const storage = await kyselyStorage(db).open();
    const refusal = new Error('the refusal of the work');
    const refusedTransaction = storage.transact(async (connection) => {
      await database.kill(await sessionOf(connection));
      throw refusal;
    });
    assert.is(await rejection(refusedTransaction), refusal);
    assert.is(await storage.transact(async () => 5), 5);
    await storage.close();
    await db.destroy();
  });
}

function registerLate(): void {
  for (const kind of ['read', 'transact'] as const) {
    test(`MariaDB: ${kind} rejects when the time limit has passed, and keeps the connection until it is free`, async () => {
      const db = mysql.open();
      const storage = await kyselyStorage(db, { statementTimeoutMs: 1 }).open();
      let session = 0;
      const lateCall = storage[kind](async (connection) => {
        session = Number((await connection.query(plain(mysql.sessionQuestion))).rows[0]?.['session']);
        await connection.query(plain('select sleep(60) as slept'));
      });
      const error = await rejection(lateCall);
      assert.ok(isStorageError(error, 'unavailable'), String(error));
      assert.match((error as Error).message, /did not answer within/);
      const [running] = await queryOnOtherMysqlConnection(inProcesslist, [session]);
      assert.match(String(running?.['info']), /sleep/);
      const refusal = await rejection(storage.transact(async () => 5, { waitMs: 50 }));
      assert.match(String(refusal), /No database connection was free/);
      await queryOnOtherMysqlConnection('kill query ?', [session]);
      assert.is(await storage.transact(async () => 5), 5);
      await storage.close();
      await db.destroy();
    });
  }
}

function registerPackets(): void {
  test('MariaDB: the error for bytes that exceed the packet size names the remedy', async () => {
    const db = mysql.open();
    const storage = await kyselyStorage(db).open();
    const [limit] = await queryOnOtherMysqlConnection('select @@max_allowed_packet as bytes');
    const bytes = new Uint8Array(Math.ceil(Number(limit?.['bytes']) / 2));
    const large = storage.transact((connection) =>
      connection.query({ sql: 'select length(?) as size', parameters: [bytes] }),
    );
    const error = await rejection(large);
    assert.ok(isStorageError(error, 'other'), String(error));
    assert.match((error as Error).message, /max_allowed_packet.*32 MB/);
    assert.is(await storage.transact(async () => 5), 5);
    await storage.close();
    await db.destroy();
  });
}

async function register(): Promise<void> {
  if (await hasPostgres()) registerLost(postgres);
  if (await hasMysql()) {
    registerLost(mysql);
    registerLate();
    registerPackets();
  }
  test.run();
}

await register();
