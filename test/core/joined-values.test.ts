// Values from a joined Kysely transaction on PostgreSQL, whose driver returns 64-bit numbers, counts and sums as text.
import { strict as assert } from 'node:assert';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { suite } from 'uvu';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { defineStatement } from '../../core/index.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { dropSchema, hasPostgres, newSchema, postgresUrl } from '../support/postgres-server.ts';

const everywhere = unscoped('the test looks at every workspace');

const test = suite('values in a joined Kysely transaction');

const countStatement = defineStatement((db, _given: object) =>
  db.selectFrom('workspaces').select(({ fn, lit, selectFrom }) => [
    fn.countAll<number>().as('workspaces'),
    fn.max('created_at').as('youngest'),
    fn.coalesce(fn.sum<number>('created_at'), lit(0)).as('sum'),
    fn.max('name').as('name'),
    selectFrom('api_keys')
      .select(({ fn }) => fn.count<number>('id').as('n'))
      .as('keys'),
  ]),
);

async function register(): Promise<void> {
  if (await hasPostgres()) {
    test('counts, sums and aliased columns are numbers, but text that looks like a number stays text', async () => {
      const schema = newSchema();
      const source = { connectionString: postgresUrl, schema };
      const bench = await createTestService({ plugins: standardPlugins, storage: postgresStorage(source) });
      const pool = new pg.Pool({ connectionString: postgresUrl, options: `-c search_path=${schema}`, max: 1 });
      const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
      try {
        const database = await bench.service.core.database();
        await database.transact(async (scope) => {
          await scope.handle(everywhere).db.updateTable('workspaces').set({ name: '12' }).execute();
        });
        const ask = (trx: object) =>
          database.transactIn(database.join(trx), async (scope) => {
            const handle = scope.handle(everywhere);
            const builtRow = await handle.db
              .selectFrom('workspaces')
              .select(({ fn }) => ['created_at as made', 'name as n', fn.countAll<number>().as('rows')])
              .groupBy(['created_at', 'name'])
              .execute();
            return [await handle.one(countStatement, {}), builtRow[0]];
          });
        const [row, built] = await db.transaction().execute(ask);
        const [created] = await database.read(everywhere, ({ db }) =>
          db.selectFrom('workspaces').select('created_at').execute(),
        );
        assert.deepEqual(row, {
          workspaces: 2,
          youngest: created?.created_at,
          sum: 2 * (created?.created_at ?? 0),
          name: '12',
          keys: (row as { keys: number }).keys,
        });
        assert.equal(typeof (row as { keys: unknown }).keys, 'number');
        assert.deepEqual(built, { made: created?.created_at, n: '12', rows: 2 });
      } finally {
        await bench.close();
        await db.destroy();
        await dropSchema(schema);
      }
    });
  }
  test.run();
}

await register();
