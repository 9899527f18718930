// MySQL storage against the shared suite, on MariaDB: with its own pool, and with the program's pool in both forms.
// full-run: slow
import fc from 'fast-check';
import mysql from 'mysql2';
import { type Connection, createConnection, createPool } from 'mysql2/promise';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import { isStorageError, type SqlConnection } from '../../core/contract/ports/storage.ts';
import { storageAdapterSuite } from '../../hosts/testing/storage-suite.ts';
import type { HostTransaction, StorageUnderTest } from '../../hosts/testing/storage-suite-bench.ts';
import { createMysqlDatabase, dropMysqlDatabase, hasMysql, mysqlUrlOf } from '../support/mysql-server.ts';

const test = suite('mysql storage');
const plain = (sql: string, ...parameters: unknown[]) => ({ sql, parameters, hot: true });
const adapter = mysqlStorage({ uri: 'mysql://localhost/x' });

/** `promise` is the connection in its promise form; `handle` is the object that the program passes on. */
async function hostTransaction(promise: Connection, handle: object): Promise<HostTransaction> {
  await promise.query('START TRANSACTION');
  const finish = (text: string) => async (): Promise<void> => {
    await promise.query(text);
  };
  return { handle, commit: finish('COMMIT'), rollback: finish('ROLLBACK') };
}

async function ownPoolSubject(): Promise<StorageUnderTest> {
  const database = await createMysqlDatabase('utf8mb4');
  const uri = mysqlUrlOf(database);
  const connections: Connection[] = [];
  return {
    createAdapter: () => mysqlStorage({ uri, maxConnections: 4 }),
    async beginHostTransaction() {
      const connection = await createConnection({ uri });
      connections.push(connection);
      return hostTransaction(connection, (connection as unknown as { connection: object }).connection);
    },
    async remove() {
      for (const connection of connections) await connection.end();
      await dropMysqlDatabase(database);
    },
  };
}

async function hostPoolSubject(): Promise<StorageUnderTest> {
  const database = await createMysqlDatabase('utf8mb4');
  const pool = mysql.createPool({ uri: mysqlUrlOf(database), connectionLimit: 6 });
  return {
    createAdapter: () => mysqlStorage({ pool }),
    async beginHostTransaction() {
      const connection = await pool.promise().getConnection();
      return hostTransaction(connection, (connection as unknown as { connection: object }).connection);
    },
    async remove() {
      await pool.promise().query('select 1 as open');
      pool.end(() => undefined);
      await dropMysqlDatabase(database);
    },
  };
}

async function withDatabase(work: (uri: string) => Promise<void>): Promise<void> {
  const database = await createMysqlDatabase();
  try {
    await work(mysqlUrlOf(database));
  } finally {
    await dropMysqlDatabase(database);
  }
}

