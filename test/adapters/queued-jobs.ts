// Whole jobs through an external queue, from the enqueuing transaction to the end of the attempt: on SQLite, with two
// processes on one database. Called by the test file of each queue.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { encodeReference, type JobQueue, type OutgoingReference } from '../../core/contract/ports/queue.ts';
import type { QueueUnderTest } from '../../hosts/testing/job-queue-suite.ts';
import { createJobBench, type JobBench, manyJobs, noteJob, until } from '../support/job-bench.ts';

interface Scene {
  readonly bench: JobBench;
  readonly queue: JobQueue;
  readonly open: () => JobQueue;
  /** The number of runs of the job, by note. */
  readonly ran: Map<string, number>;
  readonly job: ReturnType<typeof noteJob>;
}

/** Replaces the queue's `send`. */
const withSend = (queue: JobQueue, send: JobQueue['send']): JobQueue => ({
  id: queue.id,
  maxDelayMs: queue.maxDelayMs,
  send,
  consume: (handler, options) => queue.consume(handler, options),
  check: () => queue.check(),
  close: () => queue.close(),
});

const eachRanOnce = (ran: ReadonlyMap<string, number>): boolean => [...ran.values()].every((times) => times === 1);

/** Registers the tests. */
export function queuedJobsSuite(
  name: string,
  create: () => Promise<QueueUnderTest>,
  test: (name: string, run: () => Promise<void>) => void,
): void {
  const check = (title: string, run: (scene: Scene) => Promise<void>): void => {
    test(`${name}: ${title}`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'postrider-queue-'));
      const testQueue = await create();
      const queues: JobQueue[] = [];
      const open = (): JobQueue => {
        const queue = testQueue.open();
        queues.push(queue);
        return queue;
      };
      const bench = await createJobBench({
        name: 'sqlite',
        createStorage: () => sqliteStorage({ filename: join(folder, 'jobs.db') }),
        newPrefix: () => `q${randomBytes(4).toString('hex')}_`,
      });
      await bench.addWorkspace('ws_a');
      await bench.addWorkspace('ws_b');
      const runsByNote = new Map<string, number>();
      const job = noteJob('note', async (_, note) => {
        runsByNote.set(note, (runsByNote.get(note) ?? 0) + 1);
      });
      try {
        await run({ bench, queue: open(), open, ran: runsByNote, job });
      } finally {
        await bench.close();
        for (const queue of queues) await queue.close();
        await testQueue.remove();
        rmSync(folder, { recursive: true, force: true });
      }
    });
  };

  check('each job runs once, sent by one process and run by another', async ({ bench, queue, open, ran, job }) => {
    const front = bench.process({ jobs: [job], queue });
    const back = bench.process({ jobs: [job], queue: open() });
    await front.runner.start({ roles: ['relay'] });
    await back.runner.start({ roles: ['worker'] });
    await bench.enqueue(front, 'ws_a', manyJobs('note', 150));
    await bench.enqueue(
      front,
      'ws_b',
      manyJobs('note', 50).map((one, index) => ({ ...one, payload: { note: `b${index}` } })),
    );
    await until(async () => (await bench.rows()).every(({ state }) => state === 'done'));
    assert.is(ran.size, 200);
    assert.ok(eachRanOnce(ran));
  });

  check('a job runs once, even if its reference arrives several times', async ({ bench, queue, ran, job }) => {
    const doublingQueue = withSend(queue, async (messages) => {
      await queue.send(messages);
      return queue.send(messages);
    });
    const process = bench.process({ jobs: [job], queue: doublingQueue });
    await process.runner.start();
    await bench.enqueue(process, 'ws_a', manyJobs('note', 60));
    await until(async () => (await bench.rows()).every(({ state }) => state === 'done'));
    await process.close();
    assert.is(ran.size, 60);
    assert.ok(eachRanOnce(ran));
  });

  check('a job whose reference the queue lost still runs', async ({ bench, queue, ran, job }) => {
    let lostCount = 0;
    const forgetful = withSend(queue, async (messages) => {
      const keptMessages = messages.filter(({ dueAt }) => dueAt > 0 && lostCount >= 5);
      lostCount += messages.length - keptMessages.length;
      return keptMessages.length === 0 ? [] : queue.send(keptMessages);
    });
    const process = bench.process({ jobs: [job], queue: forgetful, leaseMs: 400, queueLostAfterMs: 1_000 });
    await process.runner.start();
    await bench.enqueue(process, 'ws_a', manyJobs('note', 5));
    await until(() => lostCount === 5);
    await until(async () => (await bench.rows()).every(({ state }) => state === 'queued'));
    bench.clock.advance(60_000);
    await until(async () => (await bench.rows()).every(({ state }) => state === 'done'));
    assert.ok(eachRanOnce(ran));
    assert.ok(process.log.some(({ message }) => message.startsWith('references to jobs were lost')));
  });

  check('a job that the queue refuses is kept and sent later', async ({ bench, queue, ran, job }) => {
    let refusals = 0;
    const refusing = withSend(queue, async (messages) => {
      if (refusals >= 2) return queue.send(messages);
      refusals += 1;
      if (refusals === 2) throw new Error('the queue is unavailable');
      return messages.map(({ jobId }) => ({ jobId, reason: 'QuotaExceeded: no more today' }));
    });
    const process = bench.process({ jobs: [job], queue: refusing });
    await process.runner.start();
    await bench.enqueue(process, 'ws_a', manyJobs('note', 20));
    await until(async () => (await bench.rows()).every(({ state }) => state === 'done'));
    assert.is(refusals, 2);
    const causes = process.log.map(({ fields }) => String(fields?.['cause'] ?? '')).join();
    assert.match(causes, /The queue \S+ refused \d+ of \d+ references\. The first: QuotaExceeded: no more today/);
    assert.ok(eachRanOnce(ran));
  });

  check(
    'a process claims few more jobs than it has slots, and an urgent job runs first',
    async ({ bench, queue, ran }) => {
      let end = (): void => undefined;
      const jobEnd = new Promise<void>((resolve) => {
        end = resolve;
      });
      const slow = noteJob('slow', async () => jobEnd);
      const login = noteJob('login', async (_, note) => void ran.set(note, 1), { lane: 'urgent' });
      const process = bench.process({ jobs: [slow, login], queue, concurrency: 10 });
      await process.runner.start();
      await bench.enqueue(process, 'ws_a', manyJobs('slow', 150));
      const countRunning = async () => (await bench.rows()).filter(({ state }) => state === 'running').length;
      await until(async () => (await countRunning()) >= 10);
      await bench.enqueue(process, 'ws_a', manyJobs('login', 1));
      await until(() => ran.size === 1);
      const max = queue.id === 'rabbitmq' ? 88 : 24;
      assert.ok((await countRunning()) <= max, `${await countRunning()} jobs are held`);
      end();
      await until(async () => (await bench.rows()).every(({ state }) => state === 'done'));
    },
  );

  check('a job is retried after its delay, and fails after its last attempt', async ({ bench, queue }) => {
    let attempts = 0;
    const failing = noteJob(
      'failing',
      async () => {
        attempts += 1;
        throw new Error('no');
      },
      { retryDelaysMs: [0, 0] },
    );
    const process = bench.process({ jobs: [failing], queue });
    await process.runner.start();
    const [id = ''] = await bench.enqueue(process, 'ws_a', manyJobs('failing', 1));
    await until(async () => (await bench.row(id)).state === 'failed');
    assert.is(attempts, 3);
  });

  check('a job that is not due stays in the database, and a canceled job does not run', async (scene) => {
    const { bench, queue, ran, job } = scene;
    const process = bench.process({ jobs: [job], queue });
    await process.runner.start();
    const [far = ''] = await bench.enqueue(process, 'ws_a', [
      { kind: 'note', payload: { note: 'far' }, runAt: bench.clock.now() + 86_400_000 },
    ]);
    const near = { kind: 'note', payload: { note: 'near' }, runAt: bench.clock.now() + 1_500, key: 'near' };
    const [old = ''] = await bench.enqueue(process, 'ws_a', [near]);
    if (queue.maxDelayMs > 0) await until(async () => (await bench.row(old)).state === 'queued');
    await bench.within(process, 'ws_a', async (ctx) => assert.is(await ctx.cancelJob('near'), true));
    bench.clock.advance(10_000);
    await bench.enqueue(process, 'ws_a', manyJobs('note', 3));
    await until(() => ran.size === 3);
    assert.is((await bench.row(far)).state, 'waiting');
    bench.clock.advance(86_400_000);
    await until(() => ran.size === 4);
    assert.equal([...ran.keys()].sort(), ['0', '1', '2', 'far']);
    assert.ok(eachRanOnce(ran));
  });

  check(
    'a process without the plugin of a job leaves the job to other processes',
    async ({ bench, open, ran, job }) => {
      const older = bench.process({ queue: open(), pollMs: 50 });
      await older.runner.start();
      const newer = bench.process({ jobs: [job], queue: open(), pollMs: 50 });
      const ids = await bench.enqueue(newer, 'ws_a', manyJobs('note', 6));
      await until(async () => (await bench.rows()).every(({ reason }) => reason === 'kind_unknown'));
      for (const id of ids) {
        const { state, attempt, lease_until: until } = await bench.row(id);
        assert.equal([state === 'waiting' || state === 'queued', attempt, until], [true, 0, null]);
      }
      assert.is(ran.size, 0);
      assert.is(older.log.filter(({ message }) => message.includes('no composed plugin')).length, 1);
      await newer.runner.start();
      await older.runner.stop();
      bench.clock.advance(70_000);
      await until(() => ran.size === 6);
      assert.ok(eachRanOnce(ran));
    },
  );

  check('processes that are not started send and run jobs too', async ({ bench, queue, ran, job }) => {
    const sentMessages: OutgoingReference[] = [];
    const recording = withSend(queue, async (messages) => {
      sentMessages.push(...messages);
      return [];
    });
    const process = bench.process({ jobs: [job], queue: recording });
    await bench.enqueue(process, 'ws_a', manyJobs('note', 12));
    assert.equal(await process.runner.relayPending(), { sent: 12, hasMore: false });
    assert.equal(await process.runner.relayPending(), { sent: 0, hasMore: false });
    assert.is(ran.size, 0);
    const messages = sentMessages.map((reference, index) => ({ id: `m${index}`, body: encodeReference(reference) }));
    const foreign = { id: 'foreign', body: '{"hello":1}' };
    const report = await process.runner.runMessages([...messages, ...messages.slice(0, 3), foreign]);
    assert.equal(report.failed, [{ id: 'foreign', reason: 'message_invalid' }]);
    assert.is(ran.size, 12);
    assert.ok(eachRanOnce(ran));
    const orderedRun = await process.runner.runMessages([foreign, ...messages.slice(0, 2)], { ordered: true });
    assert.equal(
      orderedRun.failed.map(({ reason }) => reason),
      ['message_invalid', 'after_a_failed_one', 'after_a_failed_one'],
    );
    const lateRun = await process.runner.runMessages(messages.slice(0, 1), { budgetMs: 0 });
    assert.equal(lateRun.failed, [{ id: 'm0', reason: 'budget_reached' }]);
  });

  check('a drain ends after its time budget, even if a job hangs', async ({ bench, queue, ran }) => {
    const sentMessages: OutgoingReference[] = [];
    const recording = withSend(queue, async (messages) => {
      sentMessages.push(...messages);
      return [];
    });
    let hangs = true;
    const job = noteJob('note', async ({ signal }, note) => {
      ran.set(note, (ran.get(note) ?? 0) + 1);
      if (hangs) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const process = bench.process({ jobs: [job], queue: recording, concurrency: 2 });
    await bench.enqueue(process, 'ws_a', manyJobs('note', 4));
    await process.runner.relayPending();
    const messages = sentMessages.map((reference, index) => ({ id: `m${index}`, body: encodeReference(reference) }));
    const { failed } = await process.runner.runMessages(messages, { budgetMs: 300, graceMs: 50 });
    assert.equal(failed, []);
    const rows = await bench.rows();
    assert.equal(
      rows.map(({ state }) => state),
      ['ready', 'ready', 'ready', 'ready'],
    );
    hangs = false;
    sentMessages.length = 0;
    assert.equal(await process.runner.relayPending(), { sent: 4, hasMore: false });
    await process.runner.runMessages(messages);
    assert.ok((await bench.rows()).every(({ state }) => state === 'done'));
    assert.is(ran.size, 4);
  });

  check('a process releases claimed jobs when it stops', async ({ bench, queue, open, ran, job }) => {
    const slow = noteJob('note', async ({ signal }) => {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 20);
        signal.addEventListener('abort', () => clearTimeout(timer));
      });
    });
    const first = bench.process({ jobs: [slow], queue, concurrency: 2 });
    await first.runner.start();
    await bench.enqueue(first, 'ws_a', manyJobs('note', 40));
    await until(async () => (await bench.rows()).some(({ state }) => state === 'done'));
    await first.close();
    assert.ok((await bench.rows()).every(({ state }) => state !== 'running'));
    const unfinished = (await bench.rows()).filter(({ state }) => state !== 'done').length;
    const second = bench.process({ jobs: [job], queue: open() });
    await second.runner.start();
    await until(async () => (await bench.rows()).every(({ state }) => state === 'done'));
    assert.is(ran.size, unfinished);
  });
}
