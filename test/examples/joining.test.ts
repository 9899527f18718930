// The recipes of docs/transactions.md on real databases: an order and its mail commit together, and a rollback removes both.
// full-run: slow
import { strict as assert } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import BetterSqlite from 'better-sqlite3';
import { transform } from 'esbuild';
import knex from 'knex';
import { createPool } from 'mysql2/promise';
import pg from 'pg';
import { suite } from 'uvu';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import type { StorageAdapter } from '../../core/index.ts';
import { createTestService, type TestService } from '../../hosts/testing/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { createMysqlDatabase, dropMysqlDatabase, hasMysql, mysqlUrlOf } from '../support/mysql-server.ts';
import { dropSchema, hasPostgres, newSchema, postgresUrl } from '../support/postgres-server.ts';
import { codeBlocks, createProgramFolder, removeFolder } from './documents.ts';

const test = suite('recipes for joined transactions');

/** A function of the document: places an order and its receipt in one transaction of its first argument. */
type Recipe = (source: unknown, order: string, to: string) => Promise<void>;

/** Makes a module from a block: its imports come first, and `email` becomes a parameter. */
async function recipeOf(name: string, email: unknown): Promise<Recipe> {
  const tsBlocks = await codeBlocks('docs/transactions.md', 'ts');
  const blocks = [...tsBlocks, ...(await codeBlocks('docs/transactions.md', 'js'))];
  const ownBlock = blocks.find((block) => block.includes(`async function ${name}(`));
  assert.ok(ownBlock !== undefined, `docs/transactions.md has no ${name}`);
  const importsOf = (block: string) => block.split('\n').filter((line) => line.startsWith('import '));
  const imports = [...new Set(tsBlocks.flatMap(importsOf))].filter((line) => !line.includes("'postrider"));
  const body = ownBlock.split('\n').filter((line) => !line.startsWith('import '));
  const folder = await createProgramFolder();
  try {
    const path = join(folder, 'recipe.mjs');
    const source = [...imports, 'export default (email) => {', ...body, `return ${name};`, '};'].join('\n');
    // JavaScript, so that it also loads in compiled tests.
    await writeFile(path, (await transform(source, { loader: 'ts' })).code);
    const { default: make } = (await import(pathToFileURL(path).href)) as { default: (email: unknown) => Recipe };
    return make(email);
  } finally {
    await removeFolder(folder);
  }
}

interface Bench extends TestService<(typeof standardPlugins)[number]['id']> {
  readonly email: unknown;
}

async function withService(storage: StorageAdapter, work: (bench: Bench) => Promise<void>): Promise<void> {
  const bench = await createTestService({ plugins: standardPlugins, storage });
  try {
    const { templates, email } = bench.service.as(bench.workspaceId);
    const body = '<p>Thank you for order {{order}}.</p>';
    await templates.create({ key: 'order-receipt', mode: 'html', subject: 'Order {{order}}', body });
    await templates.publish({ key: 'order-receipt' });
    await work({ ...bench, email });
  } finally {
    await bench.close();
  }
}

/** Checks one order that commits, and one that the database refuses after its mail was accepted. */
async function checkRecipe(
  name: string,
  bench: Bench,
  source: unknown,
  orders: () => Promise<string[]>,
): Promise<void> {
  const { service, workspaceId } = bench;
  const placeOrder = await recipeOf(name, bench.email);
  await placeOrder(source, 'kept', 'kept@example.com');
  await bench.drain();
  assert.equal(bench.lastMailTo('kept@example.com')?.subject, 'Order kept');
  assert.deepEqual(await orders(), ['kept']);

  const acceptedSends: unknown[] = [];
  const failing = {
    async send(...call: unknown[]) {
      const send = (bench.email as { send(...call: unknown[]): Promise<unknown> }).send;
      acceptedSends.push(await send(...call));
      throw new Error('after the send');
    },
  };
  const placeAndFail = await recipeOf(name, failing);
  await assert.rejects(placeAndFail(source, 'lost', 'lost@example.com'), /after the send/);
  await bench.drain();
  assert.equal(acceptedSends.length, 1);
  assert.deepEqual(await orders(), ['kept']);
  assert.equal(bench.lastMailTo('lost@example.com'), undefined);
  assert.equal((await service.as(workspaceId).sends.list({ limit: 10 })).data.length, 1);
}

