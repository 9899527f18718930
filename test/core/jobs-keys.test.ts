// Jobs with a key, on each database: at most one waits per key, even if many processes write at once. It can be
// replaced and canceled until a worker has claimed it.
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
  /** Creates a process that records which jobs it runs. */
  const noting = (bench: JobBench): { worker: JobProcess; ran: string[] } => {
    const ran: string[] = [];
    const note = async (_: unknown, text: string) => void ran.push(text);
    return { worker: bench.process({ jobs: [noteJob('note', note), noteJob('other', note)] }), ran };
  };
  const keyed = (note: string, more: Partial<JobRequest> = {}): JobRequest => ({
    kind: 'note',
    payload: { note },
    key: 'k',
    ...more,
  });

  each('enqueueing again replaces the payload and the time of the waiting job', async (bench) => {
    const { worker, ran } = noting(bench);
    const now = bench.clock.now();
    await bench.enqueue(worker, 'ws_1', [keyed('first', { runAt: now + minute })]);
    const [id] = await bench.enqueue(worker, 'ws_1', [keyed('second', { runAt: now + 2 * minute, lane: 'bulk' })]);
    const rows = await bench.rows();
    assert.equal(
      rows.map((row) => [row.id, row.state, Number(row.run_at), row.lane]),
      [[id, 'waiting', now + 2 * minute, 2]],
    );
    bench.clock.advance(minute);
    await worker.runner.drain();
    assert.equal(ran, []);
    await bench.enqueue(worker, 'ws_1', [keyed('third')]);
    await worker.runner.drain();
    assert.equal(ran, ['third']);
    bench.clock.advance(minute);
    await worker.runner.drain();
    assert.equal(ran, ['third']);
  });

  each(
    'if a transaction enqueues several jobs with the same key, only the last is stored; a job that it cancels is not',
    async (bench) => {
      const { worker, ran } = noting(bench);
      await bench.enqueue(worker, 'ws_1', [keyed('waits', { runAt: bench.clock.now() + minute })]);
      await bench.enqueue(worker, 'ws_1', [keyed('one'), keyed('two'), keyed('another', { key: 'other' })]);
      assert.is((await bench.rows()).length, 2);
      await worker.runner.drain();
      assert.equal(ran.sort(), ['another', 'two']);
      const canceled = await bench.within(worker, 'ws_1', async (ctx) => {
        ctx.enqueue(keyed('three'));
        return [await ctx.cancelJob({ kind: 'note', key: 'k' }), await ctx.cancelJob('k')];
      });
      assert.equal(canceled, [true, false]);
      await worker.runner.drain();
      assert.equal(ran.sort(), ['another', 'two']);
    },
  );

  each('a waiting or ready job can be canceled once', async (bench) => {
    const { worker, ran } = noting(bench);
    for (const runAt of [bench.clock.now(), bench.clock.now() + minute]) {
      await bench.enqueue(worker, 'ws_1', [keyed('never', { runAt })]);
      const cancel = () => bench.within(worker, 'ws_1', (ctx) => ctx.cancelJob({ kind: 'note', key: 'k' }));
      assert.equal([await cancel(), await cancel()], [true, false]);
    }
    bench.clock.advance(minute);
    await worker.runner.drain();
    assert.equal(ran, []);
    assert.equal(await bench.rows(), []);
  });

  each('a claimed job is neither replaced nor canceled; a new job is written next to it', async (bench) => {
    const seen: unknown[] = [];
    const ran: string[] = [];
    const worker = bench.process({
      jobs: [
        noteJob('note', async (ctx, note) => {
          ran.push(note);
          if (note !== 'first') return;
          await ctx.checkpoint(async (tx) => {
            seen.push(await tx.cancelJob({ kind: 'note', key: 'k' }));
            tx.enqueue(keyed('second'));
          });
          seen.push((await bench.rows()).map(({ state }) => state).sort());
        }),
      ],
    });
    await bench.enqueue(worker, 'ws_1', [keyed('first')]);
    await worker.runner.drain();
    assert.equal(seen, [false, ['ready', 'running']]);
    assert.equal(ran, ['first', 'second']);
  });

  each('the same key in another workspace, kind or side is another key', async (bench) => {
    const { worker } = noting(bench);
    const runAt = bench.clock.now() + minute;
    await bench.enqueue(worker, 'ws_1', [
      keyed('live', { runAt }),
      keyed('other', { runAt, kind: 'other' }),
      keyed('sandbox', { runAt, sandbox: true }),
    ]);
    await bench.enqueue(worker, 'ws_2', [keyed('theirs', { runAt })]);
    assert.is((await bench.rows()).length, 4);
    const cancel = (sandbox: boolean, key: string) =>
      bench.within(worker, 'ws_1', (ctx) => ctx.cancelJob(key), sandbox);
    assert.is(await cancel(true, 'k'), true);
    const left = async () => (await bench.rows()).map(({ payload }) => JSON.parse(payload).note).sort();
    assert.equal(await left(), ['live', 'other', 'theirs'], 'a sandbox call cancels nothing on the live side');
    assert.is(await cancel(false, 'k'), true);
    assert.equal(await left(), ['theirs'], 'a key alone means every kind');
  });

  each('a key that is too long for its column is refused', async (bench) => {
    const { worker } = noting(bench);
    for (const key of ['', 'k'.repeat(201)])
      await bench.enqueue(worker, 'ws_1', [keyed('x', { key })]).then(
        () => assert.unreachable('it was written'),
        (error: unknown) => assert.instance(error, RangeError),
      );
    assert.equal(await bench.rows(), []);
  });

  each('a job that completes in a batch can enqueue a job with a key', async (bench) => {
    const ran: string[] = [];
    const worker = bench.process({
      jobs: [
        noteJob('note', async (_, note) => void ran.push(note)),
        noteJob('start', (ctx, note) =>
          ctx.complete(
            (tx) => {
              tx.enqueue(keyed(`${note} dropped`));
              tx.enqueue(keyed(`${note} kept`));
            },
            { batched: true },
          ),
        ),
      ],
    });
    await bench.enqueue(worker, 'ws_1', [{ kind: 'start', payload: { note: 'a' } }]);
    await worker.runner.drain();
    assert.equal(ran, ['a kept']);
  });

  each('if many processes enqueue the same key at once, one waiting job remains', async (bench) => {
    const processes = [noting(bench).worker, noting(bench).worker];
    const runAt = bench.clock.now() + minute;
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        bench.enqueue(processes[n % 2] as JobProcess, 'ws_1', [keyed(String(n), { runAt })]),
      ),
    );
    assert.is((await bench.rows()).length, 1);
  });

  each('while workers claim jobs, each job either runs or is canceled', async (bench) => {
    const { worker, ran } = noting(bench);
    const writer = noting(bench).worker;
    const keys = Array.from({ length: 60 }, (_, n) => `k${n}`);
    await bench.enqueue(
      worker,
      'ws_1',
      keys.map((key) => keyed(key, { key })),
    );
    const drained = worker.runner.drain();
    const canceled: string[] = [];
    for (const key of [...keys].reverse())
      if (await bench.within(writer, 'ws_1', (ctx) => ctx.cancelJob(key))) canceled.push(key);
    await drained;
    await worker.runner.drain();
    assert.equal([...ran, ...canceled].sort(), [...keys].sort());
  });
});
