// A bench of sequences on a real server, with open transactions of the program. Tests show races: they keep the transaction of one call
// open while other calls run, in an order that the test chooses.

import { setTimeout } from 'node:timers/promises';
import { createPool } from 'mysql2/promise';
import pg from 'pg';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import type { TestDatabase } from './databases.ts';
import { createMysqlDatabase, dropMysqlDatabase, hasMysql, mysqlUrlOf } from './mysql-server.ts';
import { dropSchema, hasPostgres, newSchema, postgresUrl } from './postgres-server.ts';
import { openSequenceBench } from './sequence-bench.ts';

/** A transaction that the program opened. */
export interface StartedTransaction {
  /** The option with which calls join it: `{ trx: open.trx }`. */
  readonly trx: object;
  query(sql: string): Promise<unknown>;
  end(how: 'commit' | 'rollback'): Promise<void>;
}

/** A server, and the program's own connections to it. */
export interface JoinedServer {
  readonly name: 'postgres' | 'mariadb';
  readonly database: TestDatabase;
  /** Begins a transaction of the program, with the server's default isolation. */
  begin(): Promise<StartedTransaction>;
  /** Resolves when `count` transactions wait for locks. Only on PostgreSQL, where only rows are locked. */
  readonly waiting?: (count: number) => Promise<void>;
  remove(): Promise<void>;
}

function prefixes(): () => string {
  let last = 0;
  return () => {
    last += 1;
    return `j${last}_`;
  };
}

/**
 * Repeats `ask` until it returns at least `count`. After five seconds the test continues in any case, because on a busy machine a lock
 * may have timed out.
 */
async function waitForCount(count: number, ask: () => Promise<number>): Promise<void> {
  const end = performance.now() + 5_000;
  while ((await ask()) < count && performance.now() < end) await setTimeout(20);
}

function joinedPostgres(): JoinedServer {
  const schema = newSchema();
  const pool = new pg.Pool({ connectionString: postgresUrl, max: 4, options: `-c search_path=${schema}` });
  return {
    name: 'postgres',
    database: {
      name: 'postgres',
      createStorage: () => postgresStorage({ connectionString: postgresUrl, schema, maxConnections: 6 }),
      newPrefix: prefixes(),
      empty: async (names) => void (await pool.query(names.map((name) => `delete from ${name}`).join(';'))),
    },
    async begin() {
      const trx = await pool.connect();
      await trx.query('begin');
      return {
        trx,
        query: (sql) => trx.query(sql),
        async end(how) {
          await trx.query(how);
          trx.release();
        },
      };
    },
    waiting: (count) =>
      waitForCount(count, async () => {
        const waiters = `select distinct waiting.pid from pg_locks waiting join pg_locks held on held.pid = waiting.pid
          join pg_class c on c.oid = held.relation join pg_namespace n on n.oid = c.relnamespace
          where not waiting.granted and n.nspname = $1`;
        return (await pool.query(waiters, [schema])).rows.length;
      }),
    async remove() {
      await pool.end();
      await dropSchema(schema);
    },
  };
}

async function joinedMariadb(): Promise<JoinedServer> {
  const database = await createMysqlDatabase();
  const uri = mysqlUrlOf(database);
  const pool = createPool({ uri, connectionLimit: 4 });
  return {
    name: 'mariadb',
    database: {
      name: 'mariadb',
      createStorage: () => mysqlStorage({ uri, maxConnections: 6 }),
      newPrefix: prefixes(),
      async empty(names) {
        for (const name of names) await pool.query(`delete from ${name}`);
      },
    },
    async begin() {
      const trx = await pool.getConnection();
      await trx.query('set session transaction isolation level repeatable read');
      await trx.beginTransaction();
      return {
        trx,
        query: (sql) => trx.query(sql),
        async end(how) {
          await trx.query(how);
          trx.release();
        },
      };
    },
    async remove() {
      await pool.end();
      await dropMysqlDatabase(database);
    },
  };
}

/** The available servers. */
export async function joinedServers(): Promise<JoinedServer[]> {
  const servers: JoinedServer[] = [];
  if (await hasPostgres()) servers.push(joinedPostgres());
  if (await hasMysql()) servers.push(await joinedMariadb());
  return servers;
}

/** Opens a bench of sequences on the server. */
export const openJoinedBench = (server: JoinedServer) => openSequenceBench(server.database);