/** A stand-in for a TypeORM DataSource over a pool of pg, with the methods that the recipe uses. */
const typeOrmOver = (pool: pg.Pool) => ({
  async transaction(work: (manager: object) => Promise<void>): Promise<void> {
    const client = await pool.connect();
    const manager = {
      query: (sql: string, parameters: unknown[]) => client.query(sql, parameters),
      queryRunner: { isTransactionActive: true, connect: async () => client },
    };
    try {
      await client.query('begin');
      await work(manager);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  },
});

function registerOnPostgres(): void {
  for (const name of ['placeOrder', 'placeOrderWithDrizzle', 'placeOrderWithKnex', 'placeOrderWithTypeOrm']) {
    test(`an order and its mail commit or roll back together with ${name} on PostgreSQL`, async () => {
      const schema = newSchema();
      const options = `-c search_path=${schema}`;
      const pool = new pg.Pool({ connectionString: postgresUrl, options, max: 3 });
      const knexOnPg = knex({ client: 'pg', connection: { connectionString: postgresUrl, options }, pool: { min: 0 } });
      try {
        await withService(postgresStorage({ connectionString: postgresUrl, schema }), async (bench) => {
          await bench.service.core.database();
          await pool.query('create table orders (id text primary key, "to" text)');
          const sources: Record<string, unknown> = {
            placeOrderWithKnex: knexOnPg,
            placeOrderWithTypeOrm: typeOrmOver(pool),
          };
          const source = sources[name] ?? pool;
          await checkRecipe(name, bench, source, async () =>
            (await pool.query('select id from orders')).rows.map(({ id }) => id),
          );
        });
      } finally {
        await knexOnPg.destroy();
        await pool.end();
        await dropSchema(schema);
      }
    });
  }
}

/** Tests the block of the document that passes a pool's connection to `service.join`. */
function registerJoinOnPostgres(): void {
  test("a pool's connection is joined, and a refused order also removes its mail, on PostgreSQL", async () => {
    const schema = newSchema();
    const pool = new pg.Pool({ connectionString: postgresUrl, options: `-c search_path=${schema}`, max: 3 });
    try {
      await withService(postgresStorage({ connectionString: postgresUrl, schema }), async (bench) => {
        await bench.service.core.database();
        await pool.query('create table orders (id text primary key)');
        const block = (await codeBlocks('docs/transactions.md', 'js')).find((one) =>
          one.includes('service.join(client)'),
        );
        assert.ok(block !== undefined);
        const folder = await createProgramFolder();
        try {
          const path = join(folder, 'join.mjs');
          await writeFile(path, `export default async (pool, service, email) => {\n${block}};`);
          const { default: placeOrderOfDocument } = (await import(pathToFileURL(path).href)) as {
            default: (...args: readonly unknown[]) => Promise<void>;
          };
          await placeOrderOfDocument(pool, bench.service, bench.email);
          // The second order with the same id is refused, and its mail is rolled back with it.
          await assert.rejects(placeOrderOfDocument(pool, bench.service, bench.email), /duplicate key/);
        } finally {
          await removeFolder(folder);
        }
        await bench.drain();
        assert.equal(bench.lastMailTo('ada@example.com')?.subject, 'Order 1044');
        assert.equal((await bench.service.as(bench.workspaceId).sends.list({ limit: 10 })).data.length, 1);
      });
    } finally {
      await pool.end();
      await dropSchema(schema);
    }
  });
}

function registerOnMariadb(): void {
  for (const name of ['placeOrderWithMysql', 'placeOrderWithDrizzleMysql', 'placeOrderWithKnex']) {
    test(`an order and its mail commit or roll back together with ${name} on MariaDB`, async () => {
      const database = await createMysqlDatabase();
      const uri = mysqlUrlOf(database);
      const pool = createPool({ uri, connectionLimit: 3 });
      const knexOnMysql = knex({ client: 'mysql2', connection: uri, pool: { min: 0 } });
      try {
        await withService(mysqlStorage({ uri }), async (bench) => {
          await pool.query('create table orders (id varchar(40) primary key, `to` varchar(100))');
          const source = name === 'placeOrderWithKnex' ? knexOnMysql : pool;
          await checkRecipe(name, bench, source, async () => {
            const [rows] = await pool.query('select id from orders');
            return (rows as { id: string }[]).map(({ id }) => id);
          });
        });
      } finally {
        await knexOnMysql.destroy();
        await pool.end();
        await dropMysqlDatabase(database);
      }
    });
  }
}

function registerOnSqlite(): void {
  for (const name of ['placeOrderWithDrizzleSqlite', 'placeOrderWithKnex']) {
    test(`an order and its mail commit or roll back together with ${name} on SQLite`, async () => {
      const folder = await createProgramFolder();
      const filename = join(folder, 'app.sqlite');
      const handle = new BetterSqlite(filename);
      const knexOnSqlite = knex({ client: 'better-sqlite3', connection: { filename }, useNullAsDefault: true });
      try {
        await withService(sqliteStorage({ filename }), async (bench) => {
          handle.exec('create table orders (id text primary key, "to" text)');
          const source = name === 'placeOrderWithKnex' ? knexOnSqlite : handle;
          const ids = async () =>
            (handle.prepare('select id from orders').all() as { id: string }[]).map(({ id }) => id);
          await checkRecipe(name, bench, source, ids);
        });
      } finally {
        await knexOnSqlite.destroy();
        handle.close();
        await removeFolder(folder);
      }
    });
  }
}

async function register(): Promise<void> {
  registerOnSqlite();
  if (await hasPostgres()) {
    registerOnPostgres();
    registerJoinOnPostgres();
  }
  if (await hasMysql()) registerOnMariadb();
  test.run();
}

await register();
