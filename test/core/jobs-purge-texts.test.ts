// Purging by workspace: lists of workspaces of any length need only a few different statements, and two simultaneous purges count correctly.
import * as assert from 'uvu/assert';
import { purgeByWorkspace } from '../../core/jobs/purge-by-workspace.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { eachDatabase } from '../support/databases.ts';
import { createJobBench, type JobBench } from '../support/job-bench.ts';

const everywhere = unscoped('the test looks at every workspace');

async function purgeTwice(bench: JobBench): Promise<void> {
  const workspaces = Array.from({ length: 30 }, (_, n) => `ws_1${n + 10}`);
  const rows = workspaces.flatMap((workspace, max) =>
    Array.from({ length: max + 1 }, (_, n) => ({
      id: `${workspace}_${n}`,
      workspace_id: workspace,
      type: 'x',
      source: 'service' as const,
      synthetic: 0,
      sandbox: 0,
      data: '{}',
      created_at: n,
    })),
  );
  for (const workspace of workspaces) await bench.addWorkspace(workspace);
  await bench.database.transact((scope) => scope.handle(everywhere).db.insertInto('outbox').values(rows).execute());
  const texts = new Set<string>();
  const { driver } = bench.database;
  const transact = driver.transact;
  driver.transact = (work, options) =>
    transact.call(
      driver,
      (connection) => {
        const query = connection.query.bind(connection);
        connection.query = (statement) => {
          if (/\bin \(/.test(statement.sql)) texts.add(statement.sql);
          return query(statement);
        };
        return work(connection);
      },
      options,
    ) as never;
  const { signal } = new AbortController();
  const core = bench.process({}).core;
  const purging = [1, 2].map(() =>
    purgeByWorkspace(core, bench.database, { table: 'outbox', column: 'created_at', before: 1_000 }, signal),
  );
  const deletedCount = (await Promise.all(purging)).reduce((sum, went) => sum + went, 0);
  assert.is(deletedCount, rows.length, 'each row that two simultaneous purges delete is counted once');
  const remaining = await bench.database.read(everywhere, ({ db }) => db.selectFrom('outbox').select('id').execute());
  assert.is(remaining.length, 0);
  assert.ok(texts.size > 0 && texts.size <= 4, `${texts.size} texts`);
}

await eachDatabase('purging by workspace', (test, database) => {
  test('lists of workspaces of any length need only a few different statements, and two simultaneous purges count each deleted row once', async () => {
    const bench = await createJobBench(database);
    try {
      await purgeTwice(bench);
    } finally {
      await bench.close();
    }
  });
});
