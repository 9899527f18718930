// Schedules: one run for each slot across all processes, one run after missed slots, and the rows that schedules of the core delete.
import * as assert from 'uvu/assert';
import type { ScheduleContext } from '../../core/contract/declaration/jobs.ts';
import { insertBudget, usedBudget } from '../../core/pipeline/budget-rows.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { eachDatabase } from '../support/databases.ts';
import { createJobBench, type JobBench, type JobProcess, manyJobs, noteJob, until } from '../support/job-bench.ts';

const everywhere = unscoped('the test looks at every workspace');

const minute = 60_000;
const day = 86_400_000;

async function withBench(making: Promise<JobBench>, work: (bench: JobBench) => Promise<void>): Promise<void> {
  const bench = await making;
  try {
    await bench.addWorkspace('ws_1');
    await work(bench);
  } finally {
    await bench.close();
  }
}

const everyMinute = (run: (context: ScheduleContext) => Promise<void>) => ({
  id: 'bench.minute',
  description: 'Runs every minute.',
  everyMs: minute,
  run,
});

async function countOf(
  bench: JobBench,
  table: 'idempotency' | 'outbox' | 'audit' | 'jobs' | 'budgets',
): Promise<number> {
  return bench.database.read(everywhere, async ({ db }) => (await db.selectFrom(table).selectAll().execute()).length);
}

async function runAll(process: JobProcess): Promise<string[]> {
  return [...(await process.runner.runSchedules()).ran].sort();
}

