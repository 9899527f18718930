// The lane `outbound`, whose jobs wait for other servers, and jobs that end together: their order, the number of running jobs for each
// key, a hanging key that hardly delays the others, and deferred batch writes that happen once or not at all.
// full-run: slow
import * as assert from 'uvu/assert';
import { defineStatement } from '../../core/contract/context/handle.ts';
import { StorageError } from '../../core/contract/ports/storage.ts';
import { Outbound } from '../../core/jobs/outbound.ts';
import { setInterests } from '../../core/pipeline/event-interests.ts';
import { oneSide, unscoped } from '../../core/storage/scope.ts';
import { eachDatabase } from '../support/databases.ts';
import { createJobBench, gate, type JobBench, manyJobs, noteJob } from '../support/job-bench.ts';

const everywhere = unscoped('the test looks at every workspace');

/** A deferred write that can be counted, and that the database refuses the second time */
const insertMark = defineStatement((db, p: { pattern: string; consumer: string; subscriberId: string }) =>
  db.insertInto('event_interests').values({ pattern: p.pattern, consumer: p.consumer, subject: p.subscriberId }),
);
const mark = (pattern: string) => ({ pattern, consumer: 'marks', subscriberId: 'mark' });

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let checks = 0; checks < 1_000; checks += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('The expected state was not reached.');
}

const requests = (concurrencyKey: string, count: number) =>
  manyJobs('post', count).map((job) => ({ ...job, concurrencyKey }));

