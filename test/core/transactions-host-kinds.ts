// The kinds of programs that embed the service, one for each kind of transaction handle on each database: how each uses its database,
// begins a transaction and writes its own row. Used through transactions-hosts.ts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { CamelCasePlugin, Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely';
import mysql from 'mysql2';
import pg from 'pg';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import type { StorageAdapter } from '../../core/contract/ports/storage.ts';
import { createMysqlDatabase, dropMysqlDatabase, hasMysql, mysqlUrlOf } from '../support/mysql-server.ts';
import { dropSchema, hasPostgres, newSchema, postgresUrl, queryOnOwnConnection } from '../support/postgres-server.ts';

/** An open transaction of the program. */
export interface HostKindTransaction {
  /** The value that the program passes as `trx`. */
  readonly handle: object;
  /** Writes one of the program's own rows. */
  insertOrder(id: string): Promise<void>;
}

/** The location of the database. */
export type HostDatabaseLocation =
  | { readonly dialect: 'sqlite'; readonly filename: string }
  | { readonly dialect: 'postgres'; readonly schema: string }
  | { readonly dialect: 'mysql'; readonly database: string };

/** The program's database access and its table `host_orders (order_id text primary key)`. */
export interface HostDatabase {
  readonly location: HostDatabaseLocation;
  /** Adapters on the same database: the adapter of the service, and one for another process */
  readonly storage: StorageAdapter;
  createOutsider(): StorageAdapter;
  createOrders(): Promise<void>;
  /** Commits when `work` returns, and rolls back when it throws an error. */
  transaction<T>(work: (transaction: HostKindTransaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A kind of program. */
export interface HostKind {
  readonly name: string;
  readonly dialect: HostDatabaseLocation['dialect'];
  open(): Promise<HostDatabase>;
}

const createTable = 'create table host_orders (order_id varchar(40) primary key)';

interface HostTables {
  hostOrders: { orderId: string };
}

function kyselyTransactions(db: Kysely<HostTables>): HostDatabase['transaction'] {
  return (work) =>
    db.transaction().execute((trx) =>
      work({
        handle: trx,
        insertOrder: async (orderId) => void (await trx.insertInto('hostOrders').values({ orderId }).execute()),
      }),
    );
}

const kyselyOn = (dialect: SqliteDialect | PostgresDialect | MysqlDialect): Kysely<HostTables> =>
  new Kysely<HostTables>({ dialect, plugins: [new CamelCasePlugin()] });

function rawSqliteTransactions(database: BetterSqlite.Database): HostDatabase['transaction'] {
  return async (work) => {
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = await work({
        handle: database,
        insertOrder: async (id) => void database.prepare('insert into host_orders values (?)').run(id),
      });
      database.exec('COMMIT');
      return result;
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  };
}

function sqliteHost(
  shared: boolean,
  transactionsOn: (database: BetterSqlite.Database) => HostDatabase['transaction'],
): HostKind['open'] {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), 'postrider-host-'));
    const filename = join(folder, 'host.db');
    const database = new BetterSqlite(filename);
    database.pragma('journal_mode = WAL');
    return {
      location: { dialect: 'sqlite', filename },
      storage: sqliteStorage(shared ? { database } : { filename }),
      createOutsider: () => sqliteStorage({ filename }),
      createOrders: async () => void database.exec(createTable),
      transaction: transactionsOn(database),
      async close() {
        database.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  };
}

function rawPostgresTransactions(pool: pg.Pool): HostDatabase['transaction'] {
  return async (work) => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const insertOrder = async (id: string) => void (await client.query('insert into host_orders values ($1)', [id]));
      const result = await work({ handle: client, insertOrder });
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  };
}

/** The pool of the program has one connection, so a call that needed a second connection would wait forever. */
function postgresHost(
  shared: boolean,
  transactionsOn: (pool: pg.Pool) => HostDatabase['transaction'],
): HostKind['open'] {
  return async () => {
    const schema = newSchema();
    await queryOnOwnConnection(`create schema ${schema}`);
    const pool = new pg.Pool({ connectionString: postgresUrl, options: `-c search_path=${schema}`, max: 1 });
    // Like a program that must survive a lost connection
    pool.on('connect', (client) => client.on('error', () => undefined));
    pool.on('error', () => undefined);
    const ownStorage = () => postgresStorage({ connectionString: postgresUrl, schema, maxConnections: 3 });
    return {
      location: { dialect: 'postgres', schema },
      storage: shared ? postgresStorage({ pool }) : ownStorage(),
      createOutsider: ownStorage,
      createOrders: async () => void (await pool.query(createTable)),
      transaction: transactionsOn(pool),
      async close() {
        await pool.end();
        await dropSchema(schema);
      },
    };
  };
}

