// Postgres storage against the shared suite: with its own pool, with the program's pool, with and without prepared statements.
import { type AddressInfo, createServer } from 'node:net';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { kyselyStorage } from '../../adapters/storage/kysely.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import type { StorageDriver } from '../../core/contract/ports/storage.ts';
import { storageAdapterSuite } from '../../hosts/testing/storage-suite.ts';
import type { HostTransaction, StorageUnderTest } from '../../hosts/testing/storage-suite-bench.ts';
import { dropSchema, hasPostgres, newSchema, postgresUrl, queryOnOwnConnection } from '../support/postgres-server.ts';

const test = suite('postgres storage');
const plain = (sql: string, ...parameters: unknown[]) => ({ sql, parameters, hot: true });
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const adapter = postgresStorage({ connectionString: postgresUrl });

async function hostTransaction(client: pg.ClientBase): Promise<HostTransaction> {
  await client.query('BEGIN');
  const finish = (text: string) => async (): Promise<void> => {
    await client.query(text);
  };
  return { handle: client, commit: finish('COMMIT'), rollback: finish('ROLLBACK') };
}

async function ownPoolSubject(preparedStatements: boolean): Promise<StorageUnderTest> {
  const schema = newSchema();
  const clients: pg.Client[] = [];
  return {
    createAdapter: () =>
      postgresStorage({ connectionString: postgresUrl, schema, maxConnections: 4 }, { preparedStatements }),
    async beginHostTransaction() {
      const client = new pg.Client({ connectionString: postgresUrl, options: `-c search_path=${schema}` });
      clients.push(client);
      await client.connect();
      return hostTransaction(client);
    },
    async remove() {
      for (const client of clients) await client.end();
      await dropSchema(schema);
    },
  };
}

async function hostPoolSubject(): Promise<StorageUnderTest> {
  const schema = newSchema();
  await queryOnOwnConnection(`create schema ${schema}`);
  const pool = new pg.Pool({ connectionString: postgresUrl, options: `-c search_path=${schema}`, max: 6 });
  const clients: pg.PoolClient[] = [];
  return {
    createAdapter: () => postgresStorage({ pool }),
    async beginHostTransaction() {
      const client = await pool.connect();
      clients.push(client);
      return hostTransaction(client);
    },
    async remove() {
      assert.is(pool.ended, false, 'the pool of the program was closed');
      for (const client of clients) client.release();
      await pool.end();
      await dropSchema(schema);
    },
  };
}

