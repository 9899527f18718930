// Storage on the program's own Kysely instance, with MariaDB sessions whose settings would turn values into SQL, miscount writes or
// keep them uncommitted. They are refused, and the error names the remedy. The same applies to joined Kysely transactions.
import { Kysely, MysqlDialect } from 'kysely';
import { createPool, type Pool, type PoolOptions } from 'mysql2';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { kyselyStorage } from '../../adapters/storage/kysely.ts';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import { isStorageError } from '../../core/contract/ports/storage.ts';
import { inSavepoint, joinTransaction } from '../../core/storage/joined-transaction.ts';
import {
  createMysqlDatabase,
  dropMysqlDatabase,
  hasMysql,
  mysqlUrlOf,
  queryOnOtherMysqlConnection,
} from '../support/mysql-server.ts';

const test = suite('sessions of a Kysely instance on MariaDB');

const noBackslash = "set session sql_mode = 'NO_BACKSLASH_ESCAPES,STRICT_TRANS_TABLES'";
/** In a session without backslash escapes, the quote ends the literal, and the query returns every row. */
const hostile = "' or 1 = 1 -- ";

const statement = (sql: string, ...parameters: unknown[]) => ({ sql, parameters });
const hostileRead = statement('select * from notes where workspace = ? and text = ?', 'mine', hostile);
const hostileWrite = statement('insert into notes values (?, ?, ?)', 2, 'mine', 'a\\b');

/** A Kysely instance on a pool of the program in a separate database, with a row of another workspace. */
async function withProgram(
  options: PoolOptions,
  work: (program: { db: Kysely<unknown>; pool: Pool; table: string }) => Promise<void>,
): Promise<void> {
  const database = await createMysqlDatabase('utf8mb4');
  const pool = createPool({ uri: mysqlUrlOf(database), connectionLimit: 2, ...options });
  const db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) });
  const table = `${database}.notes`;
  try {
    await queryOnOtherMysqlConnection(
      `create table ${table} (id int primary key, workspace varchar(40), text varchar(200))`,
    );
    await queryOnOtherMysqlConnection(`insert into ${table} values (1, 'other', 'secret')`);
    await work({ db, pool, table });
  } finally {
    await db.destroy();
    await dropMysqlDatabase(database);
  }
}

const onEveryConnection = (pool: Pool, text: string): void =>
  void pool.on('connection', (connection) => connection.query(text));

async function assertRefused(attempt: Promise<unknown>, message: RegExp): Promise<void> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(isStorageError(error, 'other'), String(error));
  assert.match((error as Error).message, message);
}

async function assertUntouched(table: string): Promise<void> {
  const rows = await queryOnOtherMysqlConnection(`select id from ${table}`);
  assert.equal(
    rows.map(({ id }) => id),
    [1],
  );
}

function registerEscapes(): void {
  test('the storage is not opened if backslashes do not escape', () =>
    withProgram({}, async ({ db, pool }) => {
      onEveryConnection(pool, noBackslash);
      await assertRefused(kyselyStorage(db).open(), /NO_BACKSLASH_ESCAPES/);
    }));

  test('no value is sent to a session whose settings changed after the opening', () =>
    withProgram({}, async ({ db, pool, table }) => {
      const storage = await kyselyStorage(db).open();
      const row = statement('insert into notes values (?, ?, ?)', 3, 'mine', hostile);
      await storage.transact((connection) => connection.query(row));
      const readResult = await storage.read((connection) => connection.query(hostileRead));
      assert.equal(readResult.rows, [{ id: 3, workspace: 'mine', text: hostile }]);
      await queryOnOtherMysqlConnection(`delete from ${table} where id = 3`);
      // The storage may borrow either of the two connections.
      const lent = await Promise.all([pool.promise().getConnection(), pool.promise().getConnection()]);
      for (const connection of lent) await connection.query(noBackslash);
      for (const connection of lent) connection.release();

      await assertRefused(
        storage.read((connection) => connection.query(hostileRead)),
        /NO_BACKSLASH_ESCAPES/,
      );
      await assertRefused(
        storage.transact((connection) => connection.query(hostileWrite)),
        /NO_BACKSLASH_ESCAPES/,
      );
      await assertRefused(
        storage.transact((connection) => connection.batch([hostileWrite])),
        /NO_BACKSLASH_ESCAPES/,
      );
      await assertUntouched(table);
      await storage.close();
    }));

  for (const kind of ['kyselyStorage', 'mysqlStorage'] as const) {
    test(`no value is sent through a joined Kysely transaction of a session without backslash escapes, with ${kind}`, () =>
      withProgram({}, async ({ db, pool, table }) => {
        const storage = kind === 'kyselyStorage' ? await kyselyStorage(db).open() : await mysqlStorage({ pool }).open();
        await db.transaction().execute(async (trx) => {
          const ask = (query: typeof hostileRead) =>
            inSavepoint(joinTransaction(storage, trx, new Set(), 'mysql'), (connection) => connection.query(query));
          const joinedRead = await ask(hostileRead);
          assert.equal(joinedRead.rows, []);
        });
        const connection = await pool.promise().getConnection();
        await connection.query(noBackslash);
        connection.release();
        await db.transaction().execute(async (trx) => {
          const ask = (query: typeof hostileRead) =>
            inSavepoint(joinTransaction(storage, trx, new Set(), 'mysql'), (lent) => lent.query(query));
          await assertRefused(ask(hostileRead), /NO_BACKSLASH_ESCAPES/);
          await assertRefused(ask(hostileWrite), /NO_BACKSLASH_ESCAPES/);
        });
        await assertUntouched(table);
        await storage.close();
      }));
  }
}

function registerSettings(): void {
  const settings = [
    ['set session autocommit = 0', /autocommit is 0/],
    ["set session sql_mode = ''", /not strict/],
  ] as const;
  for (const [text, message] of settings) {
    test(`the storage is not opened after: ${text}`, () =>
      withProgram({}, async ({ db, pool }) => {
        onEveryConnection(pool, text);
        await assertRefused(kyselyStorage(db).open(), message);
      }));
  }

  test('the storage is not opened if an UPDATE counts only changed rows', () =>
    withProgram({ flags: ['-FOUND_ROWS'] }, async ({ db }) => {
      await assertRefused(kyselyStorage(db).open(), /-FOUND_ROWS/);
    }));

  test('the storage can be opened repeatedly on one connection, and by an account that may not create temporary tables', () =>
    withProgram({ connectionLimit: 1 }, async ({ db, table }) => {
      for (let times = 0; times < 2; times += 1) await (await kyselyStorage(db).open()).close();
      const [database = ''] = table.split('.');
      await queryOnOtherMysqlConnection(`create user ${database}@'%' identified by 'secret'`);
      await queryOnOtherMysqlConnection(`grant select, insert, update, delete on ${database}.* to ${database}@'%'`);
      const { host } = new URL(mysqlUrlOf(database));
      const pool = createPool({ uri: `mysql://${database}:secret@${host}/${database}`, connectionLimit: 1 });
      const limitedInstance = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) });
      try {
        await (await kyselyStorage(limitedInstance).open()).close();
      } finally {
        await limitedInstance.destroy();
        await queryOnOtherMysqlConnection(`drop user ${database}@'%'`);
      }
    }));
}

async function register(): Promise<void> {
  if (await hasMysql()) {
    registerEscapes();
    registerSettings();
  }
  test.run();
}

await register();
