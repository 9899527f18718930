// A value of `trx` that is not an open transaction in the service's database: the call refuses it with an error code, and the compiler
// refuses it if its type shows the mistake.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Kysely, Transaction } from 'kysely';
import { createConnection, type PoolConnection as MysqlConnection, type Pool as MysqlPool } from 'mysql2/promise';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { definePlugin, isPostriderError, type OpenTransaction } from '../../core/index.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { createMysqlDatabase, dropMysqlDatabase, hasMysql, mysqlUrlOf } from '../support/mysql-server.ts';
import { dropSchema, hasPostgres, newSchema, postgresUrl, queryOnOwnConnection } from '../support/postgres-server.ts';

/** The interface as TypeORM 1.1 declares it. */
interface TypeOrmRunner {
  readonly isTransactionActive: boolean;
  connect(): Promise<unknown>;
}
interface TypeOrmTransaction {
  readonly queryRunner?: TypeOrmRunner;
  query(sql: string, parameters?: unknown[]): Promise<unknown>;
}

const test = suite('values that are not transactions');

test('a trx that is not an open transaction is refused like any other invalid option', async () => {
  const kit = await createTestService({ plugins: standardPlugins });
  const { contacts } = kit.service.as(kit.workspaceId);
  const idle = new BetterSqlite(':memory:');
  try {
    for (const [trx, reason] of [
      [{}, /not an open transaction of a kind that the storage adapter recognises/],
      [idle, /has no open transaction\. Run BEGIN IMMEDIATE/],
    ] as const) {
      const refused: unknown = await contacts.upsert({ email: 'ada@example.com' }, { trx }).catch((error) => error);
      assert.ok(isPostriderError(refused, 'validation_failed'), String(refused));
      assert.equal([refused.status, refused.details?.[0]?.path], [422, 'trx']);
      assert.match(refused.message, reason);
      assert.match(String(refused.requestId), /^req_/);
    }
    // A helper with an optional client would pass such a value without a compiler error.
    const options = Object.assign({}, { trx: undefined } as object);
    const outside: unknown = await contacts.upsert({ email: 'ada@example.com' }, options).catch((error) => error);
    assert.ok(isPostriderError(outside, 'validation_failed'), String(outside));
    assert.match(outside.message, /The trx is undefined.*\{ \.\.\.\(client && \{ trx: client \}\) \}/);
    assert.equal((await contacts.list({})).data, []);
  } finally {
    idle.close();
    await kit.close();
  }
});

test('the failure of a plugin inside a valid transaction is not reported as an error in trx', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-joined-'));
  const filename = join(folder, 'shop.db');
  let isBroken = false;
  const faulty = definePlugin({
    id: 'faulty',
    async workspaceCreated({ trx }) {
      if (isBroken)
        await trx.db
          .selectFrom('workspaces')
          .select('no_such_column' as never)
          .execute();
    },
  });
  const kit = await createTestService({ plugins: [...standardPlugins, faulty], storage: sqliteStorage({ filename }) });
  const shop = new BetterSqlite(filename);
  try {
    isBroken = true;
    shop.exec('BEGIN IMMEDIATE');
    const from = { email: 'hello@tenant.example', name: 'Tenant' };
    const failed: unknown = await kit.service.workspaces
      .create({ name: 'Tenant', defaultFrom: from }, { trx: shop })
      .catch((error) => error);
    assert.ok(!isPostriderError(failed, 'validation_failed'), String(failed));
    assert.match(String(failed), /no_such_column/);
  } finally {
    shop.close();
    await kit.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a transaction in another database of the service is refused, even if its tables exist there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-trx-'));
  const fileOf = (name: string) => join(folder, `${name}.sqlite`);
  const [kit, otherKit] = [
    await createTestService({ plugins: standardPlugins, storage: sqliteStorage({ filename: fileOf('own') }) }),
    await createTestService({ plugins: standardPlugins, storage: sqliteStorage({ filename: fileOf('other') }) }),
  ];
  const otherDatabase = new BetterSqlite(fileOf('other'));
  try {
    otherDatabase.exec('begin immediate');
    const { contacts } = kit.service.as(kit.workspaceId);
    const refused: unknown = await contacts
      .upsert({ email: 'ada@example.com' }, { trx: otherDatabase })
      .catch((error) => error);
    assert.ok(isPostriderError(refused, 'validation_failed'), String(refused));
    assert.equal([refused.status, refused.details?.[0]?.path], [422, 'trx']);
    assert.match(refused.message, /the trx belongs to another database/);
    const missing: unknown = await kit.service
      .as('ws_01ARZ3NDEKTSV4RRFFQ69G5FAV')
      .contacts.upsert({ email: 'ada@example.com' }, { trx: otherDatabase })
      .catch((error) => error);
    assert.ok(isPostriderError(missing, 'workspace_not_found'), String(missing));
  } finally {
    otherDatabase.close();
    await kit.close();
    await otherKit.close();
    rmSync(folder, { recursive: true });
  }
});

