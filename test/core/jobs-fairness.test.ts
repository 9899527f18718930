// The order in which jobs run: fairness between the keys of a lane and between lanes, both in the claim and in the slots.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Claimer } from '../../core/jobs/claim.ts';
import { RoundRobinQueue } from '../../core/jobs/round-robin.ts';
import { Slots } from '../../core/jobs/slots.ts';
import { eachDatabase } from '../support/databases.ts';
import { createJobBench, type JobBench, type JobProcess, manyJobs, noteJob, quotaOf } from '../support/job-bench.ts';

const inProcess = suite('concurrency keys in one process');

inProcess('keys take turns, in any order of arrival', () => {
  const line = new RoundRobinQueue<{ concurrencyKey: string; n: number }>();
  for (let n = 0; n < 3; n += 1) line.add({ concurrencyKey: 'a', n });
  line.add({ concurrencyKey: 'b', n: 9 });
  assert.is(line.size, 4);
  const order = Array.from({ length: 4 }, () => line.shift()).map((item) => `${item?.concurrencyKey}${item?.n}`);
  assert.equal(order, ['a0', 'b9', 'a1', 'a2']);
  assert.is(line.shift(), undefined);
});

const slotsWith = (concurrency: number, counts: readonly number[]) => {
  const slots = new Slots<{ concurrencyKey: string; lane: number }>(concurrency, 10);
  for (const [lane, count] of counts.entries()) {
    for (let n = 0; n < count; n += 1) slots.add({ concurrencyKey: 'a', lane });
  }
  return slots;
};

inProcess('lanes start in the order urgent, normal, bulk, but every sixteenth start goes to a lower lane', () => {
  const slots = slotsWith(1, [40, 40, 40]);
  const order: number[] = [];
  for (let n = 0; n < 48; n += 1) {
    const job = slots.begin();
    assert.ok(job !== undefined);
    order.push(job.lane);
    slots.end(job, 1, true);
  }
  assert.equal(order.filter((lane) => lane === 0).length, 40);
  assert.equal([order[15], order[31]], [2, 1]);
  assert.ok(order.slice(0, 15).every((lane) => lane === 0));
});

inProcess('bulk and normal jobs leave slots free for more urgent jobs', () => {
  const slots = slotsWith(10, [0, 0, 20]);
  const startedCount = () => Array.from({ length: 20 }, () => slots.begin()).filter((job) => job !== undefined).length;
  assert.is(startedCount(), 8);
  for (let n = 0; n < 5; n += 1) slots.add({ concurrencyKey: 'a', lane: 1 });
  assert.is(startedCount(), 1);
  for (let n = 0; n < 5; n += 1) slots.add({ concurrencyKey: 'a', lane: 0 });
  assert.is(startedCount(), 1);
  assert.is(slots.running, 10);
});

inProcess('a single slot serves every lane', () => {
  for (const counts of [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]) {
    assert.ok(slotsWith(1, counts).begin() !== undefined);
  }
});

inProcess(
  'a lane that has not run for a long time can always claim one job, and an urgent job gets a slot while bulk jobs wait',
  () => {
    const slots = slotsWith(10, [600, 0, 0]);
    assert.is(slots.room(2, 0), 1);
    assert.ok(slotsWith(10, [0, 0, 600]).room(0, 0) > 0);
  },
);

inProcess('the longer the jobs run, the fewer jobs are claimed in advance', () => {
  const slots = new Slots<{ concurrencyKey: string; lane: number }>(10, 10);
  const job = { concurrencyKey: 'a', lane: 0 };
  for (const tookMs of [0.05, 5_000]) {
    for (let n = 0; n < 100; n += 1) {
      slots.add(job);
      slots.begin();
      slots.end(job, tookMs, true);
    }
    const freeSlots = slots.room(0, 0);
    assert.is(freeSlots, tookMs < 1 ? 522 : 10);
  }
});

async function withClaimer(
  making: Promise<JobBench>,
  workspaces: readonly string[],
  work: (parts: {
    bench: JobBench;
    worker: JobProcess;
    claim: (freeSlots: number) => Promise<string[]>;
  }) => Promise<void>,
): Promise<void> {
  const bench = await making;
  try {
    for (const id of workspaces) await bench.addWorkspace(id);
    const worker = bench.process({ jobs: [noteJob('note', async () => undefined)] });
    const claimer = new Claimer(worker.core, await worker.core.database(), 60_000);
    await work({
      bench,
      worker,
      claim: async (freeSlots) => (await claimer.claim(quotaOf(freeSlots))).jobs.map((job) => job.workspaceId),
    });
  } finally {
    await bench.close();
  }
}

