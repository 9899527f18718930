// The databases that tests run on: SQLite in a separate folder, Postgres in a separate schema, MariaDB in a separate database.
// `eachDatabase` runs a suite on each of them, for code that depends on the database, and for races. `twoDatabases` runs a suite on
// SQLite and one server, for the behaviour of a feature. `oneDatabase` runs a suite on SQLite, for code that does not depend on rows. A
// missing server is skipped.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Callback, suite, type Test } from 'uvu';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { isPostriderError } from '../../core/contract/errors/errors.ts';
import type { StorageAdapter, StorageDriver } from '../../core/contract/ports/storage.ts';
import { longTests } from './long-tests.ts';
import { createMysqlDatabase, dropMysqlDatabase, hasMysql, mysqlUrlOf } from './mysql-server.ts';
import { dropSchema, hasPostgres, newSchema, postgresUrl } from './postgres-server.ts';

/** The number of connections of an adapter on a server. */
export const maxConnections = 6;

/** One isolated database. */
export interface TestDatabase {
  readonly name: 'sqlite' | 'postgres' | 'mariadb';
  /** Another adapter on the same database, as in another process. */
  createStorage(): StorageAdapter;
  /** A table prefix that no other test of the file uses: an empty schema in the same database. */
  newPrefix(): string;
  /** Deletes all rows of these tables, on an adapter that stays open. Absent if every `createStorage` creates a separate database. */
  empty?(tables: readonly string[]): Promise<void>;
}

interface OwnedDatabase extends TestDatabase {
  remove(): Promise<void>;
}

/** The parts that are made once for a database: its adapters, and the function that drops it */
interface DatabaseParts {
  readonly name: TestDatabase['name'];
  readonly createStorage: () => StorageAdapter;
  readonly drop: () => Promise<void>;
}

function ownedDatabase({ name, createStorage, drop }: DatabaseParts): OwnedDatabase {
  let openedStorage: Promise<StorageDriver> | undefined;
  return {
    name,
    createStorage,
    newPrefix: prefixes(),
    async empty(tables) {
      openedStorage ??= createStorage().open();
      await (await openedStorage).transact(async (connection) => {
        // Most tables have no rows.
        const columns = tables.map((table) => `exists (select 1 from ${table}) as ${table}`);
        const { rows } = await connection.query({ sql: `select ${columns.join(', ')}`, parameters: [] });
        const filledTables = tables.filter((table) => Number(rows[0]?.[table]) !== 0);
        await connection.batch(filledTables.map((table) => ({ sql: `delete from ${table}`, parameters: [] })));
      });
    },
    async remove() {
      await (await openedStorage)?.close();
      await drop();
    },
  };
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
  return ownedDatabase({
    name: 'sqlite',
    createStorage: () => sqliteStorage({ filename: join(folder, 'test.db') }),
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  });
}

function postgresSchema(): OwnedDatabase {
  const schema = newSchema();
  return ownedDatabase({
    name: 'postgres',
    createStorage: () => postgresStorage({ connectionString: postgresUrl, schema, maxConnections }),
    drop: () => dropSchema(schema),
  });
}

async function mariadbDatabase(): Promise<OwnedDatabase> {
  const database = await createMysqlDatabase();
  return ownedDatabase({
    name: 'mariadb',
    createStorage: () => mysqlStorage({ uri: mysqlUrlOf(database), maxConnections }),
    drop: () => dropMysqlDatabase(database),
  });
}

/**
 * Shows errors that uvu does not show. Turns a PostriderError into an error whose message contains the details: the reporter of uvu
 * crashes on an error whose `details` are not a string, and then prints nothing.
 */
export function withReadableErrors(test: Test): Test {
  const register = (...[name, run]: Parameters<Test>): void =>
    test(name, async (context) => {
      try {
        await run(context);
      } catch (error) {
        if (!isPostriderError(error)) throw error;
        throw new Error(`${error.code}: ${error.message} ${JSON.stringify(error.details ?? [])}`, { cause: error });
      }
    });
  /** uvu does not show the error of `before`. */
  const registerBefore = (run: Callback): void =>
    test.before(async (context) => {
      try {
        await run(context);
      } catch (error) {
        console.error(error);
        throw error;
      }
    });
  return Object.assign(register, test, { before: Object.assign(registerBefore, { each: test.before.each }) });
}

type Define = (test: Test, database: TestDatabase) => void;

function runOn(databases: readonly OwnedDatabase[], name: string, define: Define): void {
  for (const database of databases) {
    const test = suite(`${name} on ${database.name}`);
    define(withReadableErrors(test), database);
    test.after(() => database.remove());
    test.run();
  }
}

/** Runs a suite on each database: `define` adds its tests. Await it at the end of the file. */
export async function eachDatabase(name: string, define: Define): Promise<void> {
  const databases: OwnedDatabase[] = [sqliteFile()];
  if (await hasPostgres()) databases.push(postgresSchema());
  if (await hasMysql()) databases.push(await mariadbDatabase());
  runOn(databases, name, define);
}

/**
 * Runs a suite on SQLite, for code that does not read or write the rows of a feature, such as the parsing of hostile files. With
 * POSTRIDER_TEST_LONG=1 it runs on each database. Await it at the end of the file.
 */
export async function oneDatabase(name: string, define: Define): Promise<void> {
  if (longTests) return eachDatabase(name, define);
  runOn([sqliteFile()], name, define);
}

/** The server on which a file's suites run in addition to SQLite. The same name always gives the same server. */
export function serverOf(file: string): 'postgres' | 'mariadb' {
  const name = basename(file).replace(/\.[jt]s$/, '');
  const [first = 0] = createHash('sha256').update(name).digest();
  return first % 2 === 0 ? 'postgres' : 'mariadb';
}

/**
 * Runs a suite on SQLite and on one server. The name of the file chooses the server, so that all files together cover every database. If
 * this server is missing, the other one is used. With POSTRIDER_TEST_LONG=1 it runs on each database. Await it at the end of the file.
 */
export async function twoDatabases(name: string, define: Define): Promise<void> {
  if (longTests) return eachDatabase(name, define);
  const databases: OwnedDatabase[] = [sqliteFile()];
  const onPostgres = async () => (await hasPostgres()) && databases.push(postgresSchema());
  const onMariadb = async () => (await hasMysql()) && databases.push(await mariadbDatabase());
  const [first, second] =
    serverOf(process.argv[1] ?? '') === 'postgres' ? [onPostgres, onMariadb] : [onMariadb, onPostgres];
  if (!(await first())) await second();
  runOn(databases, name, define);
}
