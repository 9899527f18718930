// Programs that embed the service, one for each kind of transaction handle: with a table of their own, and a service
// under test beside it. Used by transactions-*.test.ts; everything is the real part but the clock.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { CamelCasePlugin, Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import pg from 'pg';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import type { SqlResult, StorageAdapter } from '../../core/contract/ports/storage.ts';
import type { Service } from '../../core/kernel/compose.ts';
import { createService } from '../../core/kernel/compose.ts';
import type { ServiceOptions } from '../../core/kernel/options.ts';
import type { TestService, TestServiceOptions } from '../../core/testing/test-service.ts';
import { createTestService } from '../../core/testing/test-service.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { asOutsider, dropSchema, hasPostgres, newSchema, postgresUrl } from '../support/postgres-server.ts';
import type { LedgerHooks } from './transactions-ledger.ts';
import { ledgerPlugin } from './transactions-ledger.ts';

/** An open transaction of the program. */
export interface HostTransaction {
  /** What the program passes as `trx`. */
  readonly handle: object;
  /** Writes a row of the program's own. */
  insertOrder(id: string): Promise<void>;
}

/** Where the database is. */
export type HostPlace =
  | { readonly dialect: 'sqlite'; readonly filename: string }
  | { readonly dialect: 'postgres'; readonly schema: string };

/** The program's side: its database access and its table `host_orders (order_id text primary key)`. */
export interface HostDatabase {
  readonly place: HostPlace;
  /** Adapters on the same database: the service's, and one as another process has it. */
  readonly storage: StorageAdapter;
  createOutsider(): StorageAdapter;
  createOrders(): Promise<void>;
  /** Commits when `work` returns, rolls back when it throws. */
  transaction<T>(work: (transaction: HostTransaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A kind of program. */
export interface HostKind {
  readonly name: string;
  readonly dialect: 'sqlite' | 'postgres';
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

const kyselyOn = (dialect: SqliteDialect | PostgresDialect): Kysely<HostTables> =>
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
      place: { dialect: 'sqlite', filename },
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

/** The program's pool has one connection: a call that needed a second one would wait for ever. */
function postgresHost(
  shared: boolean,
  transactionsOn: (pool: pg.Pool) => HostDatabase['transaction'],
): HostKind['open'] {
  return async () => {
    const schema = newSchema();
    await asOutsider(`create schema ${schema}`);
    const pool = new pg.Pool({ connectionString: postgresUrl, options: `-c search_path=${schema}`, max: 1 });
    // What a program does that does not want to die with a connection.
    pool.on('connect', (client) => client.on('error', () => undefined));
    pool.on('error', () => undefined);
    const own = () => postgresStorage({ connectionString: postgresUrl, schema, maxConnections: 3 });
    return {
      place: { dialect: 'postgres', schema },
      storage: shared ? postgresStorage({ pool }) : own(),
      createOutsider: own,
      createOrders: async () => void (await pool.query(createTable)),
      transaction: transactionsOn(pool),
      async close() {
        await pool.end();
        await dropSchema(schema);
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

/** Every kind that can run here. */
export async function hostKinds(): Promise<readonly HostKind[]> {
  return (await hasPostgres()) ? [...sqliteKinds, ...postgresKinds] : sqliteKinds;
}

type Ids = (typeof standardPlugins)[number]['id'] | 'ledger';

/** A program with a furnished service. */
export interface Host extends HostDatabase {
  readonly test: TestService<Ids>;
  readonly service: TestService<Ids>['service'];
  /** Calls in the workspace under test. */
  readonly calls: ReturnType<TestService<Ids>['service']['as']>;
  /** The service as another process runs it, over another adapter on the same database. The caller stops it. */
  beside(storage: StorageAdapter, options?: { readonly hooks?: Partial<LedgerHooks> } & BesideOptions): Service<Ids>;
  /** Asks the database what is committed. */
  ask(sql: string): Promise<SqlResult['rows']>;
  /** What is committed: orders of the program, then the names of entries. */
  committed(): Promise<{ readonly orders: readonly string[]; readonly entries: readonly string[] }>;
  /** How many rows of ours everything but provisioning has left: audit, jobs, events and records. */
  traces(): Promise<number>;
}

type BesideOptions = Pick<ServiceOptions<Ids>, 'settings'>;

/** Key of the template that `email.send` uses in these tests; its only variable is `name`. */
export const templateKey = 'of-the-host';

const keyring = localKeyring({ keys: [{ id: 'test', secret: 'a secret for tests only, 32 bytes' }] });
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const traceTables = ['audit', 'jobs', 'outbox', 'idempotency', 'sends', 'send_events', 'budgets', 'ledger_entries'];

/** What a test wants otherwise. */
export interface HostOptions extends Partial<Omit<TestServiceOptions<Ids>, 'plugins' | 'storage'>> {
  readonly hooks?: Partial<LedgerHooks>;
  /** Puts something between the service and its storage. */
  readonly wrap?: (storage: StorageAdapter) => StorageAdapter;
}

/** Runs `work` with a program of the kind, and removes everything afterwards. */
export async function withHost(
  kind: HostKind,
  work: (host: Host) => Promise<void>,
  options: HostOptions = {},
): Promise<void> {
  const database = await kind.open();
  const { hooks, wrap = (storage) => storage, ...rest } = options;
  const test = await createTestService<Ids>({
    storage: wrap(database.storage),
    keyring,
    logger: silent,
    ...rest,
    plugins: [...standardPlugins, ledgerPlugin(hooks)],
  });
  const outsider = await database.createOutsider().open();
  const ask: Host['ask'] = (sql) =>
    outsider.read(async (connection) => (await connection.query({ sql, parameters: [] })).rows);
  const countTraces = async (): Promise<number> => {
    const counts = traceTables.map((table) => `(select count(*) from postrider_${table})`);
    const [row] = await ask(`select ${counts.join(' + ')} as traces`);
    return Number(row?.traces);
  };
  try {
    await database.createOrders();
    const calls = test.service.as(test.workspaceId, { actor: 'host' });
    await calls.templates.create({ key: templateKey, mode: 'html', subject: 'For {{name}}', body: '<p>{{name}}</p>' });
    await calls.templates.publish({ key: templateKey });
    const before = await countTraces();
    await work({
      ...database,
      test,
      service: test.service,
      calls,
      beside: (storage, { hooks: others, ...given } = {}) =>
        createService<Ids>({
          storage,
          keyring,
          logger: silent,
          mail: test.mail,
          clock: { now: test.now },
          ...given,
          plugins: [...standardPlugins, ledgerPlugin(others)],
        }),
      ask,
      async committed() {
        const orders = await ask('select order_id from host_orders order by order_id');
        const entries = await ask('select name from postrider_ledger_entries order by name');
        return { orders: orders.map((row) => String(row.order_id)), entries: entries.map((row) => String(row.name)) };
      },
      traces: async () => (await countTraces()) - before,
    });
  } finally {
    await outsider.close();
    await test.close();
    await database.close();
  }
}