function registerPools(): void {
  test('the storage reads numbers and bytes whatever parsers the program has set, and does not change those parsers', async () => {
    const before = pg.types.getTypeParser(20);
    pg.types.setTypeParser(20, (value) => BigInt(value));
    pg.types.setTypeParser(25, (value) => `changed ${value}`);
    const pool = new pg.Pool({ connectionString: postgresUrl, max: 2 });
    try {
      const storage = await postgresStorage({ pool }).open();
      const question = "select 5::int8 as whole, 'text'::text as words, '\\x00ff'::bytea as bytes";
      const { rows } = await storage.read((connection) => connection.query(plain(question)));
      assert.equal({ ...rows[0] }, { whole: 5, words: 'text', bytes: Buffer.from([0, 255]) });
      const client = await pool.connect();
      await client.query('BEGIN');
      const joinedRows = await storage.join(client)?.connection.query(plain(question));
      assert.is(joinedRows?.rows[0]?.whole, 5);
      const ownRows = await client.query(question);
      assert.equal([ownRows.rows[0].whole, ownRows.rows[0].words], [5n, 'changed text']);
      await client.query('COMMIT');
      client.release();
      await storage.close();
      assert.is(pool.ended, false);
    } finally {
      pg.types.setTypeParser(20, before);
      pg.types.setTypeParser(25, String);
      await pool.end();
    }
  });

  test('the storage does not mistake a pool for a transaction, and refuses a failed transaction', async () => {
    const pool = new pg.Pool({ connectionString: postgresUrl, max: 1 });
    const storage = await postgresStorage({ pool }).open();
    assert.is(storage.join(pool), undefined);
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query('select wrong').catch(() => undefined);
    // pg rejects with the error, and learns the transaction's state one message later.
    while (client.getTransactionStatus() !== 'E') await pause(1);
    assert.throws(() => storage.join(client), /roll it back/);
    await client.query('ROLLBACK');
    client.release();
    await storage.close();
    await pool.end();
  });

  test('a lock belongs to a schema, whether the schema is named, found by the search_path, or used through Kysely', async () => {
    const [schema, otherSchema] = [newSchema(), newSchema()];
    const ownDriver = await postgresStorage({ connectionString: postgresUrl, schema, maxConnections: 1 }).open();
    const otherDriver = await postgresStorage({
      connectionString: postgresUrl,
      schema: otherSchema,
      maxConnections: 1,
    }).open();
    const pool = new pg.Pool({ connectionString: postgresUrl, options: `-c search_path=${otherSchema}`, max: 3 });
    const driverByName = await postgresStorage({ pool, schema }).open();
    const driverByPath = await postgresStorage({ pool }).open();
    const kysely = await kyselyStorage(new Kysely({ dialect: new PostgresDialect({ pool }) }), { schema }).open();
    const lockOf = (driver: StorageDriver) => driver.transact((connection) => driver.tryLock(connection, 'lane'));
    await ownDriver.transact(async (connection) => {
      assert.is(await ownDriver.tryLock(connection, 'lane'), true);
      assert.equal(
        [await lockOf(driverByName), await lockOf(kysely)],
        [false, false],
        'the lock of the same schema is taken',
      );
      assert.equal(
        [await lockOf(otherDriver), await lockOf(driverByPath)],
        [true, true],
        'the lock of another schema is free',
      );
    });
    for (const driver of [ownDriver, otherDriver, driverByName, driverByPath, kysely]) await driver.close();
    await pool.end();
    for (const name of [schema, otherSchema]) await dropSchema(name);
  });

  test("the storage opens no connection in addition to the program's pool", async () => {
    const pool = new pg.Pool({ connectionString: postgresUrl, max: 1 });
    const storage = await postgresStorage({ pool }).open();
    assert.is(await storage.listen?.('channel', () => undefined), undefined);
    await storage.close();
    await pool.end();
  });
}

function registerSharedWork(): void {
  test('work can share a transaction even if the server refuses some of the statements over arrays', async () => {
    const schema = newSchema();
    const storage = await postgresStorage({ connectionString: postgresUrl, schema }).open();
    try {
      await storage.transact((connection) =>
        connection.query(plain('create table shared (id text primary key, n bigint default 7, note text, body bytea)')),
      );
      const inserts = (id: string) => [
        plain('insert into shared (id, n) values ($1, default)', `${id} default`),
        plain('insert into shared (id, n) select $1, null where $2 <> 0', `${id} null`, 1),
        plain('insert into shared (id, note) values ($1, $2)', `${id} value`, id),
      ];
      const last = 3;
      for (let round = 0; round <= last; round += 1) {
        await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            storage.transact(
              async (connection) => {
                const id = `${round}-${index}`;
                const [foundRows] = await Promise.all([
                  connection.query(plain('select n from shared where id = $1 order by n limit $2', `${id} no`, 1)),
                  connection.query(plain('select n from shared where id = $1', `${id} no`)),
                ]);
                assert.equal(foundRows.rows, []);
                connection.finishWith?.(inserts(id));
              },
              { mayShare: true },
            ),
          ),
        );
        // The storage asks for the types between the rounds.
        await pause(200);
      }
      const { rows } = await storage.read((connection) =>
        connection.query(
          plain(
            'select count(*) as rows, count(distinct xmin::text) as transactions, count(n) as numbers, count(note) as notes from shared where id like $1',
            `${last}-%`,
          ),
        ),
      );
      // The first work runs alone.
      assert.equal(rows, [{ rows: 30, transactions: 2, numbers: 20, notes: 10 }]);
    } finally {
      await storage.close();
      await dropSchema(schema);
    }
  });

  test('work with large last writes has a transaction of its own', async () => {
    const schema = newSchema();
    const storage = await postgresStorage({ connectionString: postgresUrl, schema }).open();
    try {
      await storage.transact((connection) =>
        connection.query(plain('create table shared (id text primary key, body bytea, note text)')),
      );
      const large = 200_000;
      await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          storage.transact(
            async (connection) => {
              const sql = 'insert into shared (id, body, note) values ($1, $2, $3)';
              const bytes = Buffer.alloc(index === 4 ? large : 10, index);
              connection.finishWith?.([plain(sql, `${index}`, bytes, 'ß'.repeat(index === 7 ? large : 10))]);
            },
            { mayShare: true },
          ),
        ),
      );
      const { rows } = await storage.read((connection) =>
        connection.query(
          plain(
            'select count(*) as rows, count(distinct xmin::text) as transactions, max(length(body)) as bytes, max(length(note)) as characters from shared',
          ),
        ),
      );
      assert.equal(rows, [{ rows: 12, transactions: 4, bytes: large, characters: large }]);
    } finally {
      await storage.close();
      await dropSchema(schema);
    }
  });

  test('reads that share a connection run again if it has lost their prepared statements', async () => {
    const schema = newSchema();
    const storage = await postgresStorage({ connectionString: postgresUrl, schema, maxConnections: 1 }).open();
    try {
      const readRow = (index: number) =>
        storage.read(
          async (connection) => {
            const { rows } = await connection.query(plain('select $1::int as n', index));
            // This statement cannot be shared: the read has to run alone.
            if (index % 2 === 1) await connection.query({ sql: 'select 1', parameters: [] });
            return rows[0]?.['n'];
          },
          { mayShare: true },
        );
      const indices = Array.from({ length: 10 }, (_, index) => index);
      assert.equal(await Promise.all(indices.map(readRow)), indices);
      await pause(200);
      assert.equal(await Promise.all(indices.map(readRow)), indices);
      // As if a pooler had assigned another connection to Postgres. The first read runs alone, the other reads share.
      const first = storage.read((connection) => connection.query({ sql: 'deallocate all', parameters: [] }), {
        mayShare: true,
      });
      assert.equal(await Promise.all(indices.map(readRow)), indices);
      await first;
      assert.equal(await Promise.all(indices.map(readRow)), indices);
    } finally {
      await storage.close();
      await dropSchema(schema);
    }
  });
}

