// The ends of jobs that share commits: when their slots become free, how many may wait, and which commits wait for the disk.
import * as assert from 'uvu/assert';
import type { JobContext } from '../../core/contract/declaration/jobs.ts';
import { maxUnmarked } from '../../core/jobs/acknowledgements.ts';
import type { Database } from '../../core/storage/database.ts';
import { twoDatabases } from '../support/databases.ts';
import {
  createJobBench,
  gate,
  type JobBench,
  type JobProcess,
  manyJobs,
  noteJob,
  until,
} from '../support/job-bench.ts';

const nothing = async (): Promise<void> => undefined;
const endShared = (context: JobContext) => context.complete(nothing, { shared: true });
const repeatable = (context: JobContext) => context.complete(nothing, { shared: true, repeatable: true });

/** A commit of ends: the number of jobs that it marked, and whether it waited for the disk */
interface EndCommit {
  readonly marked: number;
  readonly durable: boolean;
}

/** Watches the transactions of a process that mark jobs; `before` runs before each of them. */
async function watchEnds(bench: JobBench, { core }: JobProcess, before = nothing): Promise<EndCommit[]> {
  const database = (await core.database()) as { transact: Database['transact'] };
  const transact = database.transact.bind(database);
  const commits: EndCommit[] = [];
  const countDone = async () => (await bench.rows()).filter(({ state }) => state === 'done').length;
  database.transact = async (work, options) => {
    if (options?.durable === undefined) return transact(work, options);
    await before();
    const earlier = await countDone();
    const result = await transact(work, options);
    commits.push({ marked: (await countDone()) - earlier, durable: options.durable });
    return result;
  };
  return commits;
}

await twoDatabases('ends of jobs', (test, testDatabase) => {
  const each = (name: string, work: (bench: JobBench) => Promise<void>) =>
    test(name, async () => {
      const bench = await createJobBench(testDatabase);
      try {
        await bench.addWorkspace('ws_1');
        await work(bench);
      } finally {
        await bench.close();
      }
    });

  each('a job whose end is shared frees its slot, and at most 64 ends wait for their commit', async (bench) => {
    let runs = 0;
    const free = gate();
    const benchProcess = bench.process({
      concurrency: 2,
      jobs: [
        noteJob('note', async (context) => {
          runs += 1;
          await repeatable(context);
        }),
      ],
    });
    await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 200));
    await watchEnds(bench, benchProcess, () => free.passed);
    const draining = benchProcess.runner.drain();
    // Now each of the two slots has one more job.
    await until(() => runs === maxUnmarked + 2);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal([runs, (await bench.rows()).filter(({ state }) => state === 'done').length], [maxUnmarked + 2, 0]);
    free.open();
    assert.equal(await draining, { ran: 200, failed: 0, hasMore: false });
    assert.ok((await bench.rows()).every(({ state, attempt }) => state === 'done' && attempt === 1));
  });

  each('repeatable ends do not wait for the disk, but at most 100 in a row', async (bench) => {
    const benchProcess = bench.process({ jobs: [noteJob('note', repeatable)] });
    await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 400));
    const commits = await watchEnds(bench, benchProcess);
    assert.is((await benchProcess.runner.drain()).ran, 400);
    assert.is(
      commits.reduce((sum, { marked }) => sum + marked, 0),
      400,
    );
    let notOnDisk = 0;
    for (const { marked, durable } of commits) {
      notOnDisk = durable ? 0 : notOnDisk + marked;
      assert.ok(notOnDisk <= 100, `${notOnDisk} ends are not on disk`);
    }
    assert.ok(commits.some(({ durable }) => !durable));
  });

  each('an end that is not repeatable makes its whole commit wait for the disk', async (bench) => {
    const jobs = [noteJob('note', (context, note) => (note === '3' ? endShared : repeatable)(context))];
    const benchProcess = bench.process({ jobs });
    await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 8));
    const commits = await watchEnds(bench, benchProcess);
    await benchProcess.runner.drain();
    assert.ok(commits.some(({ durable }) => durable));
    assert.ok(commits.filter(({ durable }) => !durable).reduce((sum, { marked }) => sum + marked, 0) < 8);
  });

  each('with durableJobEnds every end waits for the disk', async (bench) => {
    const benchProcess = bench.process({ jobs: [noteJob('note', repeatable)], durableEnds: true });
    await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 40));
    const commits = await watchEnds(bench, benchProcess);
    await benchProcess.runner.drain();
    assert.ok(commits.length > 0 && commits.every(({ durable }) => durable));
  });
});