await eachDatabase('schedules', (test, testDatabase) => {
  const each = (name: string, work: (bench: JobBench) => Promise<void>) =>
    test(name, () => withBench(createJobBench(testDatabase), work));

  each('a schedule runs once per slot across all processes, and not before its first slot', async (bench) => {
    const runs: number[] = [];
    const schedules = [everyMinute(async ({ now }) => void runs.push(now))];
    const one = bench.process({ schedules });
    const otherProcess = bench.process({ schedules });
    assert.equal(await runAll(one), []);
    bench.clock.advance(minute - 1);
    assert.equal(await runAll(otherProcess), []);
    bench.clock.advance(1);
    const both = await Promise.all([runAll(one), runAll(otherProcess)]);
    assert.is(both.flat().filter((id) => id === 'bench.minute').length, 1);
    assert.equal(runs, [bench.clock.now()]);
    assert.equal((await runAll(otherProcess)).includes('bench.minute'), false);
  });

  each('one run makes up for all missed slots of a schedule', async (bench) => {
    let runs = 0;
    const benchProcess = bench.process({
      schedules: [
        everyMinute(async () => {
          runs += 1;
        }),
      ],
    });
    await runAll(benchProcess);
    bench.clock.advance(100 * minute + 30_000);
    await runAll(benchProcess);
    await runAll(benchProcess);
    assert.is(runs, 1);
    bench.clock.advance(30_000);
    await runAll(benchProcess);
    assert.is(runs, 2);
  });

  each('an offset moves the slots of a schedule, and a missed week is made up for', async (bench) => {
    const runs: number[] = [];
    const benchProcess = bench.process({
      schedules: [
        {
          id: 'bench.monday',
          description: 'Runs on Mondays.',
          everyMs: 7 * day,
          offsetMs: 4 * day,
          run: async ({ now }) => void runs.push(new Date(now).getUTCDay()),
        },
      ],
    });
    bench.clock.advance(day - (bench.clock.now() % day));
    for (let days = 0; days < 21; days += 1) {
      await runAll(benchProcess);
      bench.clock.advance(day);
    }
    assert.ok(runs.length >= 2 && runs.every((weekday) => weekday === 1), runs.join());
    const sinceMonday = (new Date(bench.clock.now()).getUTCDay() + 6) % 7;
    bench.clock.advance((15 - sinceMonday) * day);
    await runAll(benchProcess);
    await runAll(benchProcess);
    assert.equal(runs.slice(-2), [1, 2], 'it runs once on Tuesday, after two Mondays without a process');
  });

  each('a schedule continues after a failed run, and after the clock was set back', async (bench) => {
    let runs = 0;
    const benchProcess = bench.process({
      schedules: [
        everyMinute(async () => {
          runs += 1;
          throw new Error('no');
        }),
      ],
    });
    await runAll(benchProcess);
    bench.clock.advance(minute);
    assert.ok((await benchProcess.runner.runSchedules()).failed.includes('bench.minute'));
    assert.ok(benchProcess.log.some(({ level, fields }) => level === 'error' && fields['schedule'] === 'bench.minute'));
    bench.clock.advance(-30 * minute);
    await runAll(benchProcess);
    bench.clock.advance(minute);
    await runAll(benchProcess);
    assert.is(runs, 2);
  });

  each('a started process runs its schedules by itself', async (bench) => {
    let runs = 0;
    const benchProcess = bench.process({
      schedules: [
        everyMinute(async () => {
          runs += 1;
        }),
      ],
    });
    await runAll(benchProcess);
    await benchProcess.runner.start();
    bench.clock.advance(minute);
    await until(() => runs === 1);
    await benchProcess.runner.stop();
  });

  each('a purge deletes, in batches, only old rows that have the given values', async (bench) => {
    const deletedCounts: number[] = [];
    const benchProcess = bench.process({
      jobs: [noteJob('note', async () => undefined)],
      schedules: [
        everyMinute(async (context) => {
          deletedCounts.push(await context.purge('outbox', 'created_at', 1_000, { workspace_id: 'ws_1' }));
          await context
            .purge('nowhere', 'created_at', 1)
            .catch((error: Error) => assert.match(error.message, /not declared/));
        }),
      ],
    });
    const event = (n: number, workspace: string) => ({
      id: `evt_${workspace}_${n}`,
      workspace_id: workspace,
      type: 'x',
      source: 'service' as const,
      synthetic: 0,
      sandbox: 0,
      data: '{}',
      created_at: n,
    });
    for (let start = 0; start < 1_400; start += 200) {
      const rows = Array.from({ length: 200 }, (_, n) => event(start + n, 'ws_1'));
      await bench.database.transact((scope) => scope.handle(everywhere).db.insertInto('outbox').values(rows).execute());
    }
    await bench.database.transact((scope) =>
      scope.handle(everywhere).db.insertInto('outbox').values(event(1, 'ws_2')).execute(),
    );
    await runAll(benchProcess);
    bench.clock.advance(minute);
    await runAll(benchProcess);
    assert.equal(deletedCounts, [1_000]);
  });

  each('the rows of the pipeline are deleted after their retention, not before', async (bench) => {
    await bench.addWorkspace('ws_2');
    const benchProcess = bench.process({
      jobs: [
        noteJob('note', async (_, note) => (note === '0' ? Promise.reject(new Error('no')) : undefined), {
          retryDelaysMs: [],
        }),
      ],
    });
    await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 2));
    await benchProcess.runner.drain();
    const now = bench.clock.now();
    await bench.database.transact(async (scope) => {
      const { db } = scope.handle(everywhere);
      const record = {
        workspace_id: 'ws_1',
        endpoint: 'POST /v1/x',
        fingerprint: '',
        sandbox: 0,
        lease_token: null,
        status: 200,
        answer: '{}',
        sealed: null,
      };
      await db
        .insertInto('idempotency')
        .values([
          { ...record, key: 'a', expires_at: now + day },
          { ...record, key: 'b', expires_at: now + 2 * day },
        ])
        .execute();
      await db
        .insertInto('outbox')
        .values({
          id: 'evt_1',
          workspace_id: 'ws_1',
          type: 'x',
          source: 'service',
          synthetic: 0,
          sandbox: 0,
          data: '{}',
          created_at: now,
        })
        .execute();
      for (const workspace of ['ws_1', 'ws_2']) {
        await db
          .insertInto('audit')
          .values({
            id: `aud_${workspace}`,
            workspace_id: workspace,
            sandbox: 0,
            ts: now,
            actor_kind: 'api',
            actor_key_id: null,
            actor: '{}',
            action: 'x',
            target_kind: 'x',
            target_id: 'x',
            request_id: 'x',
            metadata: '{}',
            idempotency_key: null,
          })
          .execute();
      }
    });
    const countRemaining = async () => [
      await countOf(bench, 'idempotency'),
      await countOf(bench, 'outbox'),
      await countOf(bench, 'jobs'),
      await countOf(bench, 'audit'),
    ];
    await runAll(benchProcess);
    bench.clock.advance(day);
    const forget = [
      ...['core.audit', 'core.idempotency', 'core.jobs', 'core.leash_usage'],
      ...['core.outbox', 'core.rate_limits', 'core.requests'],
    ];
    const otherSchedules = ['core.budget_leases', 'core.changelog', 'core.credit_holds', 'core.deprecations'];
    assert.equal(await runAll(benchProcess), ['core.audit', ...otherSchedules, ...forget.slice(1)]);
    assert.equal(await countRemaining(), [2, 1, 2, 2]);
    bench.clock.advance(minute);
    await runAll(benchProcess);
    assert.equal(await countRemaining(), [1, 1, 2, 2]);
    bench.clock.advance(7 * day);
    await runAll(benchProcess);
    assert.equal(await countRemaining(), [0, 1, 1, 2], 'the failed job is kept longer than the job that is done');
    bench.clock.advance(24 * day);
    await runAll(benchProcess);
    assert.equal(await countRemaining(), [0, 0, 1, 2], 'an event is kept as long as its deliveries');
    bench.clock.advance(90 * day);
    await runAll(benchProcess);
    assert.equal(await countRemaining(), [0, 0, 0, 0]);
  });

  each('a purge deletes many rows of one millisecond in batches, with any key, and keeps other rows', async (bench) => {
    const deletedCounts: number[] = [];
    const benchProcess = bench.process({
      schedules: [
        everyMinute(async (context) => {
          deletedCounts.push(await context.purge('idempotency', 'expires_at', 1_000));
          deletedCounts.push(await context.purgeByWorkspace('outbox', 'created_at', 1_000, { budgets: 'budget' }));
        }),
      ],
    });
    await bench.addWorkspace('ws_2');
    const numbers = Array.from({ length: 1_200 }, (_, n) => n);
    const record = {
      endpoint: 'POST /v1/x',
      fingerprint: '',
      sandbox: 0,
      lease_token: null,
      status: 200,
      answer: '{}',
      sealed: null,
    };
    const event = { type: 'x', source: 'service' as const, synthetic: 0, sandbox: 0, data: '{}' };
    await bench.database.transact(async (scope) => {
      const { db } = scope.handle(everywhere);
      for (const [workspace, time] of [
        ['ws_1', 999],
        ['ws_2', 1_000],
      ] as const) {
        for (let start = 0; start < numbers.length; start += 200) {
          const some = numbers.slice(start, start + 200);
          const records = some.map((n) => ({ ...record, workspace_id: workspace, key: `${n}`, expires_at: time }));
          const events = some.map((n) => ({
            ...event,
            id: `${workspace}_${n}`,
            workspace_id: workspace,
            created_at: time,
          }));
          await db.insertInto('idempotency').values(records).execute();
          await db.insertInto('outbox').values(events).execute();
        }
      }
      const part = { period: '2026-01', amount: 1 };
      await db
        .insertInto('budgets')
        .values([
          { ...part, id: 'a', workspace_id: 'ws_1', budget: 'ws_1_7' },
          { ...part, id: 'b', workspace_id: 'ws_1', budget: 'ws_2_7' },
        ])
        .execute();
    });
    await runAll(benchProcess);
    bench.clock.advance(minute);
    await bench.database.transact((scope) =>
      scope
        .handle(everywhere)
        .db.updateTable('schedule_slots')
        .set({ next_at: bench.clock.now() + day })
        .where('id', 'like', 'core.%')
        .execute(),
    );
    await runAll(benchProcess);
    assert.equal(deletedCounts, [1_200, 1_200]);
    assert.is(await countOf(bench, 'idempotency'), 1_200);
    assert.is(await countOf(bench, 'outbox'), 1_200);
    assert.is(await countOf(bench, 'budgets'), 1, 'only the parts of the deleted rows are deleted');
  });

  each('the schedules store the last use of keys and merge long budgets', async (bench) => {
    const benchProcess = bench.process({});
    const now = bench.clock.now();
    await bench.database.transact(async (scope) => {
      const handle = scope.handle('ws_1');
      const key = {
        workspace_id: 'ws_1',
        name: 'x',
        mode: 'live' as const,
        sandbox: 0,
        prefix: 'x',
        secret_hash: 'x',
        scopes: '[]',
        preset: null,
        created_by: null,
        created_at: now,
        last_used_at: null,
        expires_at: null,
        revoked_at: null,
      };
      await handle.db
        .insertInto('api_keys')
        .values({ id: 'key_1', ...key })
        .execute();
      for (let n = 0; n < 1_300; n += 1)
        handle.defer(insertBudget, { id: `bud_${n}`, budget: 'sends', period: '2026-01', amount: 2, lease: null });
      await scope.flush();
    });
    benchProcess.core.keyUsage.touch('key_1', 'ws_1', now);
    const database = await benchProcess.core.database();
    benchProcess.core.budgets.reportSummed({ workspaceId: 'ws_1', budget: 'sends', period: '2026-01' }, 1_300);
    await benchProcess.runner.drain();
    const usage = await database.read('ws_1', (handle) => usedBudget(handle, 'sends', now));
    assert.is(usage.amount, 2_600);
    assert.ok(usage.rows < 302, `${usage.rows} rows are left`);
    const [key] = await database.read('ws_1', ({ db }) =>
      db.selectFrom('api_keys').select('last_used_at').where('workspace_id', '=', 'ws_1').execute(),
    );
    assert.is(key?.last_used_at, now);

    benchProcess.core.keyUsage.touch('key_1', 'ws_1', now + 1);
    const failingDatabase = new Proxy(database, {
      get: (target, name) =>
        name === 'transact' ? () => Promise.reject(new Error('away')) : Reflect.get(target, name, target),
    });
    await benchProcess.core.keyUsage.flush(failingDatabase).then(
      () => assert.unreachable(),
      () => undefined,
    );
    assert.is(benchProcess.core.keyUsage.pending, true, 'entries that could not be written are kept');
    await benchProcess.runner.stop();
    assert.is(benchProcess.core.keyUsage.pending, false, 'stopping writes the entry, even before a start');
    const [laterRow] = await database.read('ws_1', ({ db }) =>
      db.selectFrom('api_keys').select('last_used_at').where('workspace_id', '=', 'ws_1').execute(),
    );
    assert.is(laterRow?.last_used_at, now + 1);
    benchProcess.core.keyUsage.touch('key_1', 'ws_1', now + 2);
    await benchProcess.runner.upkeep();
    assert.is(benchProcess.core.keyUsage.pending, false);
  });
});