function registerPools(): void {
  test('the storage reads numbers, bytes and sums whatever the program has set on its pool, and does not change those settings', () =>
    withDatabase(async (uri) => {
      const pool = createPool({
        uri,
        connectionLimit: 2,
        rowsAsArray: true,
        supportBigNumbers: true,
        bigNumberStrings: true,
        namedPlaceholders: true,
        typeCast: () => 'changed',
      });
      const storage = await mysqlStorage({ pool }).open();
      const question = "select cast(5 as signed) as whole, 'text' as words, x'00ff' as bytes, sum(7) as total";
      const { rows } = await storage.read((connection) => connection.query(plain(question)));
      assert.equal({ ...rows[0] }, { whole: 5, words: 'text', bytes: Buffer.from([0, 255]), total: 7 });
      const preparedResult = await storage.read((connection) => connection.query(plain(`${question}, ? as given`, 9)));
      assert.equal(
        { ...preparedResult.rows[0] },
        { whole: 5, words: 'text', bytes: Buffer.from([0, 255]), total: 7, given: 9 },
      );
      const [ownRows] = await pool.query(question);
      assert.equal((ownRows as unknown[][])[0], ['changed', 'changed', 'changed', 'changed']);
      await storage.close();
      await pool.end();
    }));

  for (const [name, limits] of [
    ['queueLimit', { queueLimit: 1 }],
    ['waitForConnections: false', { waitForConnections: false }],
  ] as const)
    test(`if ${name} uses up the pool, the error reports only a shortage of connections`, () =>
      withDatabase(async (uri) => {
        const pool = createPool({ uri, connectionLimit: 1, ...limits });
        const storage = await mysqlStorage({ pool }).open();
        const heldConnection = await pool.getConnection();
        const reads = Array.from({ length: 4 }, () =>
          storage
            .read((connection) => connection.query(plain('select 1 as one')))
            .then(
              () => 'answered',
              (error: unknown) => (isStorageError(error) ? error.fault : String(error)),
            ),
        );
        await new Promise((resolve) => setTimeout(resolve, 50));
        heldConnection.release();
        const ends = await Promise.all(reads);
        assert.ok(ends.includes('unavailable'), ends.join());
        assert.equal(
          ends.filter((end) => end !== 'unavailable' && end !== 'answered'),
          [],
        );
        await storage.close();
        await pool.end();
      }));

  test('the storage joins a connection in its promise form, and queues it with its raw form', () =>
    withDatabase(async (uri) => {
      const storage = await mysqlStorage({ uri }).open();
      const pool = createPool({ uri });
      const connection = await pool.getConnection();
      await connection.beginTransaction();
      const joinedConnection = storage.join(connection);
      assert.is(joinedConnection?.identity, connection.connection);
      await joinedConnection?.connection.query(plain('savepoint ours'));
      await connection.rollback();
      connection.release();
      assert.is(storage.join(pool), undefined);
      assert.is(storage.join(pool.pool), undefined);
      await pool.end();
      await storage.close();
    }));

  test('the storage refuses a pool that counts changed rows instead of matched rows', () =>
    withDatabase(async (uri) => {
      const pool = createPool({ uri, flags: ['-FOUND_ROWS'] });
      const storage = await mysqlStorage({ pool }).open();
      const failing = storage.transact((connection) => connection.query(plain('select 1 as one')));
      await failing.then(
        () => assert.unreachable('the pool was used'),
        (error: Error) => assert.match(error.message, /FOUND_ROWS/),
      );
      await storage.close();
      await pool.end();
    }));

  test('the storage refuses a session of the program that would alter texts, truncate answers or keep transactions open', () =>
    withDatabase(async (uri) => {
      const settings = [
        ['set session autocommit = 0', /autocommit is 0/],
        ["set session sql_mode = ''", /not strict/],
        ['set names latin1', /character set is latin1/],
        ['set session sql_select_limit = 1', /cuts results/],
      ] as const;
      for (const [setting, message] of settings) {
        const pool = createPool({ uri, connectionLimit: 1 });
        const connection = await pool.getConnection();
        await connection.query(setting);
        const storage = await mysqlStorage({ pool }).open();
        await connection.query('start transaction');
        const joinedQuery = storage.join(connection)?.connection.query(plain('savepoint ours'));
        const refusal = (await joinedQuery?.catch((error: unknown) => error)) as Error;
        assert.match(refusal.message, message);
        await connection.query('rollback');
        connection.release();
        const ownRead = storage.read((own) => own.query(plain('select 1 as one')));
        assert.match(((await ownRead.catch((error: unknown) => error)) as Error).message, message);
        await storage.close();
        await pool.end();
      }
    }));

  test('the storage sets up its own sessions, whatever settings the server gives them', () =>
    withDatabase(async (uri) => {
      const storage = await mysqlStorage({ uri, maxConnections: 1 }).open();
      const names = ['character_set_client', 'character_set_connection', 'sql_select_limit', 'autocommit'];
      const columns = names.map((name) => `@@${name} as ${name}`).join(', ');
      const { rows } = await storage.read((connection) => connection.query(plain(`select ${columns}`)));
      assert.equal([rows[0]?.['character_set_client'], rows[0]?.['character_set_connection']], ['utf8mb4', 'utf8mb4']);
      assert.ok(Number(rows[0]?.['sql_select_limit']) > 2 ** 53);
      await storage.close();
    }));

  test('the storage prepares only hot statements on its own sessions', () =>
    withDatabase(async (uri) => {
      const storage = await mysqlStorage({ uri, maxConnections: 1 }).open();
      const preparedCount = async (connection: SqlConnection): Promise<number> => {
        const { rows } = await connection.query(plain("show session status like 'Com_stmt_prepare'"));
        return Number(rows[0]?.['Value']);
      };
      await storage.read(async (connection) => {
        const before = await preparedCount(connection);
        for (const hot of [true, true, false, false]) {
          const { rows } = await connection.query({ sql: 'select ? as told', parameters: ["it's \\ 5"], hot });
          assert.equal(rows[0]?.['told'], "it's \\ 5");
        }
        assert.is((await preparedCount(connection)) - before, 1);
      });
      await storage.close();
    }));

  test('the storage accepts a LIMIT as a parameter, and keeps a number beyond 2^53 unchanged', () =>
    withDatabase(async (uri) => {
      const storage = await mysqlStorage({ uri }).open();
      await storage.transact(async (connection) => {
        await connection.query(plain('create table numbers (n bigint not null)'));
        await connection.query(plain('insert into numbers (n) values (?), (?)', 9_007_199_254_740_993n, 1));
      });
      const ask = (sql: string, ...parameters: unknown[]) =>
        storage.read(async (connection) => (await connection.query(plain(sql, ...parameters))).rows.length);
      assert.is(await ask('select n from numbers order by n limit ?', 1), 1);
      assert.is(await ask('select n from numbers where n = ?', 9_007_199_254_740_993n), 1);
      assert.is(await ask('select n from numbers where n = ?', 9_007_199_254_740_992n), 0);
      await storage.close();
    }));

  test('the storage keeps every text unchanged, in one statement and among several', () =>
    withDatabase(async (uri) => {
      const storage = await mysqlStorage({ uri }).open();
      await storage.transact((connection) =>
        connection.query(
          plain('create table texts (id bigint primary key, t longtext character set utf8mb4 not null, b longblob)'),
        ),
      );
      const hostile = [
        "'",
        '"',
        '\\',
        "\\'",
        '`',
        '?',
        '\0',
        '\n',
        '\r',
        '\x1a',
        '%',
        '_',
        ';',
        '--',
        '/*',
        '💌',
        "', ''); drop",
      ];
      const texts = fc.sample(
        fc.array(fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'binary' })), { maxLength: 12 }),
        { numRuns: 400, seed: 7 },
      );
      const insert = (pieces: readonly string[], index: number) => {
        const text = pieces.join('');
        return plain('insert into texts (id, t, b) values (?, ?, ?)', index, text, Buffer.from(text));
      };
      await storage.transact((connection) => connection.batch(texts.map(insert)));
      const read = 'select id, t, b from texts order by id';
      const { rows } = await storage.read((connection) => connection.query(plain(read)));
      assert.is(rows.length, texts.length);
      for (const [index, row] of rows.entries()) {
        const [, text, bytes] = insert(texts[index] ?? [], index).parameters;
        assert.is(row['t'], text);
        assert.ok((row['b'] as Buffer).equals(bytes as Buffer));
      }
      await storage.close();
    }));

  test('the storage sends bytes too large for a merged statement separately, between the others and before the commit', () =>
    withDatabase(async (uri) => {
      const storage = await mysqlStorage({ uri }).open();
      await storage.transact((connection) =>
        connection.query(plain('create table files (id bigint primary key, body longblob not null)')),
      );
      const large = Buffer.alloc(11_000_000, 'postrider');
      const insert = (id: number, body: Buffer) => plain('insert into files (id, body) values (?, ?)', id, body);
      const small = Buffer.from('small');
      const changes = await storage.transact((connection) =>
        connection.batch([insert(1, small), insert(2, large), insert(3, small)]),
      );
      assert.equal(changes, [1, 1, 1]);
      await storage.transact(async (connection) => {
        connection.finishWith?.([insert(4, small), insert(5, large)]);
      });
      const doubledInsert = storage.transact(async (connection) => {
        connection.finishWith?.([insert(6, large), insert(5, small)]);
      });
      assert.ok(isStorageError(await doubledInsert.catch((error: unknown) => error), 'unique'));
      const { rows } = await storage.read((connection) =>
        connection.query(plain('select id, length(body) as size from files order by id')),
      );
      assert.equal(
        rows.map(({ id, size }) => [id, size]),
        [1, 2, 3, 4, 5].map((id) => [id, [2, 5].includes(id) ? large.length : small.length]),
      );
      await storage.close();
    }));

  test('the storage releases its locks before it answers, and returns its connections with unchanged sessions', () =>
    withDatabase(async (uri) => {
      const [one, two] = [await mysqlStorage({ uri }).open(), await mysqlStorage({ uri }).open()];
      for (let round = 0; round < 20; round += 1) {
        const storage = round % 2 === 0 ? one : two;
        assert.is(await storage.transact((connection) => storage.tryLock(connection, 'same')), true);
      }
      await one.close();
      await two.close();
    }));

  test('the storage reports why a connection failed, without the password', async () => {
    const storage = await mysqlStorage({ uri: 'mysql://nobody:hunter2@127.0.0.1:1/none' }).open();
    const error: unknown = await storage.read(async () => undefined).catch((reason: unknown) => reason);
    assert.ok(isStorageError(error, 'unavailable'));
    assert.not.match(`${error.message} ${JSON.stringify(error.cause)}`, /hunter2/);
    await storage.close();
  });
}

async function register(): Promise<void> {
  if (await hasMysql()) {
    const forms = [
      { name: 'its own pool', createSubject: ownPoolSubject },
      { name: "the program's pool", createSubject: hostPoolSubject },
    ];
    for (const form of forms) storageAdapterSuite({ ...form, adapter, hostTransactions: true }, test);
    registerPools();
  }
  test('the storage refuses impossible settings', () => {
    assert.throws(() => mysqlStorage({ host: '127.0.0.1' }, { waitMs: 1.5 }), /whole milliseconds/);
    assert.throws(() => mysqlStorage({ host: '127.0.0.1' }, { statementTimeoutMs: -1 }), /whole milliseconds/);
  });
  test.run();
}

await register();
