// Leases: when the holder may still write, and what happens to jobs whose holder died or hangs.
// full-run: slow
import * as assert from 'uvu/assert';
import type { JobContext } from '../../core/contract/jobs.ts';
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

await eachDatabase('job leases', (test, place) => {
  const each = (name: string, work: (bench: JobBench) => Promise<void>) =>
    test(name, () => withBench(createJobBench(place), work));

  each('ends a try that takes too long and tries again', async (bench) => {
    let aborted = '';
    const own = bench.process({
      jobs: [
        noteJob(
          'note',
          (context) =>
            new Promise((_, reject) => {
              context.signal.addEventListener('abort', () => {
                aborted = String(context.signal.reason);
                reject(context.signal.reason);
              });
            }),
          { timeoutMs: 10 },
        ),
      ],
    });
    const [id = ''] = await bench.enqueue(own, 'ws_1', manyJobs('note', 1));
    assert.equal(await own.runner.drain(), { ran: 1, failed: 1, left: false });
    assert.match(aborted, /^JobTimedOut: .*time limit/);
    const row = await bench.row(id);
    assert.is(row.state, 'waiting');
    assert.match(row.reason ?? '', /^timeout/);
  });

  each('does not wait for a handler that ignores its signal, and refuses what it writes later', async (bench) => {
    const late = gate();
    const refused = gate();
    const own = bench.process({
      jobs: [
        noteJob(
          'note',
          async (context) => {
            await late.passed;
            await context.complete().catch(refused.open);
          },
          { timeoutMs: 10 },
        ),
      ],
    });
    const [id = ''] = await bench.enqueue(own, 'ws_1', manyJobs('note', 1));
    assert.equal(await own.runner.drain(), { ran: 1, failed: 1, left: false });
    assert.ok(own.log.some(({ level, message }) => level === 'warn' && message.includes('half of its time')));
    late.open();
    await refused.passed;
    assert.is((await bench.row(id)).state, 'waiting');
  });

  each('takes back jobs whose lease ran out, and fences whoever held them', async (bench) => {
    const entered = gate();
    const go = gate();
    const errors: string[] = [];
    const stolen = bench.process({
      jobs: [
        noteJob('note', async (context) => {
          entered.open();
          await go.passed;
          const write =
            (name: string) => async (effects: Parameters<NonNullable<Parameters<JobContext['complete']>[0]>>[0]) => {
              effects.enqueue({ kind: 'note', payload: { note: name } });
            };
          await context.checkpoint(write('checkpoint')).catch((error: Error) => errors.push(error.name));
          await context.retryAt(0, 'x', write('retry')).catch((error: Error) => errors.push(error.name));
          await context.complete(write('complete'));
        }),
      ],
    });
    const [id = ''] = await bench.enqueue(stolen, 'ws_1', manyJobs('note', 1));
    const draining = stolen.runner.drain();
    await entered.passed;
    bench.clock.advance(61_000);
    const taken = gate();
    const release = gate();
    const thief = bench.process({
      jobs: [
        noteJob('note', async () => {
          taken.open();
          await release.passed;
        }),
      ],
    });
    const stealing = thief.runner.drain();
    await taken.passed;
    go.open();
    assert.equal(await draining, { ran: 1, failed: 0, left: false });
    assert.equal(errors, ['JobLeaseLost', 'JobLeaseLost']);
    assert.is((await bench.rows()).length, 1, 'nothing that the old holder wrote was kept');
    assert.equal([(await bench.row(id)).state, (await bench.row(id)).attempt], ['running', 1]);
    release.open();
    assert.equal(await stealing, { ran: 1, failed: 0, left: false });
    assert.is((await bench.row(id)).state, 'done');
    assert.ok(stolen.log.some(({ message }) => message.includes('lost its lease')));
  });

  each(
    'takes back the jobs of a dead process although the clock was set back, and leaves those of a live one',
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
      const [dead = '', held = ''] = await bench.enqueue(alive, 'ws_1', manyJobs('note', 2));
      const draining = alive.runner.drain();
      await entered.passed;
      // Simulate a dead holder of one job: its token becomes one that no process renews.
      await bench.database.transact((scope) =>
        scope
          .handle(everywhere)
          .db.updateTable('jobs')
          .set({ lease_token: 'lease_dead' })
          .where('id', '=', dead)
          .execute(),
      );
      bench.clock.advance(-2 * 3_600_000);
      const thief = bench.process({ leaseMs, jobs: [] });
      await thief.runner.drain({ limit: 0 });
      assert.is((await bench.row(dead)).state, 'running', 'not at first sight: its holder may renew it yet');
      await until(async () => {
        await thief.runner.drain({ limit: 0 });
        return (await bench.row(dead)).state === 'ready';
      });
      assert.is((await bench.row(held)).state, 'running');
      assert.ok(Number((await bench.row(held)).lease_until) <= bench.clock.now() + leaseMs, 'renewed by the new time');
      assert.is(thief.log.filter(({ message }) => message.includes('clock was set back')).length, 1);
      release.open();
      await draining;
      assert.is((await bench.row(held)).state, 'done');
    },
  );

  each('does not begin a claimed job whose lease ran out before its turn', async (bench) => {
    const entered = gate();
    const go = gate();
    const begun: string[] = [];
    const stalled = bench.process({
      concurrency: 2,
      jobs: [
        noteJob('note', async (context) => {
          begun.push(context.jobId);
          entered.open();
          await go.passed;
        }),
      ],
    });
    await bench.enqueue(stalled, 'ws_1', manyJobs('note', 4));
    const draining = stalled.runner.drain({ limit: 3 });
    await entered.passed;
    await until(async () => (await bench.rows()).filter(({ state }) => state === 'running').length > begun.length);
    const held = (await bench.rows()).filter(({ state }) => state === 'running').map(({ id }) => id);
    bench.clock.advance(61_000);
    await bench.process({ jobs: [] }).runner.drain({ limit: 0 });
    go.open();
    const { ran } = await draining;
    const waited = held.filter((id) => !begun.slice(0, 2).includes(id));
    assert.ok(waited.length > 0, 'something was claimed ahead of its turn');
    assert.is(ran, begun.length);
    const told = stalled.log.filter(({ message }) => message.includes('before it began'));
    assert.equal(told.map(({ fields }) => fields.job_id).sort(), [...waited].sort());
  });

  each('does not mark a job done that somebody else holds by now', async (bench) => {
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

  each('keeps a checkpoint when the try fails after it', async (bench) => {
    const own = bench.process({
      jobs: [
        noteJob('note', async (context, note) => {
          if (note === 'mark') return;
          const written = await context.checkpoint(async (effects) =>
            effects.enqueue({ kind: 'note', payload: { note: 'mark' } }),
          );
          assert.match(written, /^job_/);
          throw new Error('after the checkpoint');
        }),
      ],
    });
    await bench.enqueue(own, 'ws_1', manyJobs('note', 1));
    assert.equal(await own.runner.drain(), { ran: 2, failed: 1, left: false });
    assert.equal((await bench.rows()).map(({ state }) => state).sort(), ['done', 'waiting']);
  });

  each('never fails a job for crashes: from the third in a row on, it waits longer and longer', async (bench) => {
    const told: string[] = [];
    const suspect = noteJob('note', async () => undefined, {
      retryDelaysMs: [1],
      async exhausted(_, __, reason) {
        told.push(reason);
      },
    });
    const own = bench.process({ jobs: [suspect] });
    const [id = ''] = await bench.enqueue(own, 'ws_1', manyJobs('note', 1));
    for (let death = 1; death <= 12; death += 1) {
      await bench.database.transact((scope) =>
        scope
          .handle(everywhere)
          .db.updateTable('jobs')
          .set({ state: 'running', attempt: 1, lease_token: `lease_${death}`, lease_until: bench.clock.now() })
          .execute(),
      );
      bench.clock.advance(1);
      await own.runner.drain({ limit: 0 });
      const row = await bench.row(id);
      assert.equal([row.state, row.crashes, row.attempt], [death < 3 ? 'ready' : 'waiting', death, 0]);
      if (death >= 3) assert.ok(row.run_at >= bench.clock.now() + 500);
      if (death >= 10) assert.ok(row.run_at >= bench.clock.now() + 50_000);
    }
    assert.equal(told, []);
    bench.clock.advance(86_400_000);
    await own.runner.drain();
    assert.is((await bench.row(id)).state, 'done');
  });
});
