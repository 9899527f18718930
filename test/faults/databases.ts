// The databases of the fault tests: which kinds a file runs on, and empty ones, created before the work and removed after it.
// Called by the tests. Their processes get the location as text (mail-service.ts).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverOf } from '../support/databases.ts';
import { longTests } from '../support/long-tests.ts';
import { createMysqlDatabase, dropMysqlDatabase, hasMysql, mysqlUrlOf } from '../support/mysql-server.ts';
import { dropSchema, hasPostgres, newSchema } from '../support/postgres-server.ts';
import type { DatabaseLocation } from './mail-service.ts';

/** A kind of database. */
export type DatabaseKind = DatabaseLocation['kind'];

/**
 * The servers of this test file: the server that the file's name chooses, or the other if that is missing. Together, the files
 * cover both. With POSTRIDER_TEST_LONG=1 both servers. A missing server is reported once.
 */
export async function serverKinds(): Promise<DatabaseKind[]> {
  const kinds: DatabaseKind[] = [];
  if (await hasPostgres()) kinds.push('postgres');
  if (await hasMysql()) kinds.push('mariadb');
  if (longTests) return kinds;
  const chosen = serverOf(process.argv[1] ?? '');
  return kinds.includes(chosen) ? [chosen] : kinds.slice(0, 1);
}

/** SQLite and the servers of this test file, for work whose statements depend on the database. */
export const databaseKinds = async (): Promise<DatabaseKind[]> => ['sqlite', ...(await serverKinds())];

/**
 * One kind for work that is the same on each database: the server of this test file, or SQLite if no server is available. With
 * POSTRIDER_TEST_LONG=1 all kinds.
 */
export async function oneKind(): Promise<DatabaseKind[]> {
  const servers = await serverKinds();
  return longTests || servers.length === 0 ? ['sqlite', ...servers] : servers;
}

async function createDatabase(
  kind: DatabaseKind,
  folder: string,
): Promise<{ place: DatabaseLocation; remove(): Promise<void> }> {
  if (kind === 'sqlite') return { place: { kind, filename: join(folder, 'faults.db') }, remove: async () => undefined };
  if (kind === 'postgres') {
    const schema = newSchema();
    return { place: { kind, schema }, remove: () => dropSchema(schema) };
  }
  const database = await createMysqlDatabase();
  return { place: { kind, uri: mysqlUrlOf(database) }, remove: () => dropMysqlDatabase(database) };
}

/** Runs `work` on an empty database. `folder` contains only the file of SQLite, and is removed afterwards. */
export async function withDatabase<T>(
  kind: DatabaseKind,
  work: (location: DatabaseLocation, folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-faults-'));
  try {
    const { place: databaseLocation, remove } = await createDatabase(kind, folder);
    try {
      return await work(databaseLocation, folder);
    } finally {
      await remove();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