function rawMysqlTransactions(pool: mysql.Pool): HostDatabase['transaction'] {
  return async (work) => {
    const connection = await pool.promise().getConnection();
    try {
      await connection.beginTransaction();
      const insertOrder = async (id: string) =>
        void (await connection.query('insert into host_orders values (?)', [id]));
      const result = await work({ handle: connection, insertOrder });
      await connection.commit();
      return result;
    } catch (error) {
      await connection.rollback().catch(() => undefined);
      throw error;
    } finally {
      connection.release();
    }
  };
}

/** The pool of the program has one connection, as on Postgres. */
function mysqlHost(
  shared: boolean,
  transactionsOn: (pool: mysql.Pool) => HostDatabase['transaction'],
): HostKind['open'] {
  return async () => {
    const database = await createMysqlDatabase();
    const uri = mysqlUrlOf(database);
    const pool = mysql.createPool({ uri, connectionLimit: 1 });
    const ownStorage = () => mysqlStorage({ uri, maxConnections: 3 });
    return {
      location: { dialect: 'mysql', database },
      storage: shared ? mysqlStorage({ pool }) : ownStorage(),
      createOutsider: ownStorage,
      createOrders: async () => void (await pool.promise().query(createTable)),
      transaction: transactionsOn(pool),
      async close() {
        await pool.promise().end();
        await dropMysqlDatabase(database);
      },
    };
  };
}

const kyselySqlite = (database: BetterSqlite.Database) => kyselyTransactions(kyselyOn(new SqliteDialect({ database })));
const kyselyPostgres = (pool: pg.Pool) => kyselyTransactions(kyselyOn(new PostgresDialect({ pool })));

const sqliteKinds: readonly HostKind[] = [
  { name: 'a Kysely transaction', dialect: 'sqlite', open: sqliteHost(false, kyselySqlite) },
  { name: 'a Kysely transaction on the shared handle', dialect: 'sqlite', open: sqliteHost(true, kyselySqlite) },
  { name: 'a better-sqlite3 handle', dialect: 'sqlite', open: sqliteHost(false, rawSqliteTransactions) },
  { name: 'the shared better-sqlite3 handle', dialect: 'sqlite', open: sqliteHost(true, rawSqliteTransactions) },
];

const postgresKinds: readonly HostKind[] = [
  { name: 'a Kysely transaction on a pool of one', dialect: 'postgres', open: postgresHost(false, kyselyPostgres) },
  { name: 'a Kysely transaction on the shared pool', dialect: 'postgres', open: postgresHost(true, kyselyPostgres) },
  { name: 'a pg client of a pool of one', dialect: 'postgres', open: postgresHost(false, rawPostgresTransactions) },
  { name: 'a pg client of the shared pool', dialect: 'postgres', open: postgresHost(true, rawPostgresTransactions) },
];

const kyselyMysql = (pool: mysql.Pool) => kyselyTransactions(kyselyOn(new MysqlDialect({ pool })));

const mysqlKinds: readonly HostKind[] = [
  { name: 'a Kysely transaction on a pool of one', dialect: 'mysql', open: mysqlHost(false, kyselyMysql) },
  { name: 'a mysql2 connection of a pool of one', dialect: 'mysql', open: mysqlHost(false, rawMysqlTransactions) },
  { name: 'a mysql2 connection of the shared pool', dialect: 'mysql', open: mysqlHost(true, rawMysqlTransactions) },
];

/** Every kind whose database is available. */
export async function hostKinds(): Promise<readonly HostKind[]> {
  const postgres = (await hasPostgres()) ? postgresKinds : [];
  const mysqls = (await hasMysql()) ? mysqlKinds : [];
  return [...sqliteKinds, ...postgres, ...mysqls];
}
