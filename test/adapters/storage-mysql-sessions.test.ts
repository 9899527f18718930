// MariaDB sessions of the program whose settings would alter texts are refused, and the error names the setting: through a pool, a
// Kysely instance and a joined transaction, even if the program changes a session later. Also tests a server without prepared
// statements, and a server with compact rows.
// full-run: slow
import { Kysely, MysqlDialect } from 'kysely';
import { createPool, type PoolConnection } from 'mysql2';
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
  mysqlUrl,
  mysqlUrlOf,
  queryOnOtherMysqlConnection,
} from '../support/mysql-server.ts';
import { ownServer } from '../support/own-server.ts';

const test = suite('sessions of the program on MariaDB');
const plain = (sql: string, ...parameters: unknown[]) => ({ sql, parameters });
const hostile = [
  '日本',
  '中国',
  'İß😀👩‍👩‍👧',
  '\u{10ffff}',
  'العربية',
  "' or \\ 1 -- ",
  '',
  '\ufffd',
  'a'.repeat(3000),
];

/** A session's setting, and the text that the refusal must contain. */
const settings: readonly (readonly [string, RegExp])[] = [
  ['set character set utf8mb4', /latin1 \(character_set_connection\)/],
  ['set character_set_connection = latin1', /latin1 \(character_set_connection\)/],
  ['set collation_connection = latin1_swedish_ci', /latin1 \(character_set_connection\)/],
  ['set character_set_results = latin1', /latin1 \(character_set_results\)/],
  ['set character_set_client = utf8mb3', /utf8mb3 \(character_set_client\)/],
  ['set names utf8mb3', /utf8mb3 \(character_set_client\)/],
  ['set names ascii', /ascii \(character_set_client\)/],
  ["set session sql_mode = 'STRICT_ALL_TABLES,EMPTY_STRING_IS_NULL'", /EMPTY_STRING_IS_NULL/],
  ["set session sql_mode = 'ORACLE,STRICT_ALL_TABLES'", /ORACLE/],
  ["set session sql_mode = 'STRICT_ALL_TABLES,HIGH_NOT_PRECEDENCE'", /HIGH_NOT_PRECEDENCE/],
  ['set session completion_type = 1', /completion_type is CHAIN/],
  ['set session completion_type = 2', /completion_type is RELEASE/],
  ['set session sql_safe_updates = 1', /sql_safe_updates/],
  ['set session sql_big_selects = 0', /sql_big_selects/],
  ['set session unique_checks = 0', /unique_checks/],
  ['set session max_sort_length = 64', /max_sort_length/],
  ['set session transaction isolation level read uncommitted', /READ-UNCOMMITTED/],
  ['set session transaction read only', /tx_read_only/],
];

/** Settings with which everything must work. */
const harmless = [
  "set session sql_mode = 'STRICT_TRANS_TABLES,ANSI_QUOTES,PIPES_AS_CONCAT,PAD_CHAR_TO_FULL_LENGTH,IGNORE_SPACE,ONLY_FULL_GROUP_BY'",
  'set session foreign_key_checks = 0',
  'set character_set_results = null',
  'set collation_connection = utf8mb4_turkish_ci',
  'set session transaction isolation level serializable',
];

async function refusal(attempt: () => Promise<unknown>): Promise<string> {
  const error = await attempt().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(isStorageError(error, 'other'), `it was used: ${String(error)}`);
  return (error as Error).message;
}

async function withPool(
  work: (program: {
    pool: ReturnType<typeof createPool>;
    set(text: string): Promise<void>;
    table: string;
  }) => Promise<void>,
  connectionLimit = 1,
): Promise<void> {
  const database = await createMysqlDatabase();
  await queryOnOtherMysqlConnection(
    `create table ${database}.notes (id int primary key, text longtext character set utf8mb4 collate utf8mb4_nopad_bin)`,
  );
  const pool = createPool({ uri: mysqlUrlOf(database), connectionLimit });
  const set = async (text: string): Promise<void> => {
    const connection = await pool.promise().getConnection();
    try {
      await connection.query(text);
      connection.release();
    } catch {
      // With completion_type RELEASE, the server has closed the connection at the end of the last transaction.
      connection.destroy();
      await set(text);
    }
  };
  try {
    await work({ pool, set, table: `${database}.notes` });
  } finally {
    // Not awaited: a failed test may still use a connection.
    pool.end(() => undefined);
    await dropMysqlDatabase(database);
  }
}

