// Jobs with a key, on each database: at most one job per key waits, even if many processes write at the same time. It can be replaced
// and canceled until a worker claims it.
// time-limit: 180
// full-run: slow
import * as assert from 'uvu/assert';
import type { JobRequest } from '../../core/contract/declaration/jobs.ts';
import { eachDatabase } from '../support/databases.ts';
import { createJobBench, type JobBench, type JobProcess, noteJob } from '../support/job-bench.ts';

const minute = 60_000;

await eachDatabase('jobs with a key', (test, database) => {
  const each = (name: string, work: (bench: JobBench) => Promise<void>) =>
    test(name, async () => {
      const bench = await createJobBench(database);
      try {
        for (const id of ['ws_1', 'ws_2']) await bench.addWorkspace(id);
        await work(bench);
      } finally {
        await bench.close();
      }
    });
  /** Creates a process that records the jobs that it runs. */
  const recordingProcess = (bench: JobBench): { worker: JobProcess; ran: string[] } => {
    const runs: string[] = [];
    const note = async (_: unknown, text: string) => void runs.push(text);
    return { worker: bench.process({ jobs: [noteJob('note', note), noteJob('other', note)] }), ran: runs };
  };
  const jobWithKey = (note: string, more: Partial<JobRequest> = {}): JobRequest => ({
    kind: 'note',
    payload: { note },
    key: 'k',
    ...more,
  });

  each('a second enqueue replaces the payload and the time of the waiting job', async (bench) => {
    const { worker, ran } = recordingProcess(bench);
    const now = bench.clock.now();
    await bench.enqueue(worker, 'ws_1', [jobWithKey('first', { runAt: now + minute })]);
    const [id] = await bench.enqueue(worker, 'ws_1', [jobWithKey('second', { runAt: now + 2 * minute, lane: 'bulk' })]);
    const rows = await bench.rows();
    assert.equal(
      rows.map((row) => [row.id, row.state, Number(row.run_at), row.lane]),
      [[id, 'waiting', now + 2 * minute, 2]],
    );
    bench.clock.advance(minute);
    await worker.runner.drain();
    assert.equal(ran, []);
    await bench.enqueue(worker, 'ws_1', [jobWithKey('third')]);
    await worker.runner.drain();
    assert.equal(ran, ['third']);
    bench.clock.advance(minute);
    await worker.runner.drain();
    assert.equal(ran, ['third']);
  });

  each(
    'if a transaction enqueues several jobs with the same key, only the last job is stored, or no job if the transaction cancels it',
    async (bench) => {
      const { worker, ran } = recordingProcess(bench);
      await bench.enqueue(worker, 'ws_1', [jobWithKey('waits', { runAt: bench.clock.now() + minute })]);
      await bench.enqueue(worker, 'ws_1', [
        jobWithKey('one'),
        jobWithKey('two'),
        jobWithKey('another', { key: 'other' }),
      ]);
      assert.is((await bench.rows()).length, 2);
      await worker.runner.drain();
      assert.equal(ran.sort(), ['another', 'two']);
      const canceledCount = await bench.within(worker, 'ws_1', async (ctx) => {
        ctx.enqueue(jobWithKey('three'));
        return [await ctx.cancelJob({ kind: 'note', key: 'k' }), await ctx.cancelJob('k')];
      });
      assert.equal(canceledCount, [true, false]);
      await worker.runner.drain();
      assert.equal(ran.sort(), ['another', 'two']);
    },
  );

  each('a waiting or ready job can be canceled once', async (bench) => {
    const { worker, ran } = recordingProcess(bench);
    for (const runAt of [bench.clock.now(), bench.clock.now() + minute]) {
      await bench.enqueue(worker, 'ws_1', [jobWithKey('never', { runAt })]);
      const cancel = () => bench.within(worker, 'ws_1', (ctx) => ctx.cancelJob({ kind: 'note', key: 'k' }));
      assert.equal([await cancel(), await cancel()], [true, false]);
    }
    bench.clock.advance(minute);
    await worker.runner.drain();
    assert.equal(ran, []);
    assert.equal(await bench.rows(), []);
  });

  each('a claimed job is neither replaced nor canceled, and a new job is stored next to it', async (bench) => {
    const cancelResults: unknown[] = [];
    const runs: string[] = [];
    const worker = bench.process({
      jobs: [
        noteJob('note', async (ctx, note) => {
          runs.push(note);
          if (note !== 'first') return;
          await ctx.checkpoint(async (tx) => {
            cancelResults.push(await tx.cancelJob({ kind: 'note', key: 'k' }));
            tx.enqueue(jobWithKey('second'));
          });
          // The worker may begin the second job at any time.
          cancelResults.push((await bench.rows()).length);
        }),
      ],
    });
    await bench.enqueue(worker, 'ws_1', [jobWithKey('first')]);
    await worker.runner.drain();
    assert.equal(cancelResults, [false, 2]);
    assert.equal(runs, ['first', 'second']);
  });

  each('the same key in another workspace, of another kind or on the other side is a different key', async (bench) => {
    const { worker } = recordingProcess(bench);
    const runAt = bench.clock.now() + minute;
    await bench.enqueue(worker, 'ws_1', [
      jobWithKey('live', { runAt }),
      jobWithKey('other', { runAt, kind: 'other' }),
      jobWithKey('sandbox', { runAt, sandbox: true }),
    ]);
    await bench.enqueue(worker, 'ws_2', [jobWithKey('theirs', { runAt })]);
    assert.is((await bench.rows()).length, 4);
    const cancel = (sandbox: boolean, key: string) =>
      bench.within(worker, 'ws_1', (ctx) => ctx.cancelJob(key), sandbox);
    assert.is(await cancel(true, 'k'), true);
    const remainingNotes = async () => (await bench.rows()).map(({ payload }) => JSON.parse(payload).note).sort();
    assert.equal(await remainingNotes(), ['live', 'other', 'theirs'], 'a sandbox call cancels no job on the live side');
    assert.is(await cancel(false, 'k'), true);
    assert.equal(await remainingNotes(), ['theirs'], 'a key without a kind means every kind');
  });

  each('a key that is too long for its column is refused', async (bench) => {
    const { worker } = recordingProcess(bench);
    for (const key of ['', 'k'.repeat(201)])
      await bench.enqueue(worker, 'ws_1', [jobWithKey('x', { key })]).then(
        () => assert.unreachable('the job was written'),
        (error: unknown) => assert.instance(error, RangeError),
      );
    assert.equal(await bench.rows(), []);
  });

  each('a job that completes in a batch can enqueue a job with a key', async (bench) => {
    const runs: string[] = [];
    const worker = bench.process({
      jobs: [
        noteJob('note', async (_, note) => void runs.push(note)),
        noteJob('start', (ctx, note) =>
          ctx.complete(
            (tx) => {
              tx.enqueue(jobWithKey(`${note} dropped`));
              tx.enqueue(jobWithKey(`${note} kept`));
            },
            { batched: true },
          ),
        ),
      ],
    });
    await bench.enqueue(worker, 'ws_1', [{ kind: 'start', payload: { note: 'a' } }]);
    await worker.runner.drain();
    assert.equal(runs, ['a kept']);
  });

  each('if many processes enqueue the same key at the same time, one waiting job remains', async (bench) => {
    const processes = [recordingProcess(bench).worker, recordingProcess(bench).worker];
    const runAt = bench.clock.now() + minute;
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        bench.enqueue(processes[n % 2] as JobProcess, 'ws_1', [jobWithKey(String(n), { runAt })]),
      ),
    );
    assert.is((await bench.rows()).length, 1);
  });

  each('while workers claim jobs, each job either runs or is canceled', async (bench) => {
    const { worker, ran } = recordingProcess(bench);
    const writer = recordingProcess(bench).worker;
    const keys = Array.from({ length: 60 }, (_, n) => `k${n}`);
    await bench.enqueue(
      worker,
      'ws_1',
      keys.map((key) => jobWithKey(key, { key })),
    );
    const draining = worker.runner.drain();
    const canceledIds: string[] = [];
    for (const key of [...keys].reverse())
      if (await bench.within(writer, 'ws_1', (ctx) => ctx.cancelJob(key))) canceledIds.push(key);
    await draining;
    await worker.runner.drain();
    assert.equal([...ran, ...canceledIds].sort(), [...keys].sort());
  });
});
