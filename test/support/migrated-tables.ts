// Test services with tables that are already migrated. A migration takes longer than most tests, so a service that closes empties its
// tables and leaves them to the next service with the same migrations. Used by the benches in this folder.
import type { Plugin } from '../../core/contract/declaration/plugin.ts';
import { createTestService, type TestService, type TestServiceOptions } from '../../hosts/testing/test-service.ts';
import type { TestDatabase } from './databases.ts';

/** Prefixes of empty tables that no service uses, keyed by the migrations that created them. */
const free = new WeakMap<TestDatabase, Map<string, string[]>>();

function freePrefixes(database: TestDatabase, plugins: readonly Plugin[]): string[] {
  const key = JSON.stringify(plugins.map(({ id, migrations, tables }) => [id, migrations, Object.keys(tables ?? {})]));
  const byMigrations = free.get(database) ?? new Map<string, string[]>();
  free.set(database, byMigrations);
  const prefixes = byMigrations.get(key) ?? [];
  byMigrations.set(key, prefixes);
  return prefixes;
}

/**
 * Opens a service with empty tables of the database. Its webhooks and other requests reach real servers. Closing it empties the tables,
 * so a test must read them before. If the caller gives a storage or prefix, the tables belong to the caller and are not emptied.
 */
export async function migratedTestService<const Ids extends string>(
  database: TestDatabase,
  options: TestServiceOptions<Ids>,
): Promise<TestService<Ids>> {
  const owns = options.storage === undefined && options.tablePrefix === undefined && database.empty !== undefined;
  const prefixes = owns ? freePrefixes(database, options.plugins) : [];
  const tablePrefix = options.tablePrefix ?? prefixes.pop() ?? database.newPrefix();
  const test = await createTestService<Ids>({
    storage: database.createStorage(),
    outgoing: {},
    ...options,
    tablePrefix,
  });
  if (!owns) return test;
  const { tables } = test.service.core.registry;
  return {
    ...test,
    async close() {
      await test.close();
      await database.empty?.([...tables.keys()].map((table) => `${tablePrefix}${table}`));
      prefixes.push(tablePrefix);
    },
  };
}
