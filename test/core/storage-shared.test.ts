// A whole service on the program's own database access: its better-sqlite3 handle, its pg pool with a separate schema for the service,
// its Kysely instance. A row of the program and a send are committed and rolled back together.
// full-run: slow
import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { CamelCasePlugin, Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely';
import { createPool } from 'mysql2';
import pg from 'pg';
import { suite } from 'uvu';
import { kyselyStorage } from '../../adapters/storage/kysely.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import type { StorageAdapter } from '../../core/index.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { createMysqlDatabase, dropMysqlDatabase, hasMysql, mysqlUrlOf } from '../support/mysql-server.ts';
import { dropSchema, hasPostgres, newSchema, postgresUrl, queryOnOwnConnection } from '../support/postgres-server.ts';

const test = suite('storage that the program shares');

interface Program {
  shopOrders: { orderId: string };
}

/** Sends mail inside two Kysely transactions, one of which commits and the other rolls back. */
async function sendsWithOrders(storage: StorageAdapter, db: Kysely<Program>): Promise<void> {
  const bench = await createTestService({ plugins: standardPlugins, storage });
  try {
    await db.schema.createTable('shopOrders').addColumn('orderId', 'varchar(40)').execute();
    const { email, templates } = bench.service.as(bench.workspaceId);
    await templates.create({ key: 'shop-receipt', mode: 'html', subject: 'Order', body: '<p>Thank you.</p>' });
    await templates.publish({ key: 'shop-receipt' });
    const order = (orderId: string, fail: boolean) =>
      db.transaction().execute(async (trx) => {
        await trx.insertInto('shopOrders').values({ orderId }).execute();
        const send = await email.send(
          { template: 'shop-receipt', to: `${orderId}@example.com` },
          { trx, idempotencyKey: orderId },
        );
        assert.ok(Math.abs(Number(new Date(send.createdAt)) - bench.now()) < 60_000);
        if (fail) throw new Error('no');
      });
    await order('kept', false);
    await assert.rejects(order('lost', true), /no/);
    await bench.drain();
    assert.deepEqual(await db.selectFrom('shopOrders').selectAll().execute(), [{ orderId: 'kept' }]);
    assert.equal(bench.lastMailTo('kept@example.com')?.subject, 'Order');
    assert.equal(bench.lastMailTo('lost@example.com'), undefined);
    assert.equal((await bench.service.as(bench.workspaceId).sends.list({ limit: 10 })).data.length, 1);
  } finally {
    await bench.close();
  }
}

async function register(): Promise<void> {
  const plugins = [new CamelCasePlugin()];
  const otherUrl = new URL(postgresUrl);
  otherUrl.searchParams.set('options', '-c search_path=pg_catalog');
  for (const mode of ['wal', 'delete']) {
    test(`the service works on the better-sqlite3 handle of a Kysely instance, in ${mode} mode`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'postrider-shared-'));
      const database = new BetterSqlite(join(folder, 'app.sqlite'));
      database.pragma(`journal_mode = ${mode}`);
      const db = new Kysely<Program>({ dialect: new SqliteDialect({ database }), plugins });
      try {
        await sendsWithOrders(sqliteStorage({ database }), db);
        assert.equal(database.open, true);
      } finally {
        await db.destroy();
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
  if (await hasPostgres()) {
    for (const [name, make] of [
      ['a pg pool', (pool: pg.Pool, _db: Kysely<Program>, schema: string) => postgresStorage({ pool, schema })],
      ['a Kysely instance', (_pool: pg.Pool, db: Kysely<Program>, schema: string) => kyselyStorage(db, { schema })],
      [
        'its own connections, which join the transactions of the program',
        (_pool: pg.Pool, _db: Kysely<Program>, schema: string) =>
          postgresStorage({ connectionString: postgresUrl, schema, maxConnections: 4 }),
      ],
      [
        'its own connections, whose string sets another search_path',
        (_pool: pg.Pool, _db: Kysely<Program>, schema: string) =>
          postgresStorage({ connectionString: otherUrl.href, schema, maxConnections: 4 }),
      ],
    ] as const) {
      test(`the service works on ${name}, with the service's tables in a schema outside its search_path`, async () => {
        const [schema, serviceSchema] = [newSchema(), newSchema()];
        await queryOnOwnConnection(`create schema ${schema}`);
        await queryOnOwnConnection(`create schema ${serviceSchema}`);
        const pool = new pg.Pool({ connectionString: postgresUrl, options: `-c search_path=${schema}`, max: 4 });
        const db = new Kysely<Program>({ dialect: new PostgresDialect({ pool }), plugins });
        try {
          await sendsWithOrders(make(pool, db, serviceSchema), db);
          const { rows } = await queryOnOwnConnection(
            'select table_schema, count(*)::int as n from information_schema.tables where table_schema in ($1, $2) group by 1',
            [schema, serviceSchema],
          );
          const counts = Object.fromEntries(rows.map((row) => [row.table_schema, row.n]));
          assert.deepEqual([counts[schema], counts[serviceSchema] > 10], [1, true]);
          assert.equal(pool.ended, false);
        } finally {
          await db.destroy();
          await dropSchema(schema);
          await dropSchema(serviceSchema);
        }
      });
    }
  }
  if (await hasMysql()) {
    test('the service works on a Kysely instance on MariaDB', async () => {
      const database = await createMysqlDatabase();
      const pool = createPool({ uri: mysqlUrlOf(database), connectionLimit: 4 });
      const db = new Kysely<Program>({ dialect: new MysqlDialect({ pool }), plugins });
      try {
        await sendsWithOrders(kyselyStorage(db), db);
      } finally {
        await db.destroy();
        await dropMysqlDatabase(database);
      }
    });
  }
  test.run();
}

await register();