const write = plain('insert into notes values (?, ?)', 1, '日本');
const read = plain('select text from notes where text = ?', '日本');

function registerRefusals(): void {
  for (const [text, named] of settings)
    test(`the storage refuses a session, and names the setting, through every access: ${text}`, () =>
      withPool(async ({ pool, set, table }) => {
        const storage = await mysqlStorage({ pool }).open();
        const db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) });
        const otherInstance = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) });
        const byKysely = await kyselyStorage(db).open();
        // The first check of this session succeeds. Its settings change afterwards.
        await storage.read((connection) => connection.query(read));
        await byKysely.read((connection) => connection.query(read));
        await set(text);
        for (const driver of [storage, byKysely]) {
          assert.match(await refusal(() => driver.read((connection) => connection.query(read))), named);
          // A refused session is closed, so that the next session is new.
          await set(text);
          assert.match(await refusal(() => driver.transact((connection) => connection.query(write))), named);
          await set(text);
        }
        assert.match(await refusal(() => kyselyStorage(db).open()), named);
        // These two settings break the program's own transactions, before a call can join one.
        const breaksProgram = /ORACLE|completion_type = 2/.test(text);
        for (const each of breaksProgram ? [] : [storage, byKysely])
          for (const trxOf of [db, otherInstance]) {
            const joining = () =>
              trxOf
                .transaction()
                .execute((trx) =>
                  inSavepoint(joinTransaction(each, trx, new Set(), 'mysql'), (connection) => connection.query(write)),
                );
            assert.match(await refusal(joining), named);
          }
        const connection = await pool.promise().getConnection();
        await connection.beginTransaction();
        const joinedConnection = storage.join(connection)?.connection;
        assert.match(await refusal(async () => joinedConnection?.query(write)), named);
        await connection.rollback();
        connection.release();
        assert.equal(await queryOnOtherMysqlConnection(`select * from ${table}`), [], 'nothing was written');
        await storage.close();
        await byKysely.close();
      }));

  for (const text of harmless)
    test(`the storage works with: ${text}`, () =>
      withPool(async ({ pool, set }) => {
        await set(text);
        const storage = await mysqlStorage({ pool }).open();
        await storage.transact(async (connection) => {
          for (const [id, words] of hostile.entries())
            await connection.query(plain('insert into notes values (?, ?)', id, words));
        });
        const { rows } = await storage.read((connection) =>
          connection.query(plain('select text from notes order by id')),
        );
        assert.equal(
          rows.map(({ text: foundText }) => foundText),
          hostile,
        );
        await storage.close();
      }));
}

