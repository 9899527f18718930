// Jobs with a key, on each database: at most one waits per key, even if many processes write at once. It can be
// replaced and withdrawn until a worker has claimed it.
// time-limit: 180
// full-run: slow
import * as assert from 'uvu/assert';
import type { JobRequest } from '../../core/contract/jobs.ts';
import { eachDatabase } from '../support/databases.ts';
import { createJobBench, type JobBench, type JobProcess, noteJob } from '../support/job-bench.ts';

const minute = 60_000;

await eachDatabase('jobs with a key', (test, place) => {
  const each = (name: string, work: (bench: JobBench) => Promise<void>) =>
    test(name, async () => {
      const bench = await createJobBench(place);
      try {
        for (const id of ['ws_1', 'ws_2']) await bench.addWorkspace(id);
        await work(bench);
      } finally {
        await bench.close();
      }
    });
  /** Creates a process that records which jobs it runs. */
  const noting = (bench: JobBench): { own: JobProcess; ran: string[] } => {
    const ran: string[] = [];
    const note = async (_: unknown, text: string) => void ran.push(text);
    return { own: bench.process({ jobs: [noteJob('note', note), noteJob('other', note)] }), ran };
  };
  const keyed = (note: string, more: Partial<JobRequest> = {}): JobRequest => ({
    kind: 'note',
    payload: { note },
    key: 'k',
    ...more,
  });

  each('enqueueing again replaces the payload and the time of the one that waits', async (bench) => {
    const { own, ran } = noting(bench);
    const now = bench.clock.now();
    await bench.enqueue(own, 'ws_1', [keyed('first', { runAt: now + minute })]);
    const [id] = await bench.enqueue(own, 'ws_1', [keyed('second', { runAt: now + 2 * minute, lane: 'bulk' })]);
    const rows = await bench.rows();
    assert.equal(
      rows.map((row) => [row.id, row.state, Number(row.run_at), row.lane]),
      [[id, 'waiting', now + 2 * minute, 2]],
    );
    bench.clock.advance(minute);
    await own.runner.drain();
    assert.equal(ran, []);
    await bench.enqueue(own, 'ws_1', [keyed('third')]);
    await own.runner.drain();
    assert.equal(ran, ['third']);
    bench.clock.advance(minute);
    await own.runner.drain();
    assert.equal(ran, ['third']);
  });

  each('the last of one transaction counts, and one that it takes back is not written', async (bench) => {
    const { own, ran } = noting(bench);
    await bench.enqueue(own, 'ws_1', [keyed('waits', { runAt: bench.clock.now() + minute })]);
    await bench.enqueue(own, 'ws_1', [keyed('one'), keyed('two'), keyed('another', { key: 'other' })]);
    assert.is((await bench.rows()).length, 2);
    await own.runner.drain();
    assert.equal(ran.sort(), ['another', 'two']);
    const gone = await bench.within(own, 'ws_1', async (effects) => {
      effects.enqueue(keyed('three'));
      return [await effects.cancelJob({ kind: 'note', key: 'k' }), await effects.cancelJob('k')];
    });
    assert.equal(gone, [true, false]);
    await own.runner.drain();
    assert.equal(ran.sort(), ['another', 'two']);
  });

  each('a job is taken back while it waits or is ready, once', async (bench) => {
    const { own, ran } = noting(bench);
    for (const runAt of [bench.clock.now(), bench.clock.now() + minute]) {
      await bench.enqueue(own, 'ws_1', [keyed('never', { runAt })]);
      const cancel = () => bench.within(own, 'ws_1', (effects) => effects.cancelJob({ kind: 'note', key: 'k' }));
      assert.equal([await cancel(), await cancel()], [true, false]);
    }
    bench.clock.advance(minute);
    await own.runner.drain();
    assert.equal(ran, []);
    assert.equal(await bench.rows(), []);
  });

  each('a claimed job is neither replaced nor taken back: a new one is written beside it', async (bench) => {
    const seen: unknown[] = [];
    const ran: string[] = [];
    const own = bench.process({
      jobs: [
        noteJob('note', async (context, note) => {
          ran.push(note);
          if (note !== 'first') return;
          await context.checkpoint(async (effects) => {
            seen.push(await effects.cancelJob({ kind: 'note', key: 'k' }));
            effects.enqueue(keyed('second'));
          });
          seen.push((await bench.rows()).map(({ state }) => state).sort());
        }),
      ],
    });
    await bench.enqueue(own, 'ws_1', [keyed('first')]);
    await own.runner.drain();
    assert.equal(seen, [false, ['ready', 'running']]);
    assert.equal(ran, ['first', 'second']);
  });

  each('a key belongs to a workspace, a kind and a side', async (bench) => {
    const { own } = noting(bench);
    const runAt = bench.clock.now() + minute;
    await bench.enqueue(own, 'ws_1', [
      keyed('live', { runAt }),
      keyed('other', { runAt, kind: 'other' }),
      keyed('sandbox', { runAt, sandbox: true }),
    ]);
    await bench.enqueue(own, 'ws_2', [keyed('theirs', { runAt })]);
    assert.is((await bench.rows()).length, 4);
    const cancel = (sandbox: boolean, key: string) =>
      bench.within(own, 'ws_1', (effects) => effects.cancelJob(key), sandbox);
    assert.is(await cancel(true, 'k'), true);
    const left = async () => (await bench.rows()).map(({ payload }) => JSON.parse(payload).note).sort();
    assert.equal(await left(), ['live', 'other', 'theirs'], 'a sandbox call takes back nothing of the live side');
    assert.is(await cancel(false, 'k'), true);
    assert.equal(await left(), ['theirs'], 'a key alone means every kind');
  });

  each('a key that is too long for its column is refused', async (bench) => {
    const { own } = noting(bench);
    for (const key of ['', 'k'.repeat(201)])
      await bench.enqueue(own, 'ws_1', [keyed('x', { key })]).then(
        () => assert.unreachable('it was written'),
        (error: unknown) => assert.instance(error, RangeError),
      );
    assert.equal(await bench.rows(), []);
  });

  each('what ends with others enqueues under a key, too', async (bench) => {
    const ran: string[] = [];
    const own = bench.process({
      jobs: [
        noteJob('note', async (_, note) => void ran.push(note)),
        noteJob('start', (context, note) =>
          context.complete(
            (effects) => {
              effects.enqueue(keyed(`${note} dropped`));
              effects.enqueue(keyed(`${note} kept`));
            },
            { batched: true },
          ),
        ),
      ],
    });
    await bench.enqueue(own, 'ws_1', [{ kind: 'start', payload: { note: 'a' } }]);
    await own.runner.drain();
    assert.equal(ran, ['a kept']);
  });

  each('of many processes that enqueue one key at once, one job is left waiting', async (bench) => {
    const processes = [noting(bench).own, noting(bench).own];
    const runAt = bench.clock.now() + minute;
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        bench.enqueue(processes[n % 2] as JobProcess, 'ws_1', [keyed(String(n), { runAt })]),
      ),
    );
    assert.is((await bench.rows()).length, 1);
  });

  each('while workers claim, each job either ran or was taken back', async (bench) => {
    const { own, ran } = noting(bench);
    const writer = noting(bench).own;
    const keys = Array.from({ length: 60 }, (_, n) => `k${n}`);
    await bench.enqueue(
      own,
      'ws_1',
      keys.map((key) => keyed(key, { key })),
    );
    const drained = own.runner.drain();
    const taken: string[] = [];
    for (const key of [...keys].reverse())
      if (await bench.within(writer, 'ws_1', (effects) => effects.cancelJob(key))) taken.push(key);
    await drained;
    await own.runner.drain();
    assert.equal([...ran, ...taken].sort(), [...keys].sort());
  });
});
