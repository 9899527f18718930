// Databases of a test's own whose whole content can be had as an outsider has it: the bytes of SQLite's files, every
// row of every table of the Postgres schema. Used by attack-secrets.test.ts.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import type { TestDatabase } from '../support/databases.ts';
import { asOutsider, dropSchema, hasPostgres, newSchema, postgresUrl } from '../support/postgres-server.ts';
import type { Haystack } from './secret-search.ts';

/** A database and what lies in it. */
export interface DumpedDatabase extends TestDatabase {
  /** Everything, table by table or file by file. */
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
      const tables = await asOutsider('select table_name from information_schema.tables where table_schema = $1', [
        schema,
      ]);
      const names = tables.rows.map((row) => String(row.table_name));
      return Promise.all(
        names.map(async (name) => {
          const { rows } = await asOutsider(`select t::text as row from ${schema}.${name} t`);
          return [`the table ${name}`, rows.map(({ row }) => String(row)).join('\n')] as const;
        }),
      );
    },
    remove: () => dropSchema(schema),
  };
}

/** SQLite, and Postgres where there is one. */
export const dumpedDatabases = async (): Promise<readonly DumpedDatabase[]> =>
  (await hasPostgres()) ? [sqliteFolder(), postgresSchema()] : [sqliteFolder()];