function registerChecks(): void {
  test('a session is checked once, and again after other code has used it', () =>
    withPool(async ({ pool, set }) => {
      const statements: string[] = [];
      pool.on('connection', (connection: PoolConnection) => {
        const { query } = connection;
        connection.query = ((...args: Parameters<typeof query>) => {
          statements.push(String((args[0] as { sql?: string }).sql ?? args[0]));
          return query.apply(connection, args);
        }) as typeof query;
      });
      const storage = await mysqlStorage({ pool }).open();
      const readOne = () => storage.read((connection) => connection.query(plain('select 1 as one')));
      const checks = () => statements.filter((sql) => sql.includes('character_set_results')).length;
      for (let times = 0; times < 20; times += 1) await readOne();
      assert.is(checks(), 1);
      assert.is(statements.length, 21, 'each read takes one statement');
      await set('select 2');
      await readOne();
      await readOne();
      assert.is(checks(), 2);
      // The pool passes a connection from one caller to the next without an event.
      const [, , changedError] = await Promise.all([
        readOne(),
        set('set character set utf8mb4'),
        readOne().catch(String),
        readOne().catch(String),
      ]);
      assert.match(String(changedError), /character_set_connection/);
      await storage.close();
      assert.is(pool.listenerCount('acquire') + pool.listenerCount('release'), 0);
    }));

  test('every connection of a pool is checked, not only the first', () =>
    withPool(async ({ pool }) => {
      let connections = 0;
      pool.on('connection', (connection: PoolConnection) => {
        connections += 1;
        if (connections > 1) connection.query('set character set utf8mb4');
      });
      const storage = await mysqlStorage({ pool }).open();
      const slowRead = () => storage.read((connection) => connection.query(plain('select sleep(0.3) as slept')));
      const answers = await Promise.all([slowRead().catch(String), slowRead().catch(String), slowRead().catch(String)]);
      assert.is(answers.filter((answer) => typeof answer !== 'string').length, 1, String(answers));
      assert.match(answers.join(), /character_set_connection/);
      await storage.close();
    }, 3));
}

async function registerServers(): Promise<void> {
  const server = await ownServer('mariadb');
  if (server === undefined) return;
  test.after(() => server.remove());
  const asRoot = async (text: string): Promise<void> => {
    const pool = createPool({ uri: server.url, connectionLimit: 1 }).promise();
    await pool.query(text);
    await pool.end();
  };

  test('if the server has no prepared statement left, statements are sent as text, with any content', async () => {
    await asRoot(
      'create table notes (id int primary key, text longtext character set utf8mb4 collate utf8mb4_nopad_bin)',
    );
    await asRoot('set global max_prepared_stmt_count = 0');
    const pool = createPool({ uri: server.url });
    for (const storage of [await mysqlStorage({ uri: server.url }).open(), await mysqlStorage({ pool }).open()]) {
      await storage.transact(async (connection) => {
        await connection.query(plain('delete from notes'));
        for (const [id, words] of hostile.entries())
          await connection.query({ ...plain('insert into notes values (?, ?)', id, words), hot: true });
      });
      const foundTexts = await storage.read(async (connection) => {
        const texts: unknown[] = [];
        for (const words of hostile) {
          const repeatedRead = plain("select text, '?' as mark from notes where text = ? limit ?", words, 1);
          texts.push((await connection.query({ ...repeatedRead, hot: true })).rows[0]?.['text']);
        }
        return texts;
      });
      assert.equal(foundTexts, hostile);
      // After the first refusal, no statement is prepared again.
      const countPrepared = async (): Promise<number> => {
        const { rows } = await storage.read((connection) =>
          connection.query(plain("show global status like 'Com_stmt_prepare'")),
        );
        return Number(rows[0]?.['Value']);
      };
      const before = await countPrepared();
      await storage.read((connection) => connection.query({ ...plain('select ? as value', 1), hot: true }));
      assert.is((await countPrepared()) - before, 0);
      await storage.close();
    }
    await pool.promise().end();
    await asRoot('set global max_prepared_stmt_count = 16382');
  });

  test('the storage migrates even if new tables would get compact rows', async () => {
    const { createTestService } = await import('../../hosts/testing/test-service.ts');
    const { standardPlugins } = await import('../../plugins/index.ts');
    await asRoot('set global innodb_default_row_format = compact');
    const kit = await createTestService({
      plugins: [...standardPlugins],
      storage: mysqlStorage({ uri: server.url }),
    } as unknown as Parameters<typeof createTestService>[0]);
    await kit.close();
    await asRoot('set global innodb_default_row_format = dynamic');
  });
}

if (await hasMysql()) {
  registerRefusals();
  registerChecks();
  if (new URL(mysqlUrl).hostname === '127.0.0.1') await registerServers();
}
test.run();
