// Statistics of the query planner on PostgreSQL, for tables that grow. The other databases keep their statistics themselves.
// full-run: slow
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { eachOnRealClock, type JobBench, manyJobs, noteJob, until } from '../support/job-bench.ts';
import { statisticsOf } from '../support/table-statistics.ts';

await eachDatabase('statistics of tables', (test, testDatabase) => {
  const each = eachOnRealClock(test, testDatabase);

  const idle = noteJob('note', async () => undefined);
  const tables = ['jobs', 'workspaces'];

  if (testDatabase.name !== 'postgres') {
    each('this database needs no help', async (bench) => {
      await bench.enqueue(bench.process({ jobs: [idle] }), 'ws_1', manyJobs('note', 10));
      assert.equal(await statisticsOf(bench.database, tables).update(), []);
    });
    return;
  }

  const query = async ({ database }: Pick<JobBench, 'database'>, sql: string) => {
    const { rows } = await database.driver.transact((connection) => connection.query({ sql, parameters: [] }));
    return rows;
  };
  const jobsTable = ({ database }: JobBench) => {
    const { schema } = database.adapter;
    return `${schema === undefined ? '' : `${schema}.`}${database.prefix}jobs`;
  };
  /** The number of updates, and the number of rows at the last one (-1: none). The server's own updates are switched off. */
  const seen = async (bench: JobBench) => {
    const [row] = await query(
      bench,
      `select pg_stat_get_analyze_count(oid) as updates, reltuples from pg_class where oid = '${jobsTable(bench)}'::regclass`,
    );
    return { updates: Number(row?.['updates']), rows: Number(row?.['reltuples']) };
  };
  /** Writes jobs, and waits until the server counts `rows` in all. A connection reports its rows after its next transaction. */
  const enqueueUntil = async (bench: JobBench, rows: number) => {
    const writer = bench.process({ jobs: [idle] });
    await bench.enqueue(writer, 'ws_1', manyJobs('note', rows - (await bench.rows()).length));
    const database = await writer.core.database();
    await until(async () => {
      const [row] = await query(
        { database },
        `select pg_stat_get_live_tuples('${jobsTable(bench)}'::regclass) as live`,
      );
      await new Promise((resolve) => setTimeout(resolve, 50));
      return Number(row?.['live']) === rows;
    });
  };
  const withoutAutovacuum = (bench: JobBench) =>
    query(bench, `alter table ${jobsTable(bench)} set (autovacuum_enabled = false)`);

  each('a table gets statistics when it has 500 rows, and again when it has twice as many', async (bench) => {
    await withoutAutovacuum(bench);
    const statistics = statisticsOf(bench.database, tables);
    await enqueueUntil(bench, 400);
    assert.equal(await statistics.update(), [], 'a small table needs none');
    await enqueueUntil(bench, 600);
    const names = await statistics.update();
    assert.is(names.length, 1);
    assert.match(names[0] ?? '', /jobs"?$/);
    assert.is((await seen(bench)).rows, 600);
    await enqueueUntil(bench, 1_100);
    assert.equal(await statistics.update(), [], 'it has not doubled');
    await enqueueUntil(bench, 1_300);
    assert.is((await statistics.update()).length, 1);
    assert.is((await seen(bench)).rows, 1_300);
  });

  each(
    'a started process updates the statistics while it runs many jobs, and only one of several processes does',
    async (bench) => {
      await withoutAutovacuum(bench);
      const processes = [1, 2, 3].map(() => bench.process({ jobs: [idle] }));
      const [writer] = processes;
      if (writer === undefined) return;
      await bench.enqueue(writer, 'ws_1', manyJobs('note', 900));
      for (const { runner } of processes) await runner.start();
      await until(async () => (await seen(bench)).rows > 0);
      await until(async () => (await bench.rows()).every(({ state }) => state === 'done'));
      for (const { runner } of processes) await runner.stop();
      assert.equal(await seen(bench), { updates: 1, rows: 900 });
      assert.equal(
        processes.flatMap(({ log }) => log.filter(({ level }) => level === 'warn' || level === 'error')),
        [],
      );
    },
  );

  each('a process that runs no jobs updates the statistics after many commits', async (bench) => {
    await withoutAutovacuum(bench);
    await enqueueUntil(bench, 600);
    const writer = bench.process({ jobs: [idle] });
    for (let commits = 0; commits < 99; commits += 1) await bench.enqueue(writer, 'ws_1', manyJobs('note', 1));
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.is((await seen(bench)).updates, 0);
    await bench.enqueue(writer, 'ws_1', manyJobs('note', 1));
    await until(async () => (await seen(bench)).updates === 1);
  });

  each('without jobs, a process does not look at the tables', async (bench) => {
    await withoutAutovacuum(bench);
    await enqueueUntil(bench, 600);
    const idleStatistics = statisticsOf(bench.database, tables);
    idleStatistics.tick(false);
    await idleStatistics.idle();
    assert.is((await seen(bench)).updates, 0);
    process.env['AWS_LAMBDA_FUNCTION_NAME'] = 'api';
    try {
      idleStatistics.tick(true);
      await idleStatistics.idle();
    } finally {
      delete process.env['AWS_LAMBDA_FUNCTION_NAME'];
    }
    assert.is((await seen(bench)).updates, 0, 'a function on Lambda does not look either');
    const busyStatistics = statisticsOf(bench.database, tables);
    busyStatistics.tick(true);
    await busyStatistics.idle();
    assert.is((await seen(bench)).updates, 1, 'one long job is enough');
    const stopped = statisticsOf(bench.database, tables);
    await enqueueUntil(bench, 1_300);
    await stopped.stop();
    stopped.tick(true);
    await stopped.idle();
    assert.is((await seen(bench)).updates, 1, 'it has stopped');
  });

  each('a table whose index was made after its rows gets statistics, too', async (bench) => {
    await withoutAutovacuum(bench);
    await enqueueUntil(bench, 600);
    await query(bench, `create index ${bench.database.prefix}later on ${jobsTable(bench)} (kind)`);
    assert.is((await seen(bench)).rows, 600, 'the index set the number of rows');
    assert.is((await statisticsOf(bench.database, tables).update()).length, 1);
  });

  each('a table that is being vacuumed is skipped, and is not tried again at once', async (bench) => {
    await withoutAutovacuum(bench);
    await enqueueUntil(bench, 600);
    const statistics = statisticsOf(bench.database, tables);
    await bench.database.driver.transact(async (connection) => {
      await connection.query({ sql: `lock table ${jobsTable(bench)} in share update exclusive mode`, parameters: [] });
      assert.is((await statistics.update()).length, 1);
      assert.is((await statistics.update()).length, 0);
    });
    assert.is((await seen(bench)).updates, 0);
    assert.is((await statisticsOf(bench.database, tables).update()).length, 1, 'another process does it');
    assert.is((await seen(bench)).updates, 1);
  });

  each('after the statistics, PostgreSQL seeks a row by its id instead of by its workspace', async (bench) => {
    await withoutAutovacuum(bench);
    await enqueueUntil(bench, 2_000);
    await statisticsOf(bench.database, tables).update();
    const plan = await query(
      bench,
      `explain select 1 from ${jobsTable(bench)} where workspace_id = 'ws_1' and id = 'job_1' and sandbox = 0`,
    );
    assert.match(JSON.stringify(plan), /jobs_pk/);
  });
});