const count = (ids: readonly string[], id: string) => ids.filter((other) => other === id).length;

await eachDatabase('fair claim', (test, database) => {
  test('a single job is in the next claim, even if another workspace has many jobs', () =>
    withClaimer(createJobBench(database), ['ws_big', 'ws_small'], async ({ bench, worker, claim }) => {
      for (let n = 0; n < 20; n += 1) await bench.enqueue(worker, 'ws_big', manyJobs('note', 1_000));
      assert.equal(await claim(50), Array(50).fill('ws_big'));
      await bench.enqueue(worker, 'ws_small', manyJobs('note', 1));
      const next = await claim(50);
      assert.is(next.length, 50);
      assert.is(count(next, 'ws_small'), 1);
    }));

  test('workspaces share a claim evenly, and an unused share goes to the other workspaces', () =>
    withClaimer(createJobBench(database), ['ws_1', 'ws_2', 'ws_3'], async ({ bench, worker, claim }) => {
      for (const id of ['ws_1', 'ws_2']) await bench.enqueue(worker, id, manyJobs('note', 100));
      await bench.enqueue(worker, 'ws_3', manyJobs('note', 4));
      const claimedJobs = await claim(60);
      assert.equal(
        ['ws_1', 'ws_2', 'ws_3'].map((id) => count(claimedJobs, id)).sort((a, b) => a - b),
        [4, 28, 28],
      );
      assert.is(new Set(await claim(3)).size, 2);
    }));

  test('if more workspaces wait than fit into a claim, each gets its turn', () =>
    withClaimer(
      createJobBench(database),
      Array.from({ length: 50 }, (_, n) => `ws_${n}`),
      async ({ bench, worker, claim }) => {
        for (let n = 0; n < 50; n += 1) await bench.enqueue(worker, `ws_${n}`, manyJobs('note', 20));
        const claimedIds: string[] = [];
        for (let n = 0; n < 5; n += 1) claimedIds.push(...(await claim(10)));
        assert.is(new Set(claimedIds).size, 50, 'five claims of ten serve each of fifty workspaces once');
      },
    ));

  test('a claim takes from lanes in their order and reports whether a lane had more', () =>
    withClaimer(createJobBench(database), ['ws_1'], async ({ bench, worker }) => {
      await bench.enqueue(worker, 'ws_1', manyJobs('note', 5, { lane: 'bulk' }));
      await bench.enqueue(worker, 'ws_1', manyJobs('note', 5, { lane: 'urgent' }));
      const claimer = new Claimer(worker.core, await worker.core.database(), 60_000);
      const first = await claimer.claim(quotaOf(7));
      assert.equal(
        first.jobs.map(({ lane }) => lane),
        [0, 0, 0, 0, 0, 2, 2],
      );
      assert.is(first.more, true);
      const second = await claimer.claim(quotaOf(7));
      assert.equal([second.jobs.length, second.more], [3, false]);
      assert.is((await claimer.claim(quotaOf(7))).jobs.length, 0);
    }));

  test('an urgent job that arrives during a batch starts before the remaining jobs of the batch', () =>
    withClaimer(createJobBench(database), ['ws_big', 'ws_2'], async ({ bench }) => {
      const order: string[] = [];
      let bulkRuns = 0;
      const batch = noteJob('batch', async (ctx, note) => {
        order.push('batch');
        await new Promise((resolve) => setTimeout(resolve, 1));
        if (note !== '100') return;
        await ctx.checkpoint(async (tx) => tx.enqueue({ kind: 'code', payload: { note: '' } }));
        bulkRuns = order.length;
      });
      const code = noteJob('code', async () => void order.push('code'), { lane: 'urgent' });
      const worker = bench.process({ concurrency: 2, jobs: [batch, code] });
      await bench.enqueue(worker, 'ws_big', manyJobs('batch', 800, { lane: 'bulk' }));
      assert.is((await worker.runner.drain()).ran, 801);
      const after = order.indexOf('code') - bulkRuns;
      assert.ok(bulkRuns > 0 && after < 200, `the urgent job began after ${after} more jobs of the batch`);
    }));
});

inProcess.run();
