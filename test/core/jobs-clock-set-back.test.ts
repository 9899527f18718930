// A clock that was ahead is set back: a retry waits its delay from the corrected time, and a job with a fixed time keeps this time.
// full-run: slow
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { createJobBench, type JobBench, noteJob } from '../support/job-bench.ts';

const minute = 60_000;
const hour = 60 * minute;

await eachDatabase('jobs after a clock was set back', (test, database) => {
  const each = (name: string, work: (bench: JobBench) => Promise<void>) =>
    test(name, async () => {
      const bench = await createJobBench(database);
      try {
        await bench.addWorkspace('ws_1');
        await work(bench);
      } finally {
        await bench.close();
      }
    });

  /** Runs one job of each kind with a clock that is an hour ahead, then sets the clock back. */
  async function runAhead(bench: JobBench) {
    const correctTime = bench.clock.now();
    const fixedTime = correctTime + 3 * hour;
    const jobs = [
      noteJob('thrown', () => Promise.reject(new Error('no')), { retryDelaysMs: [5 * minute, 5 * minute] }),
      noteJob('delayed', (context) =>
        context.retryAt(context.ports.now() + 5 * minute, 'later', undefined, { relative: true }),
      ),
      noteJob('timed', (context) => context.retryAt(fixedTime, 'at its time')),
    ];
    bench.clock.advance(hour);
    const benchProcess = bench.process({ jobs });
    const request = (kind: string) => ({ kind, payload: { note: 'n' } });
    const [thrown = '', delayed = '', timed = '', scheduled = ''] = await bench.enqueue(benchProcess, 'ws_1', [
      request('thrown'),
      request('delayed'),
      request('timed'),
      { ...request('thrown'), runAt: fixedTime },
    ]);
    await benchProcess.runner.drain();
    bench.clock.advance(-hour);
    const timeOf = async (id: string) => (await bench.row(id)).run_at - correctTime;
    return { own: benchProcess, right: correctTime, thrown, delayed, timed, scheduled, timeOf };
  }

  each(
    'a retry waits its delay from the corrected time, and a job with a fixed time keeps this time',
    async (bench) => {
      const { own, thrown, delayed, timed, scheduled, timeOf } = await runAhead(bench);
      assert.is(await timeOf(thrown), hour + 5 * minute);
      await own.runner.drain({ limit: 0 });
      for (const id of [thrown, delayed]) assert.is(await timeOf(id), 5 * minute);
      for (const id of [timed, scheduled]) assert.is(await timeOf(id), 3 * hour);
      assert.is(own.log.filter(({ message }) => message.includes('by a clock that was ahead')).length, 1);
      bench.clock.advance(5 * minute);
      assert.is((await own.runner.drain()).ran, 2);
      assert.equal([(await bench.row(thrown)).attempt, (await bench.row(delayed)).attempt], [2, 2]);
    },
  );

  each('many retries are moved together, but a small difference between two clocks moves no job', async (bench) => {
    const jobs = [noteJob('thrown', () => Promise.reject(new Error('no')), { retryDelaysMs: [5 * minute] })];
    const benchProcess = bench.process({ jobs, concurrency: 50 });
    const right = bench.clock.now();
    const ahead = async (count: number, byMs: number) => {
      bench.clock.advance(byMs);
      const requests = Array.from({ length: count }, () => ({ kind: 'thrown', payload: { note: 'n' } }));
      const ids = await bench.enqueue(benchProcess, 'ws_1', requests);
      await benchProcess.runner.drain();
      bench.clock.advance(-byMs);
      await benchProcess.runner.drain({ limit: 0 });
      const rows = await Promise.all(ids.map((id) => bench.row(id)));
      return new Set(rows.map(({ run_at }) => run_at - right));
    };
    assert.equal([...(await ahead(3, 30_000))], [5 * minute + 30_000]);
    assert.equal([...(await ahead(300, 2 * minute))], [5 * minute]);
  });
});
