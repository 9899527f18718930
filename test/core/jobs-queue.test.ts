// The queue on each database: states, attempts, completion and fencing. The jobs belong to the test and run on a
// simulated clock.
// full-run: slow
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { lanes } from '../../core/contract/jobs.ts';
import { overdueJobs } from '../../core/jobs/overdue.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { eachDatabase } from '../support/databases.ts';
import { createJobBench, type JobBench, manyJobs, noteJob, until } from '../support/job-bench.ts';

const everywhere = unscoped('the test looks at every workspace');

const minute = 60_000;

async function withBench(making: Promise<JobBench>, work: (bench: JobBench) => Promise<void>): Promise<void> {
  const bench = await making;
  try {
    await bench.addWorkspace('ws_1');
    await work(bench);
  } finally {
    await bench.close();
  }
}

await eachDatabase('job queue', (test, place) => {
  const each = (name: string, work: (bench: JobBench) => Promise<void>) =>
    test(name, () => withBench(createJobBench(place), work));

  each('runs what is due once and marks it done', async (bench) => {
    const seen: string[] = [];
    const own = bench.process({
      jobs: [
        noteJob('note', async (context, note) => {
          assert.is(context.attempt, 1);
          assert.is(context.workspace.id, 'ws_1');
          seen.push(note);
        }),
      ],
    });
    await bench.enqueue(own, 'ws_1', manyJobs('note', 250));
    assert.equal(await own.runner.drain(), { ran: 250, failed: 0, left: false });
    assert.is(new Set(seen).size, 250);
    assert.is(seen.length, 250);
    for (const row of await bench.rows()) {
      assert.equal([row.state, row.attempt, row.finished_at, row.lease_until], ['done', 1, bench.clock.now(), null]);
    }
    assert.equal(own.log, []);
  });

  each('keeps a job waiting until its time', async (bench) => {
    let runs = 0;
    const own = bench.process({
      jobs: [
        noteJob('note', async () => {
          runs += 1;
        }),
      ],
    });
    const [id = ''] = await bench.enqueue(own, 'ws_1', manyJobs('note', 1, { runAt: bench.clock.now() + minute }));
    assert.is((await bench.row(id)).state, 'waiting');
    bench.clock.advance(minute - 1);
    assert.equal(await own.runner.drain(), { ran: 0, failed: 0, left: false });
    bench.clock.advance(1);
    assert.equal(await own.runner.drain(), { ran: 1, failed: 0, left: false });
    assert.is(runs, 1);
  });

  each('promotes more waiting jobs than one statement takes', async (bench) => {
    const own = bench.process({ jobs: [noteJob('note', async () => undefined)] });
    await bench.enqueue(own, 'ws_1', manyJobs('note', 600, { runAt: bench.clock.now() + 5 }));
    bench.clock.advance(5);
    assert.is((await own.runner.drain()).ran, 600);
  });

  each('commits what complete writes with the end of the job, and runs the job that it causes', async (bench) => {
    const order: string[] = [];
    const own = bench.process({
      jobs: [
        noteJob('first', (context) =>
          context.complete(async (effects) => {
            order.push('first');
            effects.enqueue({ kind: 'second', payload: { note: 'x' } });
          }),
        ),
        noteJob('second', async () => void order.push('second')),
      ],
    });
    await bench.enqueue(own, 'ws_1', manyJobs('first', 1));
    assert.equal(await own.runner.drain(), { ran: 2, failed: 0, left: false });
    assert.equal(order, ['first', 'second']);
  });

  each('rolls the end back with work that throws', async (bench) => {
    const own = bench.process({
      jobs: [
        noteJob('note', (context) =>
          context.complete(async (effects) => {
            effects.enqueue({ kind: 'note', payload: { note: 'never' } });
            throw new Error('no');
          }),
        ),
      ],
    });
    const [id = ''] = await bench.enqueue(own, 'ws_1', manyJobs('note', 1));
    assert.equal(await own.runner.drain(), { ran: 1, failed: 1, left: false });
    assert.is((await bench.rows()).length, 1);
    assert.equal([(await bench.row(id)).state, (await bench.row(id)).reason], ['waiting', 'Error: no']);
  });

  each('refuses a second end', async (bench) => {
    let refusal = '';
    const own = bench.process({
      jobs: [
        noteJob('note', async (context) => {
          await context.complete();
          await context.retryAt(0, 'again').catch((error: Error) => {
            refusal = error.message;
          });
        }),
      ],
    });
    const [id = ''] = await bench.enqueue(own, 'ws_1', manyJobs('note', 1));
    await own.runner.drain();
    assert.match(refusal, /ended already/);
    assert.is((await bench.row(id)).state, 'done');
  });

  each('tries again at the stated times, then fails and says so in the same transaction', async (bench) => {
    const delays = [30_000, 120_000, 600_000];
    const tries: number[] = [];
    const told: string[] = [];
    const start = bench.clock.now();
    const own = bench.process({
      jobs: [
        noteJob(
          'note',
          async (context) => {
            tries.push(bench.clock.now() - start);
            throw new Error(`try ${context.attempt}`);
          },
          {
            retryDelaysMs: delays,
            async exhausted(effects, payload, reason) {
              told.push(reason);
              effects.enqueue({ kind: 'note', payload, runAt: bench.clock.now() + 99 * minute });
            },
          },
        ),
      ],
    });
    const [id = ''] = await bench.enqueue(own, 'ws_1', manyJobs('note', 1));
    await own.runner.drain();
    for (const delay of delays) {
      bench.clock.advance(delay - 1);
      assert.is((await own.runner.drain()).ran, 0, `a try came before ${delay} ms`);
      bench.clock.advance(1);
      assert.equal(await own.runner.drain(), { ran: 1, failed: 1, left: false });
    }
    assert.equal(tries, [0, 30_000, 150_000, 750_000]);
    assert.equal(told, ['Error: try 4']);
    const row = await bench.row(id);
    assert.equal([row.state, row.attempt, row.reason], ['failed', 4, 'Error: try 4']);
    assert.is((await bench.rows()).length, 2, 'what exhausted wrote is there');
  });

  each('fails a job even when its exhausted throws', async (bench) => {
    const own = bench.process({
      jobs: [
        noteJob('note', () => Promise.reject(new Error('handler')), {
          retryDelaysMs: [],
          exhausted: () => Promise.reject(new Error('exhausted')),
        }),
      ],
    });
    const [id = ''] = await bench.enqueue(own, 'ws_1', manyJobs('note', 1));
    await own.runner.drain();
    assert.equal([(await bench.row(id)).state, (await bench.row(id)).reason], ['failed', 'Error: handler']);
  });

  each('puts a job back at the time it asks for', async (bench) => {
    const attempts: number[] = [];
    const own = bench.process({
      jobs: [
        noteJob('note', async (context) => {
          attempts.push(context.attempt);
          if (context.attempt < 3) await context.retryAt(bench.clock.now() + minute, 'later');
        }),
      ],
    });
    const [id = ''] = await bench.enqueue(own, 'ws_1', manyJobs('note', 1));
    assert.equal(await own.runner.drain(), { ran: 1, failed: 0, left: false });
    assert.equal([(await bench.row(id)).state, (await bench.row(id)).reason], ['waiting', 'later']);
    for (let again = 0; again < 2; again += 1) {
      bench.clock.advance(minute);
      await own.runner.drain();
    }
    assert.equal(attempts, [1, 2, 3]);
    assert.is((await bench.row(id)).state, 'done');
  });

  each('never claims jobs of kinds that it does not know, and says so once', async (bench) => {
    const larger = { jobs: [noteJob('gone', async () => undefined), noteJob('known', async () => undefined)] };
    const writer = bench.process(larger);
    const requests = [...manyJobs('gone', 40), ...manyJobs('known', 3)];
    const ids = await bench.enqueue(writer, 'ws_1', requests);
    const own = bench.process({ jobs: [noteJob('known', async () => undefined)], concurrency: 2 });
    assert.equal(await own.runner.drain(), { ran: 3, failed: 0, left: false });
    for (const id of ids.slice(0, 40)) {
      const row = await bench.row(id);
      assert.equal([row.state, row.attempt, row.lease_token], ['ready', 0, null]);
    }
    await own.runner.drain();
    assert.is(own.log.filter(({ message }) => message.includes('no composed plugin')).length, 1);
    const [shown] = await own.runner.list({ state: 'ready', limit: 1 });
    assert.equal([shown?.isForeign, (await writer.runner.list({ state: 'ready' }))[0]?.isForeign], [true, false]);
    const now = bench.clock.now();
    assert.equal((await overdueJobs(bench.database, now, (kind) => kind === 'known')).foreign, new Map());
    bench.clock.advance(2 * minute);
    const overdue = await overdueJobs(bench.database, bench.clock.now(), (kind) => kind === 'known');
    assert.equal(overdue, { since: undefined, foreign: new Map([['gone', 40]]) });
    assert.equal(await writer.runner.drain(), { ran: 40, failed: 0, left: false });
  });

  each('a process that lacks a plugin does not hold up one that has it', async (bench) => {
    const ran: string[] = [];
    const kinds = ['new.urgent', 'new.normal', 'new.bulk', 'new.outbound'];
    const jobs = kinds.map((kind, index) =>
      noteJob(kind, async (_, note) => void ran.push(note), { lane: lanes[index] as (typeof lanes)[number] }),
    );
    const older = bench.process({ pollMs: 50 });
    const newer = bench.process({ jobs, pollMs: 50 });
    await older.runner.start({ roles: ['worker'] });
    for (const kind of kinds) await bench.enqueue(newer, 'ws_1', manyJobs(kind, 25));
    await pause(300);
    await newer.runner.start({ roles: ['worker'] });
    await until(() => ran.length === 100);
    assert.ok((await bench.rows()).every(({ attempt, crashes }) => attempt === 1 && crashes === 0));
  });

  each('fails a job whose payload no longer fits, without showing it', async (bench) => {
    const own = bench.process({ jobs: [noteJob('note', async () => undefined)] });
    const [id = ''] = await bench.enqueue(own, 'ws_1', manyJobs('note', 1));
    await bench.database.transact((scope) =>
      scope.handle(everywhere).db.updateTable('jobs').set({ payload: '{"note":7,"secret":"x"}' }).execute(),
    );
    assert.equal(await own.runner.drain(), { ran: 1, failed: 1, left: false });
    const row = await bench.row(id);
    assert.equal([row.state, row.reason], ['failed', 'payload_invalid: note: invalid_type']);
  });

  each('begins no more tries than it is allowed, and gives the rest back at once', async (bench) => {
    const own = bench.process({ jobs: [noteJob('note', async () => undefined)] });
    await bench.enqueue(own, 'ws_1', manyJobs('note', 40));
    assert.equal(await own.runner.drain({ limit: 7 }), { ran: 7, failed: 0, left: true });
    const states = (await bench.rows()).map(({ state, attempt }) => `${state} ${attempt}`);
    assert.equal(
      [states.filter((state) => state === 'done 1').length, states.filter((state) => state === 'ready 0').length],
      [7, 33],
    );
    assert.equal(await own.runner.drain({ budgetMs: 0 }), { ran: 0, failed: 0, left: true });
    assert.equal(await own.runner.drain(), { ran: 33, failed: 0, left: false });
  });

  each('lists what failed without payloads, page by page, and revives it', async (bench) => {
    let broken = true;
    const own = bench.process({
      jobs: [
        noteJob(
          'note',
          async () => {
            if (broken) throw new Error('broken');
          },
          { retryDelaysMs: [] },
        ),
      ],
    });
    const ids = await bench.enqueue(own, 'ws_1', manyJobs('note', 5));
    await own.runner.drain();
    const first = await own.runner.list({ limit: 3 });
    const [last] = first.slice(-1);
    assert.ok(last !== undefined);
    const second = await own.runner.list({ limit: 3, before: last });
    assert.equal([...first, ...second].map(({ id }) => id).sort(), ids);
    assert.equal(first[0]?.reason, 'Error: broken');
    assert.not('payload' in last);
    assert.equal(await own.runner.list({ state: 'done' }), []);
    assert.equal(await own.runner.list({ workspaceId: 'ws_2' }), []);
    broken = false;
    assert.is(await own.runner.retry(ids[0] ?? ''), true);
    assert.is(await own.runner.retry('job_of_nobody'), false);
    assert.equal(await own.runner.drain(), { ran: 1, failed: 0, left: false });
    assert.is(await own.runner.retry(ids[0] ?? ''), false, 'a job that is done is not revived');
  });

  each('does not revive what its exhausted has ended, but what never came to it', async (bench) => {
    const more = { retryDelaysMs: [], exhausted: async () => undefined };
    const own = bench.process({ jobs: [noteJob('note', () => Promise.reject(new Error('broken')), more)] });
    const [given = ''] = await bench.enqueue(own, 'ws_1', manyJobs('note', 1));
    const [invalid = ''] = await bench.enqueue(own, 'ws_1', manyJobs('note', 1));
    await bench.database.transact((scope) =>
      scope.handle(everywhere).db.updateTable('jobs').set({ payload: '{}' }).where('id', '=', invalid).execute(),
    );
    await own.runner.drain();
    assert.equal(
      (await bench.rows()).map(({ state }) => state),
      ['failed', 'failed'],
    );
    assert.is(await own.runner.retry(given), false);
    assert.is((await bench.row(given)).state, 'failed');
    assert.is(await own.runner.retry(invalid), true);
    assert.is((await bench.row(invalid)).state, 'ready');
  });

  each('leaves the jobs of a suspended workspace waiting, untried, until it is resumed', async (bench) => {
    const ran: string[] = [];
    const own = bench.process({
      jobs: [
        noteJob('note', async (context) => {
          ran.push(`${context.workspace.id} ${context.attempt}`);
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
    const [id = ''] = await bench.enqueue(own, 'ws_1', manyJobs('note', 1));
    await bench.addWorkspace('ws_2');
    await bench.enqueue(own, 'ws_2', manyJobs('note', 1));
    await suspend(bench.clock.now());
    for (let round = 0; round < 3; round += 1) {
      assert.equal(await own.runner.drain(), { ran: round === 0 ? 1 : 0, failed: 0, left: false });
      const row = await bench.row(id);
      assert.equal([row.state, row.attempt, row.run_at], ['waiting', 0, bench.clock.now() + 300_000]);
      bench.clock.advance(300_000);
    }
    await suspend(null);
    await own.runner.drain();
    assert.equal(ran, ['ws_2 1', 'ws_1 1']);
  });

  each('calls the phases in their order, the finishing one before the commit', async (bench) => {
    const seen: string[] = [];
    const own = bench.process({
      jobs: [noteJob('ack', async () => undefined), noteJob('complete', (context) => context.complete())],
      onPhase: (phase, id) => seen.push(`${phase} ${id}`),
    });
    const ids = [
      ...(await bench.enqueue(own, 'ws_1', manyJobs('ack', 1))),
      ...(await bench.enqueue(own, 'ws_1', manyJobs('complete', 1))),
    ];
    await own.runner.drain();
    for (const id of ids) {
      const phases = seen.filter((line) => line.endsWith(id)).map((line) => line.split(' ')[0]);
      assert.equal(phases, ['job.claimed', 'job.started', 'job.finishing', 'job.finished']);
    }
  });

  each('fails a job whose workspace is gone', async (bench) => {
    const own = bench.process({ jobs: [noteJob('note', async () => undefined)] });
    const [id = ''] = await bench.enqueue(own, 'ws_gone', manyJobs('note', 1));
    await own.runner.drain();
    assert.equal([(await bench.row(id)).state, (await bench.row(id)).reason], ['failed', 'workspace_missing']);
  });
});