await eachDatabase('outbound jobs', (test, database) => {
  const each = (name: string, run: (bench: JobBench) => Promise<void>): void =>
    test(name, async () => {
      const bench = await createJobBench(database);
      try {
        await bench.addWorkspace('ws_1');
        await run(bench);
      } finally {
        await bench.close();
      }
    });
  const marksOf = (bench: JobBench) =>
    bench.database.read('ws_1', async ({ db }) =>
      (
        await db
          .selectFrom('event_interests')
          .select('pattern')
          .where('workspace_id', '=', 'ws_1')
          .where('consumer', '=', 'marks')
          .orderBy('pattern')
          .execute()
      ).map(({ pattern }) => pattern),
    );

  each('hanging jobs use no slot of other lanes, and at most ten jobs of a key run', async (bench) => {
    const go = gate();
    const running = new Map<string, number>();
    let peak = 0;
    const posts: string[] = [];
    const benchProcess = bench.process({
      concurrency: 2,
      jobs: [
        noteJob(
          'post',
          async (context) => {
            const key = (await bench.row(context.jobId)).concurrency_key ?? '';
            running.set(key, (running.get(key) ?? 0) + 1);
            peak = Math.max(peak, running.get(key) ?? 0);
            if (key === 'hanging') await go.passed;
            posts.push(key);
            running.set(key, (running.get(key) ?? 0) - 1);
          },
          { lane: 'outbound' },
        ),
        noteJob('note', async () => void posts.push('mail')),
      ],
    });
    await bench.enqueue(benchProcess, 'ws_1', [
      ...requests('hanging', 40),
      ...requests('live', 25),
      ...manyJobs('note', 5),
    ]);
    await benchProcess.runner.start();
    await until(() => posts.length === 30);
    assert.equal([posts.includes('hanging'), running.get('hanging')], [false, 10]);
    go.open();
    await until(() => posts.length === 70);
    assert.is(peak, 10);
  });

  each('a key belongs to one process at a time', async (bench) => {
    const go = gate();
    const runs: string[] = [];
    const processOf = (name: string) =>
      bench.process({
        jobs: [
          noteJob(
            'post',
            async () => {
              runs.push(name);
              if (name === 'first') await go.passed;
            },
            { lane: 'outbound' },
          ),
        ],
      });
    const [first, second] = [processOf('first'), processOf('second')];
    await bench.enqueue(first, 'ws_1', requests('one', 100));
    await first.runner.start();
    await until(() => runs.length === 10);
    const { ran: ranElsewhere, hasMore } = await second.runner.drain();
    assert.equal([ranElsewhere, hasMore, runs.length], [0, true, 10]);
    go.open();
    await until(() => runs.length === 100);
    assert.not.ok(runs.includes('second'));
  });

  each('deferred writes of many jobs are committed together, each with the end of its job', async (bench) => {
    const benchProcess = bench.process({
      jobs: [
        noteJob(
          'note',
          async (context, note) =>
            await context.complete(({ trx }) => trx.defer(insertMark, mark(note)), { batched: true }),
        ),
      ],
    });
    const ids = await bench.enqueue(
      benchProcess,
      'ws_1',
      ['a', 'b', 'c'].map((note) => ({ kind: 'note', payload: { note } })),
    );
    await benchProcess.runner.drain();
    assert.equal(await marksOf(bench), ['a', 'b', 'c']);
    for (const id of ids) assert.is((await bench.row(id)).state, 'done');
  });

  each('if the database refuses a deferred write, only its job is retried', async (bench) => {
    const benchProcess = bench.process({
      jobs: [
        noteJob('note', async (context, note) =>
          context.complete(({ trx }) => trx.defer(insertMark, mark(note === 'twice' ? 'a' : note)), { batched: true }),
        ),
      ],
    });
    await bench.database.transact((scope) => setInterests(scope.handle(oneSide('ws_1', false)), mark('a'), ['a']));
    const ids = await bench.enqueue(
      benchProcess,
      'ws_1',
      ['twice', 'b', 'c'].map((note) => ({ kind: 'note', payload: { note } })),
    );
    await benchProcess.runner.drain();
    const states = await Promise.all(ids.map(async (id) => (await bench.row(id)).state));
    assert.equal(states, ['waiting', 'done', 'done']);
    assert.equal(await marksOf(bench), ['a', 'b', 'c']);
    assert.ok(benchProcess.log.some(({ level, message }) => level === 'error' && /refused/.test(message)));
  });

  each(
    'a deferred write that is always refused counts as an attempt, and the last attempt makes the job fail',
    async (bench) => {
      let handlerRuns = 0;
      const releases: string[] = [];
      const benchProcess = bench.process({
        jobs: [
          noteJob(
            'note',
            async (context, note) => {
              handlerRuns += 1;
              await context.complete(
                async ({ trx }) => void (await trx.run(insertMark, mark(note === 'twice' ? 'a' : note))),
                { shared: true },
              );
            },
            { retryDelaysMs: [0, 0], exhausted: async (_, __, reason) => void releases.push(reason) },
          ),
        ],
      });
      await bench.database.transact((scope) => setInterests(scope.handle(oneSide('ws_1', false)), mark('a'), ['a']));
      const [id = '', otherId = ''] = await bench.enqueue(
        benchProcess,
        'ws_1',
        ['twice', 'b'].map((note) => ({ kind: 'note', payload: { note } })),
      );
      await benchProcess.runner.drain();
      const { state, attempt } = await bench.row(id);
      assert.equal([state, Number(attempt), handlerRuns, releases.length], ['failed', 3, 4, 1]);
      assert.equal([(await bench.row(otherId)).state, await marksOf(bench)], ['done', ['a', 'b']]);
    },
  );

  each(
    'if the database disconnects between deferred writes, the writes that were committed one by one are not repeated',
    async (bench) => {
      const all = gate();
      let handed = 0;
      let [isRefused, isWritten, isAway] = [false, false, false];
      const writes: string[] = [];
      const benchProcess = bench.process({
        jobs: [
          noteJob('note', async (context, note) => {
            if (note.startsWith('after')) return;
            handed += 1;
            if (handed === 3) all.open();
            await all.passed;
            await context.complete(
              async ({ enqueue }) => {
                writes.push(note);
                // The batch is refused. Then the first write is made separately, and the database disconnects during the second write.
                if (note === '0' && !isRefused) {
                  isRefused = true;
                  throw new Error('refused');
                }
                if (note === '1' && isWritten && !isAway) {
                  isAway = true;
                  throw new StorageError('unavailable', 'away', { outcomeUnknown: true });
                }
                if (note === '0') isWritten = true;
                enqueue({ kind: 'note', payload: { note: `after ${note}` } });
              },
              { shared: true },
            );
          }),
        ],
      });
      await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 3));
      await benchProcess.runner.drain();
      const notes = (await bench.rows()).map(({ payload }) => JSON.parse(String(payload)).note);
      assert.equal(notes.sort(), ['0', '1', '2', 'after 0', 'after 1', 'after 2']);
      assert.equal([handed, isAway], [3, true]);
      assert.is(writes.filter((note) => note === '0').length, 2);
    },
  );

  each('a job that has lost its lease makes no deferred write', async (bench) => {
    const benchProcess = bench.process({
      jobs: [
        noteJob('note', async (context, note) => {
          if (note === 'lost')
            await bench.database.transact((scope) =>
              scope
                .handle(everywhere)
                .db.updateTable('jobs')
                .set({ lease_token: 'somebody else' })
                .where('id', '=', context.jobId)
                .execute(),
            );
          await context.complete(({ trx }) => trx.defer(insertMark, mark(note)), { batched: true });
        }),
      ],
    });
    await bench.enqueue(
      benchProcess,
      'ws_1',
      ['lost', 'kept'].map((note) => ({ kind: 'note', payload: { note } })),
    );
    await benchProcess.runner.drain();
    assert.equal(await marksOf(bench), ['kept']);
  });

  each('batched work cannot read, and an error that it throws is a failed attempt', async (bench) => {
    const benchProcess = bench.process({
      jobs: [
        noteJob(
          'note',
          async (context) =>
            context.complete(
              ({ trx }) => {
                void trx.db
                  .selectFrom('jobs')
                  .select('id')
                  .where('workspace_id', '=', 'ws_1')
                  .execute()
                  .catch(() => undefined);
                throw new Error('no');
              },
              { batched: true },
            ),
          { retryDelaysMs: [] },
        ),
      ],
    });
    const [id = ''] = await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 1));
    await benchProcess.runner.drain();
    assert.equal([(await bench.row(id)).state, (await bench.row(id)).reason], ['failed', 'Error: no']);
  });

  if (database.name === 'sqlite')
    test('the fuller the slots, the fewer jobs run for each key, and a key that failed gets one job at a time', () => {
      const outbound = new Outbound<{ concurrencyKey: string }>(16);
      const fill = (): string[] => {
        const startedJobs: string[] = [];
        for (let job = outbound.begin(); job !== undefined; job = outbound.begin())
          startedJobs.push(job.concurrencyKey);
        return startedJobs;
      };
      for (const concurrencyKey of ['a', 'b', 'c', 'd'])
        for (let n = 0; n < 12; n += 1) outbound.add({ concurrencyKey });
      assert.equal(fill().sort().join(''), 'aaabbbcccddd', 'four hanging jobs leave free slots');
      for (const concurrencyKey of ['e', 'f', 'g']) for (let n = 0; n < 2; n += 1) outbound.add({ concurrencyKey });
      assert.equal(fill().sort().join(''), 'efg', 'each new key gets one slot');
      const [first, ...others] = [1, 2, 3].map(() => outbound.end({ concurrencyKey: 'a' }, false));
      assert.equal(
        [first?.giveBack.length, others.flatMap(({ giveBack }) => giveBack)],
        [9, []],
        'the other jobs are released',
      );
      assert.is(outbound.roomOf('a'), 1, 'jobs are claimed one at a time');
      for (let n = 0; n < 2; n += 1) outbound.add({ concurrencyKey: 'a' });
      assert.equal(
        fill().filter((key) => key === 'a'),
        ['a'],
      );
    });
});