test('the compiler refuses a trx whose type is not a transaction', () => {
  type Takes<T> = T extends OpenTransaction ? true : false;
  const accepted: readonly true[] = [
    true satisfies Takes<pg.PoolClient>,
    true satisfies Takes<pg.Client>,
    true satisfies Takes<MysqlConnection>,
    true satisfies Takes<BetterSqlite.Database>,
    true satisfies Takes<Transaction<{ orders: { id: string } }>>,
  ];
  const rejected: readonly false[] = [
    false satisfies Takes<pg.Pool>,
    false satisfies Takes<MysqlPool>,
    false satisfies Takes<Parameters<Parameters<NodePgDatabase['transaction']>[0]>[0]>,
    false satisfies Takes<TypeOrmTransaction>,
    false satisfies Takes<TypeOrmRunner>,
  ];
  // This instance has the same members as a transaction, so only the call can refuse it.
  assert.is(true satisfies Takes<Kysely<unknown>>, true);
  assert.equal([accepted.length, rejected.length], [5, 5]);
});

if (await hasPostgres()) {
  test("a transaction finds the tables of a schema that is not in its connection's search_path", async () => {
    const schema = newSchema();
    const pool = new pg.Pool({ connectionString: postgresUrl, max: 4 });
    const storage = postgresStorage({ pool, schema });
    const kit = await createTestService({ plugins: standardPlugins, storage });
    const client = new pg.Client({ connectionString: postgresUrl });
    await client.connect();
    try {
      const { contacts } = kit.service.as(kit.workspaceId);
      await client.query('begin');
      const { id } = await contacts.upsert({ email: 'ada@example.com' }, { trx: client });
      assert.equal((await contacts.list({})).data, []);
      await client.query('commit');
      assert.is((await contacts.read({ contactId: id })).email, 'ada@example.com');
      const { rows } = await queryOnOwnConnection(`select count(*)::int as count from ${schema}.postrider_contacts`);
      assert.equal(rows, [{ count: 1 }]);
    } finally {
      await client.end();
      await kit.close();
      await pool.end();
      await dropSchema(schema);
    }
  });
}

if (await hasMysql()) {
  test('an unusable trx is also refused on MariaDB, which reports it only at the first statement', async () => {
    const [database, otherDatabase] = [await createMysqlDatabase(), await createMysqlDatabase()];
    const kit = await createTestService({
      plugins: standardPlugins,
      storage: mysqlStorage({ uri: mysqlUrlOf(database), maxConnections: 4 }),
    });
    const idle = await createConnection(mysqlUrlOf(database));
    const otherConnection = await createConnection(mysqlUrlOf(otherDatabase));
    await otherConnection.query('begin');
    const latin = await createConnection({ uri: mysqlUrlOf(database), charset: 'latin1' });
    await latin.query('begin');
    try {
      const { contacts } = kit.service.as(kit.workspaceId);
      for (const [trx, reason] of [
        [idle, /has no open transaction.*With Knex, pass the connection of the transaction/],
        [otherConnection, /another database than the tables of the service/],
        [latin, /its character set is latin1/],
      ] as const) {
        const refused: unknown = await contacts.upsert({ email: 'ada@example.com' }, { trx }).catch((error) => error);
        assert.ok(isPostriderError(refused, 'validation_failed'), String(refused));
        assert.equal([refused.status, refused.details?.[0]?.path], [422, 'trx']);
        assert.match(refused.message, reason);
      }
      assert.equal((await contacts.list({})).data, []);
    } finally {
      for (const connection of [idle, otherConnection, latin]) await connection.end();
      await kit.close();
      await dropMysqlDatabase(database);
      await dropMysqlDatabase(otherDatabase);
    }
  });
}

test.run();
