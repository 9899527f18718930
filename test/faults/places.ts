// Empty databases for the fault tests: a file, a schema, or a separate database, created before the work and removed after it.
// Called by the tests. Their processes get the place as text (mail-service.ts).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverOf } from '../support/databases.ts';
import { longTests } from '../support/long-tests.ts';
import { createMysqlDatabase, dropMysqlDatabase, hasMysql, mysqlUrlOf } from '../support/mysql-server.ts';
import { dropSchema, hasPostgres, newSchema } from '../support/postgres-server.ts';
import type { Place } from './mail-service.ts';

/** A kind of database. */
export type PlaceKind = Place['kind'];

/**
 * The servers of this test file: the server that the file's name chooses, or the other if that is missing. Together, the files
 * cover both. With POSTRIDER_TEST_LONG=1 both servers. A missing server is reported once.
 */
export async function serverKinds(): Promise<PlaceKind[]> {
  const kinds: PlaceKind[] = [];
  if (await hasPostgres()) kinds.push('postgres');
  if (await hasMysql()) kinds.push('mariadb');
  if (longTests) return kinds;
  const chosen = serverOf(process.argv[1] ?? '');
  return kinds.includes(chosen) ? [chosen] : kinds.slice(0, 1);
}

async function createPlace(kind: PlaceKind, folder: string): Promise<{ place: Place; remove(): Promise<void> }> {
  if (kind === 'sqlite') return { place: { kind, filename: join(folder, 'faults.db') }, remove: async () => undefined };
  if (kind === 'postgres') {
    const schema = newSchema();
    return { place: { kind, schema }, remove: () => dropSchema(schema) };
  }
  const database = await createMysqlDatabase();
  return { place: { kind, uri: mysqlUrlOf(database) }, remove: () => dropMysqlDatabase(database) };
}

/** Runs `work` on an empty place. `folder` contains only the file of SQLite, and is removed afterwards. */
export async function withPlace<T>(kind: PlaceKind, work: (place: Place, folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-faults-'));
  try {
    const { place, remove } = await createPlace(kind, folder);
    try {
      return await work(place, folder);
    } finally {
      await remove();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
