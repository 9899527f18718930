// Reads of jobs that may share round trips: each job gets its own rows, and only declared kinds read twice.
// full-run: slow
import * as assert from 'uvu/assert';
import type { JobContext, JobDeclaration } from '../../core/contract/declaration/jobs.ts';
import { eachDatabase } from '../support/databases.ts';
import { eachOnRealClock, gate, type JobBench, manyJobs, noteJob, until } from '../support/job-bench.ts';

const jobCount = 8;

/** Runs jobs that read their own row at the same moment. Returns the ids that each job read, and how often the work of a read ran. */
async function readOwnRows(bench: JobBench, options: Pick<JobDeclaration, 'sharesReads'>) {
  const found: (readonly [own: string, read: readonly string[]])[] = [];
  const allBegun = gate();
  let begun = 0;
  let runs = 0;
  const readOwn = (ctx: JobContext) =>
    ctx.read(async ({ trx }) => {
      runs += 1;
      return trx.db.selectFrom('jobs').select('id').where('id', '=', ctx.jobId).execute();
    });
  const handler = async (ctx: JobContext): Promise<void> => {
    begun += 1;
    if (begun === jobCount) allBegun.open();
    await allBegun.passed;
    found.push([ctx.jobId, (await readOwn(ctx)).map(({ id }) => id)]);
  };
  const process = bench.process({ jobs: [{ ...noteJob('note', handler), ...options }], concurrency: 2 * jobCount });
  await process.runner.start();
  await bench.enqueue(process, 'ws_1', manyJobs('note', jobCount));
  await until(() => found.length === jobCount);
  await process.runner.stop();
  return { found, runs };
}

await eachDatabase('shared reads of jobs', (test, place) => {
  const each = eachOnRealClock(test, place);

  each('each job gets its own rows, also if its read cannot be shared and runs again', async (bench) => {
    const { found, runs } = await readOwnRows(bench, { sharesReads: true });
    for (const [own, read] of found) assert.equal(read, [own]);
    // The statement was built for this call, and only statements that are compiled once can be shared.
    if (place.name === 'postgres') assert.ok(runs > jobCount, `${runs} runs`);
    else assert.is(runs, jobCount);
  });

  each('by default, the work of a read runs once', async (bench) => {
    const { found, runs } = await readOwnRows(bench, {});
    assert.is(found.length, jobCount);
    assert.is(runs, jobCount);
  });
});
