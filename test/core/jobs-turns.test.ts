// Long work that a job does in turns: it stores its progress and lets other jobs run.
import * as assert from 'uvu/assert';
import { repeatInTurns, turnMs } from '../../core/jobs/repeat-in-turns.ts';
import { twoDatabases } from '../support/databases.ts';
import { createJobBench, type JobBench, manyJobs, noteJob } from '../support/job-bench.ts';

await twoDatabases('turns of jobs', (test, testDatabase) => {
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

  each(
    'a job with endless work lets other jobs of its lane run after each turn, and no attempt is counted',
    async (bench) => {
      const order: string[] = [];
      let steps = 0;
      const worker = bench.process({
        concurrency: 1,
        jobs: [
          noteJob('long', async (ctx) => {
            order.push(`long ${ctx.attempt}`);
            const isDone = await repeatInTurns(ctx, async () => {
              steps += 1;
              await ctx.checkpoint(async () => undefined);
              bench.clock.advance(turnMs / 2);
              return steps < 6;
            });
            if (isDone) await ctx.complete();
          }),
          noteJob('short', async (ctx) => {
            order.push(`short ${ctx.attempt}`);
          }),
        ],
      });
      await bench.enqueue(worker, 'ws_1', [...manyJobs('long', 1), ...manyJobs('short', 1)]);
      await worker.runner.drain();
      assert.is(steps, 6);
      assert.equal(
        order.filter((entry) => entry.startsWith('long')),
        ['long 1', 'long 1', 'long 1'],
      );
      assert.ok(order.indexOf('short 1') < order.lastIndexOf('long 1'), order.join(', '));
      assert.ok((await bench.rows()).every(({ state }) => state === 'done'));
    },
  );

  each('work within one turn is not interrupted', async (bench) => {
    let runs = 0;
    let steps = 0;
    const worker = bench.process({
      jobs: [
        noteJob('long', async (ctx) => {
          runs += 1;
          await repeatInTurns(ctx, async () => {
            steps += 1;
            return steps < 100;
          });
        }),
      ],
    });
    await bench.enqueue(worker, 'ws_1', manyJobs('long', 1));
    await worker.runner.drain();
    assert.equal([runs, steps], [1, 100]);
  });

  each('a step that fails is an ordinary failed attempt', async (bench) => {
    const worker = bench.process({
      jobs: [
        noteJob('long', async (ctx) => {
          await repeatInTurns(ctx, async () => {
            throw new Error('no');
          });
        }),
      ],
    });
    await bench.enqueue(worker, 'ws_1', manyJobs('long', 1));
    const { failed } = await worker.runner.drain();
    assert.is(failed, 1);
  });
});
