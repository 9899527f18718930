// Leases: when their holder may still write, and what happens to jobs whose holder died or hangs.
// full-run: slow
import * as assert from 'uvu/assert';
import type { JobContext } from '../../core/contract/declaration/jobs.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { eachDatabase } from '../support/databases.ts';
import { createJobBench, gate, type JobBench, manyJobs, noteJob, until } from '../support/job-bench.ts';

const everywhere = unscoped('the test looks at every workspace');

async function withBench(making: Promise<JobBench>, work: (bench: JobBench) => Promise<void>): Promise<void> {
  const bench = await making;
  try {
    await bench.addWorkspace('ws_1');
    await work(bench);
  } finally {
    await bench.close();
  }
}

await eachDatabase('job leases', (test, database) => {
  const each = (name: string, work: (bench: JobBench) => Promise<void>) =>
    test(name, () => withBench(createJobBench(database), work));

  each('an attempt that takes too long is aborted and retried', async (bench) => {
    let abortReason = '';
    const benchProcess = bench.process({
      jobs: [
        noteJob(
          'note',
          (ctx) =>
            new Promise((_, reject) => {
              ctx.signal.addEventListener('abort', () => {
                abortReason = String(ctx.signal.reason);
                reject(ctx.signal.reason);
              });
            }),
          { timeoutMs: 10 },
        ),
      ],
    });
    const [id = ''] = await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 1));
    assert.equal(await benchProcess.runner.drain(), { ran: 1, failed: 1, hasMore: false });
    assert.match(abortReason, /^JobTimedOut: .*time limit/);
    const row = await bench.row(id);
    assert.is(row.state, 'waiting');
    assert.match(row.reason ?? '', /^timeout/);
  });

  each(
    'the queue does not wait for a handler that ignores its signal, and refuses later writes of this handler',
    async (bench) => {
      const mayWrite = gate();
      const refusal = gate();
      const benchProcess = bench.process({
        jobs: [
          noteJob(
            'note',
            async (ctx) => {
              await mayWrite.passed;
              await ctx.complete().catch(refusal.open);
            },
            { timeoutMs: 10 },
          ),
        ],
      });
      const [id = ''] = await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 1));
      assert.equal(await benchProcess.runner.drain(), { ran: 1, failed: 1, hasMore: false });
      assert.ok(
        benchProcess.log.some(({ level, message }) => level === 'warn' && message.includes('half of its time')),
      );
      mayWrite.open();
      await refusal.passed;
      assert.is((await bench.row(id)).state, 'waiting');
    },
  );

  each('a job with an expired lease becomes ready again, and its former holder can no longer write', async (bench) => {
    const entered = gate();
    const go = gate();
    const errors: string[] = [];
    const stolen = bench.process({
      jobs: [
        noteJob('note', async (ctx) => {
          entered.open();
          await go.passed;
          const write =
            (name: string) => async (tx: Parameters<NonNullable<Parameters<JobContext['complete']>[0]>>[0]) => {
              tx.enqueue({ kind: 'note', payload: { note: name } });
            };
          await ctx.checkpoint(write('checkpoint')).catch((error: Error) => errors.push(error.name));
          await ctx.retryAt(0, 'x', write('retry')).catch((error: Error) => errors.push(error.name));
          await ctx.complete(write('complete'));
        }),
      ],
    });
    const [id = ''] = await bench.enqueue(stolen, 'ws_1', manyJobs('note', 1));
    const draining = stolen.runner.drain();
    await entered.passed;
    bench.clock.advance(61_000);
    const secondHolder = gate();
    const release = gate();
    const secondProcess = bench.process({
      jobs: [
        noteJob('note', async () => {
          secondHolder.open();
          await release.passed;
        }),
      ],
    });
    const secondDrain = secondProcess.runner.drain();
    await secondHolder.passed;
    go.open();
    assert.equal(await draining, { ran: 1, failed: 0, hasMore: false });
    assert.equal(errors, ['JobLeaseLost', 'JobLeaseLost']);
    assert.is((await bench.rows()).length, 1, 'the former holder stored something');
    assert.equal([(await bench.row(id)).state, (await bench.row(id)).attempt], ['running', 1]);
    release.open();
    assert.equal(await secondDrain, { ran: 1, failed: 0, hasMore: false });
    assert.is((await bench.row(id)).state, 'done');
    assert.ok(stolen.log.some(({ message }) => message.includes('lost its lease')));
  });

  each(
    'jobs of a dead process become ready again even after the clock is set back, and jobs of a live process stay claimed',
    async (bench) => {
      const leaseMs = 300;
      const release = gate();
      const entered = gate();
      let holding = 0;
      const jobs = [
        noteJob('note', async () => {
          holding += 1;
          if (holding === 2) entered.open();
          await release.passed;
        }),
      ];
      const alive = bench.process({ leaseMs, jobs });
      const [deadJob = '', liveJob = ''] = await bench.enqueue(alive, 'ws_1', manyJobs('note', 2));
      const draining = alive.runner.drain();
      await entered.passed;
      // One job gets a dead holder: its token is replaced by a token that no process renews.
      await bench.database.transact((scope) =>
        scope
          .handle(everywhere)
          .db.updateTable('jobs')
          .set({ lease_token: 'lease_dead' })
          .where('id', '=', deadJob)
          .execute(),
      );
      bench.clock.advance(-2 * 3_600_000);
      const thief = bench.process({ leaseMs, jobs: [] });
      await thief.runner.drain({ limit: 0 });
      assert.is(
        (await bench.row(deadJob)).state,
        'running',
        'the job is not released at the first check, because its holder may still renew it',
      );
      await until(async () => {
        await thief.runner.drain({ limit: 0 });
        return (await bench.row(deadJob)).state === 'ready';
      });
      assert.is((await bench.row(liveJob)).state, 'running');
      assert.ok(
        Number((await bench.row(liveJob)).lease_until) <= bench.clock.now() + leaseMs,
        'the lease is renewed by the new time',
      );
      assert.is(thief.log.filter(({ message }) => message.includes('clock was set back')).length, 1);
      release.open();
      await draining;
      assert.is((await bench.row(liveJob)).state, 'done');
    },
  );

  each('a claimed job whose lease expires before its turn is not started', async (bench) => {
    const entered = gate();
    const go = gate();
    const startedIds: string[] = [];
    const stalledProcess = bench.process({
      concurrency: 2,
      jobs: [
        noteJob('note', async (ctx) => {
          startedIds.push(ctx.jobId);
          entered.open();
          await go.passed;
        }),
      ],
    });
    await bench.enqueue(stalledProcess, 'ws_1', manyJobs('note', 4));
    const draining = stalledProcess.runner.drain({ limit: 3 });
    await entered.passed;
    await until(async () => (await bench.rows()).filter(({ state }) => state === 'running').length > startedIds.length);
    const runningIds = (await bench.rows()).filter(({ state }) => state === 'running').map(({ id }) => id);
    bench.clock.advance(61_000);
    await bench.process({ jobs: [] }).runner.drain({ limit: 0 });
    go.open();
    const { ran } = await draining;
    const waitingIds = runningIds.filter((id) => !startedIds.slice(0, 2).includes(id));
    assert.ok(waitingIds.length > 0, 'no job was claimed in advance');
    assert.is(ran, startedIds.length);
    const warnings = stalledProcess.log.filter(({ message }) => message.includes('before it began'));
    assert.equal(warnings.map(({ fields }) => fields.job_id).sort(), [...waitingIds].sort());
  });

  each('a job that another process now holds is not marked as done', async (bench) => {
    const entered = gate();
    const go = gate();
    const slow = bench.process({
      jobs: [
        noteJob('note', async () => {
          entered.open();
          await go.passed;
        }),
      ],
    });
    const [id = ''] = await bench.enqueue(slow, 'ws_1', manyJobs('note', 1));
    const draining = slow.runner.drain();
    await entered.passed;
    await bench.database.transact((scope) =>
      scope.handle(everywhere).db.updateTable('jobs').set({ lease_token: 'lease_of_another' }).execute(),
    );
    go.open();
    await draining;
    assert.equal([(await bench.row(id)).state, (await bench.row(id)).lease_token], ['running', 'lease_of_another']);
  });

  each('if an attempt fails after a checkpoint, the checkpoint is kept', async (bench) => {
    const benchProcess = bench.process({
      jobs: [
        noteJob('note', async (ctx, note) => {
          if (note === 'mark') return;
          const checkpointResult = await ctx.checkpoint(async (tx) =>
            tx.enqueue({ kind: 'note', payload: { note: 'mark' } }),
          );
          assert.match(checkpointResult, /^job_/);
          throw new Error('after the checkpoint');
        }),
      ],
    });
    await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 1));
    assert.equal(await benchProcess.runner.drain(), { ran: 2, failed: 1, hasMore: false });
    assert.equal((await bench.rows()).map(({ state }) => state).sort(), ['done', 'waiting']);
  });

  each(
    'crashes never make a job fail, and from the third crash in a row the job waits longer each time',
    async (bench) => {
      const warnings: string[] = [];
      const suspect = noteJob('note', async () => undefined, {
        retryDelaysMs: [1],
        async exhausted(_, __, reason) {
          warnings.push(reason);
        },
      });
      const benchProcess = bench.process({ jobs: [suspect] });
      const [id = ''] = await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 1));
      for (let death = 1; death <= 12; death += 1) {
        await bench.database.transact((scope) =>
          scope
            .handle(everywhere)
            .db.updateTable('jobs')
            .set({ state: 'running', attempt: 1, lease_token: `lease_${death}`, lease_until: bench.clock.now() })
            .execute(),
        );
        bench.clock.advance(1);
        await benchProcess.runner.drain({ limit: 0 });
        const row = await bench.row(id);
        assert.equal([row.state, row.crashes, row.attempt], [death < 3 ? 'ready' : 'waiting', death, 0]);
        if (death >= 3) assert.ok(row.run_at >= bench.clock.now() + 500);
        if (death >= 10) assert.ok(row.run_at >= bench.clock.now() + 50_000);
      }
      assert.equal(warnings, []);
      bench.clock.advance(86_400_000);
      await benchProcess.runner.drain();
      assert.is((await bench.row(id)).state, 'done');
    },
  );
});
