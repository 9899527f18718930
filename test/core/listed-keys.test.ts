// Reads of several rows by their primary keys on SQLite, which has no statistics: they seek each key, however many rows the workspace
// has. One statement for each table whose primary key is one column.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { primaryKeyOf } from '../../core/storage/primary-key.ts';
import { oneSide } from '../../core/storage/scope.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const test = suite('lists of keys on SQLite');
/** A list of 64 keys, one of the lengths that statements have. */
const listed = Array.from({ length: 64 }, (_, index) => `key_${index}`);

test('a list of keys seeks each key and reads nothing else of the workspace', async () => {
  const kit = await createTestService({ plugins: bareStandardPlugins });
  try {
    const { core } = kit.service;
    const database = await core.database();
    const { id } = await readWorkspace(core, kit.workspaceId);
    const sought: string[] = [];
    const others: string[] = [];
    for (const [table, { tenant }] of core.registry.tables) {
      const [key, ...more] = primaryKeyOf(core.registry.migrations, table);
      if (!tenant || key === undefined || key === 'workspace_id' || more.length > 0) continue;
      const plan = await database.read(oneSide(id, false), async ({ db }) => {
        const { sql, parameters } = (db as never as TableSelect)
          .selectFrom(table)
          .select(key)
          .where(key, 'in', listed)
          .orderBy(key)
          .compile();
        const { rows } = await database.driver.read((connection) =>
          connection.query({ sql: `explain query plan ${sql}`, parameters: [...parameters] }),
        );
        return rows.map(({ detail }) => String(detail)).join('; ');
      });
      const isSought = new RegExp(`^SEARCH \\S+ USING (INDEX sqlite_autoindex_\\S+|PRIMARY KEY) \\(${key}=\\?\\)$`);
      (isSought.test(plan) ? sought : others).push(`${table}: ${plan}`);
    }
    assert.equal(others, []);
    assert.ok(sought.length > 40, `only ${sought.length} tables`);
  } finally {
    await kit.close();
  }
});

/** A select of a table whose name is a variable. */
interface TableSelect {
  selectFrom(table: string): TableSelect;
  select(column: string): TableSelect;
  where(column: string, operator: 'in', values: readonly string[]): TableSelect;
  orderBy(column: string): TableSelect;
  compile(): { readonly sql: string; readonly parameters: readonly never[] };
}

test.run();
