// Separate databases whose whole content a test can read without the service: the bytes of SQLite's files, and every row of every table
// in the Postgres schema and the MariaDB database. Used by attack-secrets.test.ts.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import type { TestDatabase } from '../support/databases.ts';
import {
  createMysqlDatabase,
  dropMysqlDatabase,
  hasMysql,
  mysqlUrlOf,
  queryOnOtherMysqlConnection,
} from '../support/mysql-server.ts';
import { dropSchema, hasPostgres, newSchema, postgresUrl, queryOnOwnConnection } from '../support/postgres-server.ts';
import type { Haystack } from './secret-search.ts';

/** A database whose content can be dumped. */
export interface DumpedDatabase extends TestDatabase {
  /** Reads everything, table by table or file by file. */
  dump(): Promise<readonly Haystack[]>;
  remove(): Promise<void>;
}

function sqliteFolder(): DumpedDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-secrets-'));
  return {
    name: 'sqlite',
    createStorage: () => sqliteStorage({ filename: join(folder, 'test.db') }),
    newPrefix: () => 'secrets_',
    dump: async () =>
      readdirSync(folder).map((file) => [`the file ${file}`, readFileSync(join(folder, file))] as const),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

function postgresSchema(): DumpedDatabase {
  const schema = newSchema();
  return {
    name: 'postgres',
    createStorage: () => postgresStorage({ connectionString: postgresUrl, schema, maxConnections: 4 }),
    newPrefix: () => 'secrets_',
    async dump() {
      const tables = await queryOnOwnConnection(
        'select table_name from information_schema.tables where table_schema = $1',
        [schema],
      );
      const names = tables.rows.map((row) => String(row.table_name));
      return Promise.all(
        names.map(async (name) => {
          const { rows } = await queryOnOwnConnection(`select t::text as row from ${schema}.${name} t`);
          return [`the table ${name}`, rows.map(({ row }) => String(row)).join('\n')] as const;
        }),
      );
    },
    remove: () => dropSchema(schema),
  };
}

async function mariadbDatabase(): Promise<DumpedDatabase> {
  const database = await createMysqlDatabase();
  return {
    name: 'mariadb',
    createStorage: () => mysqlStorage({ uri: mysqlUrlOf(database), maxConnections: 4 }),
    newPrefix: () => 'secrets_',
    async dump() {
      const tables = await queryOnOtherMysqlConnection(
        'select table_name as name from information_schema.tables where table_schema = ?',
        [database],
      );
      return Promise.all(
        tables.map(async ({ name }) => {
          const rows = await queryOnOtherMysqlConnection(`select * from ${database}.${name}`);
          const cells = rows.flatMap((row) => Object.values(row));
          // Binary columns are read as their stored bytes, not as JSON.
          const text = cells.map((cell) => (Buffer.isBuffer(cell) ? cell.toString('latin1') : String(cell)));
          return [`the table ${name}`, text.join('\n')] as const;
        }),
      );
    },
    remove: () => dropMysqlDatabase(database),
  };
}

/** Opens SQLite and the available database servers. */
export async function dumpedDatabases(): Promise<readonly DumpedDatabase[]> {
  const servers = [
    ...((await hasPostgres()) ? [postgresSchema()] : []),
    ...((await hasMysql()) ? [await mariadbDatabase()] : []),
  ];
  return [sqliteFolder(), ...servers];
}
