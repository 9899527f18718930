// The work of jobs leaves the event loop free for calls and urgent jobs: few jobs begin in one turn if each takes long, and groups of
// items become smaller if one transaction blocks the loop.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { GroupSize, processorMs } from '../../core/jobs/group-size.ts';
import { oneDatabase } from '../support/databases.ts';
import { createJobBench, manyJobs, noteJob } from '../support/job-bench.ts';

/** Uses the processor for this long. */
function busyFor(ms: number): void {
  for (const until = processorMs() + ms; processorMs() < until; );
}

await oneDatabase('the event loop while jobs run', (test, testDatabase) => {
  test('if jobs keep the processor busy, one job begins in each turn of the event loop; short jobs begin together', async () => {
    const bench = await createJobBench(testDatabase);
    await bench.addWorkspace('ws_1');
    let turn = 0;
    const turnsOf: Record<string, number[]> = { long: [], short: [] };
    const worker = bench.process({
      concurrency: 64,
      jobs: [
        noteJob('long', async () => {
          busyFor(10);
          turnsOf.long?.push(turn);
        }),
        noteJob('short', async () => {
          turnsOf.short?.push(turn);
        }),
      ],
    });
    let isDone = false;
    const counting = (async () => {
      for (; !isDone; turn += 1) await nextTurn();
    })();
    for (const kind of ['long', 'short']) {
      await bench.enqueue(worker, 'ws_1', manyJobs(kind, 64));
      await worker.runner.drain();
    }
    isDone = true;
    await counting;
    const maxTogether = (turns: readonly number[] = []) =>
      Math.max(...turns.map((one) => turns.filter((other) => other === one).length));
    assert.is(turnsOf.long?.length, 64);
    // Only the last jobs count, because the worker first has to measure how long jobs take.
    assert.is(maxTogether(turnsOf.long?.slice(-30)), 1);
    assert.ok(maxTogether(turnsOf.short) >= 4, `at most ${maxTogether(turnsOf.short)} short jobs began together`);
    await bench.close();
  });
});

const sizes = suite('the size of a group');
const limits = { min: 5, max: 50, maxBlockMs: 8 };

sizes(
  'a group grows to its maximum if the work does not block the event loop, however long the work takes',
  async () => {
    const size = new GroupSize(limits);
    const seen: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      seen.push(size.current);
      await size.measure(async () => {
        busyFor(10);
        await nextTurn();
        await nextTurn();
      });
    }
    assert.equal(seen, [5, 10, 20, 40, 50]);
  },
);

sizes(
  'a group shrinks to its minimum if the work blocks the event loop for too long, even if the work fails',
  async () => {
    const size = new GroupSize(limits);
    for (let round = 0; round < 4; round += 1) await size.measure(async () => undefined);
    assert.is(size.current, 50);
    const seen: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      await size
        .measure(async () => {
          busyFor(12);
          throw new Error('undone');
        })
        .catch(() => undefined);
      seen.push(size.current);
    }
    assert.equal(seen, [25, 12, 6, 5, 5]);
  },
);

sizes.run();
