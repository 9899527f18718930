// Jobs in long-running processes: start and stop, wake-ups, lease renewals, two workers on one database, and an unreachable database.
// full-run: slow
import * as assert from 'uvu/assert';
import { StorageError } from '../../core/contract/ports/storage.ts';
import { OutageLog } from '../../core/jobs/outage-log.ts';
import { UnknownKinds } from '../../core/jobs/unknown-kinds.ts';
import { Worker } from '../../core/jobs/worker.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { eachDatabase } from '../support/databases.ts';
import { createJobBench, gate, type JobBench, manyJobs, noteJob, until } from '../support/job-bench.ts';
import { statisticsOf } from '../support/table-statistics.ts';

const everywhere = unscoped('the test looks at every workspace');

const realClock = { now: () => Date.now(), advance: () => Date.now() };

async function withBench(making: Promise<JobBench>, work: (bench: JobBench) => Promise<void>): Promise<void> {
  const bench = await making;
  try {
    await bench.addWorkspace('ws_1');
    await work(bench);
  } finally {
    await bench.close();
  }
}

await eachDatabase('job processes', (test, testDatabase) => {
  const each = (name: string, work: (bench: JobBench) => Promise<void>) =>
    test(name, () => withBench(createJobBench(testDatabase, realClock), work));

  each('a started process runs the jobs of its own commits without waiting for the next poll', async (bench) => {
    const notes: string[] = [];
    const benchProcess = bench.process({
      jobs: [noteJob('note', async (_, note) => void notes.push(note))],
      pollMs: 3_600_000,
    });
    await benchProcess.runner.start();
    await benchProcess.runner.start();
    await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 3));
    await until(() => notes.length === 3);
    await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 1));
    await until(() => notes.length === 4);
    await benchProcess.runner.stop();
    assert.ok((await bench.rows()).every(({ state }) => state === 'done'));
  });

  each(
    'a started process finds the jobs of other processes, and jobs whose time has come, by polling',
    async (bench) => {
      const notes: string[] = [];
      const job = noteJob('note', async (_, note) => void notes.push(note));
      const writer = bench.process({ jobs: [job] });
      const benchProcess = bench.process({ jobs: [job], pollMs: 10 });
      await benchProcess.runner.start();
      await bench.enqueue(writer, 'ws_1', manyJobs('note', 1));
      await until(() => notes.length === 1);
      const runAt = Date.now() + 50;
      await bench.enqueue(writer, 'ws_1', manyJobs('note', 1, { runAt }));
      await until(() => notes.length === 2);
      assert.ok(Date.now() >= runAt);
      await benchProcess.runner.stop();
    },
  );

  each('the process looks for jobs of a transaction of the program until they are visible', async (bench) => {
    const notes: string[] = [];
    const job = noteJob('note', async (_, note) => void notes.push(note));
    const benchProcess = bench.process({ jobs: [job], pollMs: 3_600_000 });
    await benchProcess.runner.start();
    await new Promise((resolve) => setTimeout(resolve, 30));
    benchProcess.runner.signal.watch(['job_later']);
    await bench.database.transact((scope) =>
      scope
        .handle(everywhere)
        .db.insertInto('jobs')
        .values({
          id: 'job_later',
          workspace_id: 'ws_1',
          kind: 'note',
          lane: 1,
          concurrency_key: 'ws_1',
          state: 'ready',
          payload: '{"note":"joined"}',
          sandbox: 0,
          attempt: 0,
          crashes: 0,
          run_at: Date.now(),
          created_at: Date.now(),
          lease_token: null,
          lease_until: null,
          finished_at: null,
          reason: null,
        })
        .execute(),
    );
    await until(() => notes[0] === 'joined');
    await benchProcess.runner.stop();
  });

  each('a process renews its leases while handlers run', async (bench) => {
    const entered = gate();
    const go = gate();
    let runs = 0;
    const job = noteJob('note', async () => {
      runs += 1;
      entered.open();
      await go.passed;
    });
    const benchProcess = bench.process({ jobs: [job], leaseMs: 300 });
    const otherProcess = bench.process({ jobs: [job], leaseMs: 300, pollMs: 10 });
    const [id = ''] = await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 1));
    await benchProcess.runner.start();
    await entered.passed;
    await otherProcess.runner.start();
    const first = (await bench.row(id)).lease_until ?? 0;
    await until(async () => ((await bench.row(id)).lease_until ?? 0) > first + 600);
    go.open();
    await until(async () => (await bench.row(id)).state === 'done');
    assert.is(runs, 1);
  });

  each('the signal of a job is aborted if its lease is lost', async (bench) => {
    const entered = gate();
    let reason = '';
    const benchProcess = bench.process({
      leaseMs: 150,
      jobs: [
        noteJob('note', async (ctx) => {
          if (ctx.attempt > 1) return;
          entered.open();
          await new Promise((_, reject) => {
            ctx.signal.addEventListener('abort', () => {
              reason = String(ctx.signal.reason);
              reject(ctx.signal.reason);
            });
          });
        }),
      ],
    });
    await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 1));
    await benchProcess.runner.start();
    await entered.passed;
    await bench.database.transact((scope) =>
      scope.handle(everywhere).db.updateTable('jobs').set({ lease_token: 'lease_of_another' }).execute(),
    );
    await until(() => reason !== '');
    assert.match(reason, /lease of this job was lost/);
    await benchProcess.runner.stop();
  });

  each('the jobs of a dead process become ready again within two lease times', async (bench) => {
    const benchProcess = bench.process({ jobs: [noteJob('note', async () => undefined)], leaseMs: 200, pollMs: 20 });
    const [id = ''] = await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 1));
    const leaseUntil = Date.now() + 200;
    await bench.database.transact((scope) =>
      scope
        .handle(everywhere)
        .db.updateTable('jobs')
        .set({ state: 'running', attempt: 1, lease_token: 'lease_of_the_dead', lease_until: leaseUntil })
        .execute(),
    );
    await benchProcess.runner.start();
    await until(async () => (await bench.row(id)).state === 'done');
    assert.ok(Date.now() >= leaseUntil);
    assert.is((await bench.row(id)).attempt, 1, 'a crash does not count as an attempt');
    await benchProcess.runner.stop();
  });

  each('stopping releases jobs that have not started and waits for running jobs', async (bench) => {
    const go = gate();
    let startedCount = 0;
    const benchProcess = bench.process({
      concurrency: 2,
      jobs: [
        noteJob('note', async () => {
          startedCount += 1;
          if (startedCount <= 2) await go.passed;
        }),
      ],
    });
    await benchProcess.runner.start();
    await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 30));
    await until(() => startedCount === 2);
    const stopping = benchProcess.runner.stop();
    await until(async () => (await bench.rows()).filter(({ state }) => state === 'running').length === 2);
    go.open();
    await stopping;
    const states = (await bench.rows()).map(({ state, attempt }) => `${state} ${attempt}`).sort();
    assert.equal(states, [...Array(2).fill('done 1'), ...Array(28).fill('ready 0')]);
    assert.is(startedCount, 2);
    assert.equal((await benchProcess.runner.drain()).ran, 28);
  });

  each('stopping aborts jobs that do not end in time and makes them ready again', async (bench) => {
    const entered = gate();
    let reason = '';
    const { core } = bench.process({
      jobs: [
        noteJob(
          'note',
          async (ctx) => {
            entered.open();
            await new Promise((_, reject) => {
              ctx.signal.addEventListener('abort', () => {
                reason = String(ctx.signal.reason);
                reject(ctx.signal.reason);
              });
            });
          },
          { retryDelaysMs: [] },
        ),
      ],
    });
    const database = await core.database();
    const worker = new Worker({
      statistics: statisticsOf(database),
      core,
      database,
      unknownKinds: new UnknownKinds(core),
      concurrency: 2,
      outboundConcurrency: 10,
      durableEnds: false,
      leaseMs: 60_000,
      outages: new OutageLog(core.log),
    });
    const [id = ''] = await bench.enqueue(
      bench.process({ jobs: [...core.registry.jobs.values()].filter(({ kind }) => kind === 'note') }),
      'ws_1',
      manyJobs('note', 1),
    );
    worker.open();
    worker.wake();
    await entered.passed;
    await worker.close(1);
    assert.match(reason, /^JobStopped: .*service is stopping/);
    const row = await bench.row(id);
    assert.equal([row.state, row.attempt, row.reason], ['ready', 0, 'stopped']);
  });

  each('two processes never run one job at the same time, nor one job twice', async (bench) => {
    const runs = new Map<string, number>();
    const by = new Map<string, number>();
    const processes = ['one', 'other'].map((name) =>
      bench.process({
        concurrency: 4,
        jobs: [
          noteJob('note', async (ctx) => {
            runs.set(ctx.jobId, (runs.get(ctx.jobId) ?? 0) + 1);
            by.set(name, (by.get(name) ?? 0) + 1);
            await new Promise((resolve) => setTimeout(resolve, 1));
          }),
        ],
      }),
    );
    const [first] = processes;
    assert.ok(first !== undefined);
    for (let n = 0; n < 4; n += 1) await bench.enqueue(first, 'ws_1', manyJobs('note', 250));
    await Promise.all(processes.map(({ runner }) => runner.start()));
    await until(async () => (await bench.rows()).every(({ state }) => state === 'done'));
    await Promise.all(processes.map(({ runner }) => runner.stop()));
    assert.is(runs.size, 1_000);
    assert.ok([...runs.values()].every((times) => times === 1));
    assert.is(by.size, 2, 'one of the processes ran no job');
  });

  each('a drain in a started process waits for its jobs, and the process stays started', async (bench) => {
    let runs = 0;
    const benchProcess = bench.process({
      jobs: [
        noteJob('note', async () => {
          runs += 1;
        }),
      ],
      pollMs: 3_600_000,
    });
    await benchProcess.runner.start();
    await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 5));
    assert.is((await benchProcess.runner.drain()).hasMore, false);
    assert.is(runs, 5);
    await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 1));
    await until(() => runs === 6);
    await benchProcess.runner.stop();
  });

  each(
    'if the database refuses the end of a job for a while, it is written later and the handler runs once',
    async (bench) => {
      let refusals = 3;
      let runs = 0;
      const benchProcess = bench.process({
        jobs: [
          noteJob('note', async (ctx) => {
            runs += 1;
            await ctx.complete(async () => {
              refusals -= 1;
              if (refusals >= 0) throw new StorageError('unavailable', 'away');
            });
          }),
        ],
      });
      const [id = ''] = await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 1));
      assert.equal(await benchProcess.runner.drain(), { ran: 1, failed: 0, hasMore: false });
      assert.is(runs, 1);
      assert.is((await bench.row(id)).state, 'done');
    },
  );

  each('if the database disconnects while a handler runs, this costs no attempt and no delay', async (bench) => {
    let runs = 0;
    const benchProcess = bench.process({
      jobs: [
        noteJob('note', async (ctx) => {
          runs += 1;
          if (runs <= 2) throw new StorageError('unavailable', 'away');
          assert.is(ctx.attempt, 1);
        }),
      ],
    });
    const [id = ''] = await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 1));
    assert.is((await benchProcess.runner.drain()).hasMore, false);
    const row = await bench.row(id);
    assert.equal([row.state, row.attempt, runs], ['done', 1, 3]);
  });

  each('if the response to a COMMIT is lost, the end of the job is looked up and not written twice', async (bench) => {
    let writes = 0;
    const benchProcess = bench.process({
      jobs: [
        noteJob('note', async (ctx, note) => {
          if (note !== 'first') return;
          await ctx.complete(async (tx) => {
            writes += 1;
            tx.enqueue({ kind: 'note', payload: { note: 'second' } });
          });
        }),
      ],
    });
    const database = await benchProcess.core.database();
    const { driver } = database;
    const transact = driver.transact.bind(driver);
    let hasLost = false;
    driver.transact = async (work, options) => {
      const before = writes;
      const result = await transact(work, options);
      if (writes === before || hasLost) return result;
      hasLost = true;
      throw new StorageError('unavailable', 'no answer', { outcomeUnknown: true });
    };
    await bench.enqueue(benchProcess, 'ws_1', [{ kind: 'note', payload: { note: 'first' } }]);
    assert.equal(await benchProcess.runner.drain(), { ran: 2, failed: 0, hasMore: false });
    assert.equal([writes, (await bench.rows()).length, hasLost], [1, 2, true]);
  });

  each('a process that was stopped, even while it started, can be started again', async (bench) => {
    let runs = 0;
    const benchProcess = bench.process({
      jobs: [
        noteJob('note', async () => {
          runs += 1;
        }),
      ],
    });
    await Promise.all([benchProcess.runner.start(), benchProcess.runner.stop()]);
    await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 1));
    assert.is((await bench.rows())[0]?.state, 'ready');
    await benchProcess.runner.start();
    await until(() => runs === 1);
    await benchProcess.runner.stop();
  });

  each(
    'before its first use a process opens no connection and sets no timer, and a wake-up has no effect',
    async (bench) => {
      const benchProcess = bench.process({});
      benchProcess.runner.signal.wake();
      benchProcess.runner.signal.watch(['job_x']);
      await benchProcess.runner.stop();
    },
  );
});