async function register(): Promise<void> {
  if (await hasPostgres()) {
    const forms = [
      { name: 'its own pool', createSubject: () => ownPoolSubject(true) },
      { name: 'its own pool without prepared statements', createSubject: () => ownPoolSubject(false) },
      { name: "the program's pool", createSubject: hostPoolSubject },
    ];
    for (const form of forms) storageAdapterSuite({ ...form, adapter, hostTransactions: true }, test);
    registerPools();
    registerSharedWork();
  }

  test('the storage refuses invalid settings', () => {
    for (const schema of ['Upper', 'a-b', 'a; drop', '', '1a', 'x'.repeat(64)]) {
      assert.throws(() => postgresStorage({ schema }), /cannot be the schema/);
    }
    for (const part of ['?sslmode=require', '?application_name=a&sslrootcert=a.pem'])
      assert.throws(
        () => postgresStorage({ connectionString: `postgres://localhost/x${part}`, ssl: { ca: 'x' } }),
        /TLS/,
      );
    assert.throws(() => postgresStorage({}, { waitMs: 1.5 }), /whole milliseconds/);
    assert.throws(() => postgresStorage({}, { statementTimeoutMs: -1 }), /whole milliseconds/);
  });
  test('the storage requests a changing password, even if a connection string is given', async () => {
    const sentTexts: string[] = [];
    // Requests a password in clear text, and then refuses it.
    const server = createServer((socket) => {
      socket.once('data', () => {
        socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
        socket.once('data', (bytes) => {
          sentTexts.push(bytes.subarray(5, -1).toString());
          socket.end();
        });
      });
      socket.on('error', () => undefined);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    try {
      let requestCount = 0;
      const connectionUrl = `postgres://app:of-the-string@127.0.0.1:${port}/app`;
      for (const connectionString of [connectionUrl, connectionUrl.replace(':of-the-string', '')]) {
        const password = async () => {
          requestCount += 1;
          return `word ${requestCount}`;
        };
        await postgresStorage({ connectionString, password })
          .open()
          .then(
            () => assert.unreachable(),
            () => undefined,
          );
      }
      assert.equal(sentTexts.slice(0, 2), ['word 1', 'word 2']);
    } finally {
      server.close();
    }
  });
  test.run();
}

await register();
