// The queue on each database: states, attempts, completion and fencing. The jobs belong to the test and run on a
// simulated clock.
// full-run: slow
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { lanes } from '../../core/contract/declaration/jobs.ts';
import { overdueJobs } from '../../core/jobs/overdue.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { eachDatabase } from '../support/databases.ts';
import { createJobBench, type JobBench, manyJobs, noteJob, until } from '../support/job-bench.ts';

const everywhere = unscoped('the test looks at every workspace');

const minute = 60_000;

async function withBench(benchPromise: Promise<JobBench>, work: (bench: JobBench) => Promise<void>): Promise<void> {
  const bench = await benchPromise;
  try {
    await bench.addWorkspace('ws_1');
    await work(bench);
  } finally {
    await bench.close();
  }
}

await eachDatabase('job queue', (test, database) => {
  const each = (name: string, work: (bench: JobBench) => Promise<void>) =>
    test(name, () => withBench(createJobBench(database), work));

  each('a due job runs once and is marked done', async (bench) => {
    const notes: string[] = [];
    const worker = bench.process({
      jobs: [
        noteJob('note', async (ctx, note) => {
          assert.is(ctx.attempt, 1);
          assert.is(ctx.workspace.id, 'ws_1');
          notes.push(note);
        }),
      ],
    });
    await bench.enqueue(worker, 'ws_1', manyJobs('note', 250));
    assert.equal(await worker.runner.drain(), { ran: 250, failed: 0, hasMore: false });
    assert.is(new Set(notes).size, 250);
    assert.is(notes.length, 250);
    for (const row of await bench.rows()) {
      assert.equal([row.state, row.attempt, row.finished_at, row.lease_until], ['done', 1, bench.clock.now(), null]);
    }
    assert.equal(worker.log, []);
  });

  each('a job waits until its time', async (bench) => {
    let runs = 0;
    const worker = bench.process({
      jobs: [
        noteJob('note', async () => {
          runs += 1;
        }),
      ],
    });
    const [id = ''] = await bench.enqueue(worker, 'ws_1', manyJobs('note', 1, { runAt: bench.clock.now() + minute }));
    assert.is((await bench.row(id)).state, 'waiting');
    bench.clock.advance(minute - 1);
    assert.equal(await worker.runner.drain(), { ran: 0, failed: 0, hasMore: false });
    bench.clock.advance(1);
    assert.equal(await worker.runner.drain(), { ran: 1, failed: 0, hasMore: false });
    assert.is(runs, 1);
  });

  each('all due jobs become ready, even if there are more than one statement can update', async (bench) => {
    const worker = bench.process({ jobs: [noteJob('note', async () => undefined)] });
    await bench.enqueue(worker, 'ws_1', manyJobs('note', 600, { runAt: bench.clock.now() + 5 }));
    bench.clock.advance(5);
    assert.is((await worker.runner.drain()).ran, 600);
  });

  each(
    'the writes of complete() are committed with the end of the job, and the job that they enqueue runs',
    async (bench) => {
      const order: string[] = [];
      const worker = bench.process({
        jobs: [
          noteJob('first', (ctx) =>
            ctx.complete(async (tx) => {
              order.push('first');
              tx.enqueue({ kind: 'second', payload: { note: 'x' } });
            }),
          ),
          noteJob('second', async () => void order.push('second')),
        ],
      });
      await bench.enqueue(worker, 'ws_1', manyJobs('first', 1));
      assert.equal(await worker.runner.drain(), { ran: 2, failed: 0, hasMore: false });
      assert.equal(order, ['first', 'second']);
    },
  );

  each('if the work of complete() throws, the end of the job is rolled back', async (bench) => {
    const worker = bench.process({
      jobs: [
        noteJob('note', (ctx) =>
          ctx.complete(async (tx) => {
            tx.enqueue({ kind: 'note', payload: { note: 'never' } });
            throw new Error('no');
          }),
        ),
      ],
    });
    const [id = ''] = await bench.enqueue(worker, 'ws_1', manyJobs('note', 1));
    assert.equal(await worker.runner.drain(), { ran: 1, failed: 1, hasMore: false });
    assert.is((await bench.rows()).length, 1);
    assert.equal([(await bench.row(id)).state, (await bench.row(id)).reason], ['waiting', 'Error: no']);
  });

  each('a job can end only once', async (bench) => {
    let refusal = '';
    const worker = bench.process({
      jobs: [
        noteJob('note', async (ctx) => {
          await ctx.complete();
          await ctx.retryAt(0, 'again').catch((error: Error) => {
            refusal = error.message;
          });
        }),
      ],
    });
    const [id = ''] = await bench.enqueue(worker, 'ws_1', manyJobs('note', 1));
    await worker.runner.drain();
    assert.match(refusal, /already ended/);
    assert.is((await bench.row(id)).state, 'done');
  });

  each(
    'a job is retried at the stated times, then fails, and calls `exhausted` in the same transaction',
    async (bench) => {
      const delays = [30_000, 120_000, 600_000];
      const attempts: number[] = [];
      const reasons: string[] = [];
      const start = bench.clock.now();
      const worker = bench.process({
        jobs: [
          noteJob(
            'note',
            async (ctx) => {
              attempts.push(bench.clock.now() - start);
              throw new Error(`try ${ctx.attempt}`);
            },
            {
              retryDelaysMs: delays,
              async exhausted(ctx, payload, reason) {
                reasons.push(reason);
                ctx.enqueue({ kind: 'note', payload, runAt: bench.clock.now() + 99 * minute });
              },
            },
          ),
        ],
      });
      const [id = ''] = await bench.enqueue(worker, 'ws_1', manyJobs('note', 1));
      await worker.runner.drain();
      for (const delay of delays) {
        bench.clock.advance(delay - 1);
        assert.is((await worker.runner.drain()).ran, 0, `an attempt came before ${delay} ms`);
        bench.clock.advance(1);
        assert.equal(await worker.runner.drain(), { ran: 1, failed: 1, hasMore: false });
      }
      assert.equal(attempts, [0, 30_000, 150_000, 750_000]);
      assert.equal(reasons, ['Error: try 4']);
      const row = await bench.row(id);
      assert.equal([row.state, row.attempt, row.reason], ['failed', 4, 'Error: try 4']);
      assert.is((await bench.rows()).length, 2, 'the writes of `exhausted` were committed');
    },
  );

  each('a job fails even if its `exhausted` throws', async (bench) => {
    const worker = bench.process({
      jobs: [
        noteJob('note', () => Promise.reject(new Error('handler')), {
          retryDelaysMs: [],
          exhausted: () => Promise.reject(new Error('exhausted')),
        }),
      ],
    });
    const [id = ''] = await bench.enqueue(worker, 'ws_1', manyJobs('note', 1));
    await worker.runner.drain();
    assert.equal([(await bench.row(id)).state, (await bench.row(id)).reason], ['failed', 'Error: handler']);
  });

  each('a job is retried at the time that it requests', async (bench) => {
    const attempts: number[] = [];
    const worker = bench.process({
      jobs: [
        noteJob('note', async (ctx) => {
          attempts.push(ctx.attempt);
          if (ctx.attempt < 3) await ctx.retryAt(bench.clock.now() + minute, 'later');
        }),
      ],
    });
    const [id = ''] = await bench.enqueue(worker, 'ws_1', manyJobs('note', 1));
    assert.equal(await worker.runner.drain(), { ran: 1, failed: 0, hasMore: false });
    assert.equal([(await bench.row(id)).state, (await bench.row(id)).reason], ['waiting', 'later']);
    for (let secondAttemptAt = 0; secondAttemptAt < 2; secondAttemptAt += 1) {
      bench.clock.advance(minute);
      await worker.runner.drain();
    }
    assert.equal(attempts, [1, 2, 3]);
    assert.is((await bench.row(id)).state, 'done');
  });

  each('a process never claims jobs of unknown kinds, and logs this once', async (bench) => {
    const larger = { jobs: [noteJob('gone', async () => undefined), noteJob('known', async () => undefined)] };
    const writer = bench.process(larger);
    const requests = [...manyJobs('gone', 40), ...manyJobs('known', 3)];
    const ids = await bench.enqueue(writer, 'ws_1', requests);
    const worker = bench.process({ jobs: [noteJob('known', async () => undefined)], concurrency: 2 });
    assert.equal(await worker.runner.drain(), { ran: 3, failed: 0, hasMore: false });
    for (const id of ids.slice(0, 40)) {
      const row = await bench.row(id);
      assert.equal([row.state, row.attempt, row.lease_token], ['ready', 0, null]);
    }
    await worker.runner.drain();
    assert.is(worker.log.filter(({ message }) => message.includes('no composed plugin')).length, 1);
    const [listedJob] = await worker.runner.list({ state: 'ready', limit: 1 });
    assert.equal(
      [listedJob?.isUnknownKind, (await writer.runner.list({ state: 'ready' }))[0]?.isUnknownKind],
      [true, false],
    );
    const now = bench.clock.now();
    assert.equal((await overdueJobs(bench.database, now, (kind) => kind === 'known')).unknownKinds, new Map());
    bench.clock.advance(2 * minute);
    const overdue = await overdueJobs(bench.database, bench.clock.now(), (kind) => kind === 'known');
    assert.equal(overdue, { since: undefined, unknownKinds: new Map([['gone', 40]]) });
    assert.equal(await writer.runner.drain(), { ran: 40, failed: 0, hasMore: false });
  });

  each('a process without a plugin does not delay the jobs of that plugin in other processes', async (bench) => {
    const runs: string[] = [];
    const kinds = ['new.urgent', 'new.normal', 'new.bulk', 'new.outbound'];
    const jobs = kinds.map((kind, index) =>
      noteJob(kind, async (_, note) => void runs.push(note), { lane: lanes[index] as (typeof lanes)[number] }),
    );
    const older = bench.process({ pollMs: 50 });
    const newer = bench.process({ jobs, pollMs: 50 });
    await older.runner.start({ roles: ['worker'] });
    for (const kind of kinds) await bench.enqueue(newer, 'ws_1', manyJobs(kind, 25));
    await pause(300);
    await newer.runner.start({ roles: ['worker'] });
    await until(() => runs.length === 100);
    assert.ok((await bench.rows()).every(({ attempt, crashes }) => attempt === 1 && crashes === 0));
  });

  each(
    'a job whose payload no longer fits its schema fails, and the error does not contain the payload',
    async (bench) => {
      const worker = bench.process({ jobs: [noteJob('note', async () => undefined)] });
      const [id = ''] = await bench.enqueue(worker, 'ws_1', manyJobs('note', 1));
      await bench.database.transact((scope) =>
        scope.handle(everywhere).db.updateTable('jobs').set({ payload: '{"note":7,"secret":"x"}' }).execute(),
      );
      assert.equal(await worker.runner.drain(), { ran: 1, failed: 1, hasMore: false });
      const row = await bench.row(id);
      assert.equal([row.state, row.reason], ['failed', 'payload_invalid: note: invalid_type']);
    },
  );

  each('a drain starts at most the allowed number of attempts and releases the other jobs at once', async (bench) => {
    const worker = bench.process({ jobs: [noteJob('note', async () => undefined)] });
    await bench.enqueue(worker, 'ws_1', manyJobs('note', 40));
    assert.equal(await worker.runner.drain({ limit: 7 }), { ran: 7, failed: 0, hasMore: true });
    const states = (await bench.rows()).map(({ state, attempt }) => `${state} ${attempt}`);
    assert.equal(
      [states.filter((state) => state === 'done 1').length, states.filter((state) => state === 'ready 0').length],
      [7, 33],
    );
    assert.equal(await worker.runner.drain({ budgetMs: 0 }), { ran: 0, failed: 0, hasMore: true });
    assert.equal(await worker.runner.drain(), { ran: 33, failed: 0, hasMore: false });
  });

  each('failed jobs are listed in pages without payloads, and can be retried', async (bench) => {
    let isBroken = true;
    const worker = bench.process({
      jobs: [
        noteJob(
          'note',
          async () => {
            if (isBroken) throw new Error('broken');
          },
          { retryDelaysMs: [] },
        ),
      ],
    });
    const ids = await bench.enqueue(worker, 'ws_1', manyJobs('note', 5));
    await worker.runner.drain();
    const first = await worker.runner.list({ limit: 3 });
    const [last] = first.slice(-1);
    assert.ok(last !== undefined);
    const second = await worker.runner.list({ limit: 3, before: last });
    assert.equal([...first, ...second].map(({ id }) => id).sort(), ids);
    assert.equal(first[0]?.reason, 'Error: broken');
    assert.not('payload' in last);
    assert.equal(await worker.runner.list({ state: 'done' }), []);
    assert.equal(await worker.runner.list({ workspaceId: 'ws_2' }), []);
    isBroken = false;
    assert.is(await worker.runner.retry(ids[0] ?? ''), true);
    assert.is(await worker.runner.retry('job_of_nobody'), false);
    assert.equal(await worker.runner.drain(), { ran: 1, failed: 0, hasMore: false });
    assert.is(await worker.runner.retry(ids[0] ?? ''), false, 'a job that is done cannot be retried');
  });

  each('a failed job can be retried only if its `exhausted` did not run', async (bench) => {
    const more = { retryDelaysMs: [], exhausted: async () => undefined };
    const worker = bench.process({ jobs: [noteJob('note', () => Promise.reject(new Error('broken')), more)] });
    const [jobId = ''] = await bench.enqueue(worker, 'ws_1', manyJobs('note', 1));
    const [invalid = ''] = await bench.enqueue(worker, 'ws_1', manyJobs('note', 1));
    await bench.database.transact((scope) =>
      scope.handle(everywhere).db.updateTable('jobs').set({ payload: '{}' }).where('id', '=', invalid).execute(),
    );
    await worker.runner.drain();
    assert.equal(
      (await bench.rows()).map(({ state }) => state),
      ['failed', 'failed'],
    );
    assert.is(await worker.runner.retry(jobId), false);
    assert.is((await bench.row(jobId)).state, 'failed');
    assert.is(await worker.runner.retry(invalid), true);
    assert.is((await bench.row(invalid)).state, 'ready');
  });

  each('the jobs of a suspended workspace wait without an attempt until it is resumed', async (bench) => {
    const runs: string[] = [];
    const worker = bench.process({
      jobs: [
        noteJob('note', async (ctx) => {
          runs.push(`${ctx.workspace.id} ${ctx.attempt}`);
        }),
      ],
    });
    const suspend = (at: number | null) =>
      bench.database.transact((scope) =>
        scope
          .handle(everywhere)
          .db.updateTable('workspaces')
          .set({ suspended_at: at })
          .where('id', '=', 'ws_1')
          .execute(),
      );
    const [id = ''] = await bench.enqueue(worker, 'ws_1', manyJobs('note', 1));
    await bench.addWorkspace('ws_2');
    await bench.enqueue(worker, 'ws_2', manyJobs('note', 1));
    await suspend(bench.clock.now());
    for (let round = 0; round < 3; round += 1) {
      assert.equal(await worker.runner.drain(), { ran: round === 0 ? 1 : 0, failed: 0, hasMore: false });
      const row = await bench.row(id);
      assert.equal([row.state, row.attempt, row.run_at], ['waiting', 0, bench.clock.now() + 300_000]);
      bench.clock.advance(300_000);
    }
    await suspend(null);
    await worker.runner.drain();
    assert.equal(runs, ['ws_2 1', 'ws_1 1']);
  });

  each('the phases are reported in order, and `finishing` comes before the commit', async (bench) => {
    const seen: string[] = [];
    const worker = bench.process({
      jobs: [noteJob('ack', async () => undefined), noteJob('complete', (ctx) => ctx.complete())],
      onPhase: (phase, id) => seen.push(`${phase} ${id}`),
    });
    const ids = [
      ...(await bench.enqueue(worker, 'ws_1', manyJobs('ack', 1))),
      ...(await bench.enqueue(worker, 'ws_1', manyJobs('complete', 1))),
    ];
    await worker.runner.drain();
    for (const id of ids) {
      const phases = seen.filter((line) => line.endsWith(id)).map((line) => line.split(' ')[0]);
      assert.equal(phases, ['job.claimed', 'job.started', 'job.finishing', 'job.finished']);
    }
  });

  each('a job fails if its workspace was deleted', async (bench) => {
    const worker = bench.process({ jobs: [noteJob('note', async () => undefined)] });
    const [id = ''] = await bench.enqueue(worker, 'ws_gone', manyJobs('note', 1));
    await worker.runner.drain();
    assert.equal([(await bench.row(id)).state, (await bench.row(id)).reason], ['failed', 'workspace_missing']);
  });
});
