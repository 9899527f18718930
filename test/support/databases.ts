// The databases that core tests run on: SQLite in a folder of its own, Postgres in a schema of its own, MariaDB in a
// database of its own. `eachDatabase` registers and runs one suite for each; a server that is not there is left out.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'uvu';
import { suite } from 'uvu';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { isPostriderError } from '../../core/contract/errors.ts';
import type { StorageAdapter } from '../../core/contract/ports/storage.ts';
import { createMysqlDatabase, dropMysqlDatabase, hasMysql, mysqlUrlOf } from './mysql-server.ts';
import { dropSchema, hasPostgres, newSchema, postgresUrl } from './postgres-server.ts';

/** One isolated database. */
export interface TestDatabase {
  readonly name: 'sqlite' | 'postgres' | 'mariadb';
  /** Another adapter on the same database, as another process would have. */
  createStorage(): StorageAdapter;
  /** A table prefix that no other test of the file has: an empty schema in the same database. */
  newPrefix(): string;
}

interface OwnedDatabase extends TestDatabase {
  remove(): Promise<void>;
}

function prefixes(): () => string {
  let last = 0;
  return () => {
    last += 1;
    return `t${last}_`;
  };
}

function sqliteFile(): OwnedDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-test-'));
  return {
    name: 'sqlite',
    createStorage: () => sqliteStorage({ filename: join(folder, 'test.db') }),
    newPrefix: prefixes(),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

function postgresSchema(): OwnedDatabase {
  const schema = newSchema();
  return {
    name: 'postgres',
    createStorage: () => postgresStorage({ connectionString: postgresUrl, schema, maxConnections: 6 }),
    newPrefix: prefixes(),
    remove: () => dropSchema(schema),
  };
}

async function mariadbDatabase(): Promise<OwnedDatabase> {
  const database = await createMysqlDatabase();
  return {
    name: 'mariadb',
    createStorage: () => mysqlStorage({ uri: mysqlUrlOf(database), maxConnections: 6 }),
    newPrefix: prefixes(),
    remove: () => dropMysqlDatabase(database),
  };
}

/** uvu's report breaks on an error whose `details` are no text, and then shows nothing at all: refusals are told as text. */
function telling(test: Test): Test {
  const register = (...[name, run]: Parameters<Test>): void =>
    test(name, async (context) => {
      try {
        await run(context);
      } catch (error) {
        if (!isPostriderError(error)) throw error;
        throw new Error(`${error.code}: ${error.message} ${JSON.stringify(error.details ?? [])}`, { cause: error });
      }
    });
  return Object.assign(register, test);
}

/** Runs a suite on each database: `define` adds its tests. Await it at the end of the file. */
export async function eachDatabase(name: string, define: (test: Test, database: TestDatabase) => void): Promise<void> {
  const databases: OwnedDatabase[] = [sqliteFile()];
  if (await hasPostgres()) databases.push(postgresSchema());
  if (await hasMysql()) databases.push(await mariadbDatabase());
  for (const database of databases) {
    const test = suite(`${name} on ${database.name}`);
    define(telling(test), database);
    test.after(() => database.remove());
    test.run();
  }
}
