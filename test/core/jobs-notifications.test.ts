// Commits of other processes wake a process that listens on PostgreSQL. The other databases have no notifications.
// full-run: slow
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { createJobBench, type JobBench, manyJobs, noteJob, until } from '../support/job-bench.ts';

await eachDatabase('notifications of jobs', (test, testDatabase) => {
  const each = (name: string, work: (bench: JobBench) => Promise<void>) =>
    test(name, async () => {
      const bench = await createJobBench(testDatabase, { now: () => Date.now(), advance: () => Date.now() });
      try {
        await bench.addWorkspace('ws_1');
        await work(bench);
      } finally {
        await bench.close();
      }
    });

  if (testDatabase.name !== 'postgres') return;

  each('the commit of another process wakes a listening process', async (bench) => {
    const notes: string[] = [];
    const job = noteJob('note', async (_, note) => void notes.push(note));
    const writer = bench.process({ jobs: [job] });
    const benchProcess = bench.process({ jobs: [job], pollMs: 3_600_000 });
    await benchProcess.runner.start();
    await bench.enqueue(writer, 'ws_1', manyJobs('note', 1));
    const database = await writer.core.database();
    await database.transact((scope) => scope.notify('jobs'));
    await until(() => notes.length === 1);
    await benchProcess.runner.stop();
  });

  each('urgent jobs of a process that runs no jobs wake a listening process, also in a burst', async (bench) => {
    const notes: string[] = [];
    const job = noteJob('note', async (_, note) => void notes.push(note), { lane: 'urgent' });
    const writer = bench.process({ jobs: [job] });
    const benchProcess = bench.process({ jobs: [job], pollMs: 3_600_000 });
    await benchProcess.runner.start();
    await bench.enqueue(writer, 'ws_1', manyJobs('note', 1));
    await until(() => notes.length === 1);
    await Promise.all(Array.from({ length: 20 }, () => bench.enqueue(writer, 'ws_1', manyJobs('note', 1))));
    await until(() => notes.length === 21);
    await benchProcess.runner.stop();
    await writer.runner.stop();
  });

  /** The number of notifications that other processes receive during the work. */
  async function notificationsDuring({ database }: JobBench, work: () => Promise<void>): Promise<number> {
    const { driver, prefix } = database;
    let received = 0;
    let hasEnded = false;
    const stopListening = await driver.listen?.(`${prefix}jobs`, () => {
      received += 1;
    });
    const stopListeningForEnd = await driver.listen?.(`${prefix}end`, () => {
      hasEnded = true;
    });
    await work();
    // Notifications arrive in the order of the commits.
    await database.transact((scope) => scope.notify('end'));
    await until(() => hasEnded);
    await stopListening?.();
    await stopListeningForEnd?.();
    return received;
  }

  const urgentJob = noteJob('note', async () => undefined, { lane: 'urgent' });

  each('many commits share few notifications', async (bench) => {
    const writer = bench.process({ jobs: [urgentJob] });
    const received = await notificationsDuring(bench, async () => {
      await Promise.all(Array.from({ length: 60 }, () => bench.enqueue(writer, 'ws_1', manyJobs('note', 1))));
      await writer.runner.stop();
    });
    assert.ok(received >= 1 && received <= 45, `${received} notifications of 60 commits`);
  });

  each('a function on Lambda sends no notification', async (bench) => {
    const writer = bench.process({ jobs: [urgentJob] });
    const enqueueUrgent = async () => {
      await bench.enqueue(writer, 'ws_1', manyJobs('note', 1));
      await writer.runner.stop();
    };
    process.env['AWS_LAMBDA_FUNCTION_NAME'] = 'api';
    try {
      assert.is(await notificationsDuring(bench, enqueueUrgent), 0);
    } finally {
      delete process.env['AWS_LAMBDA_FUNCTION_NAME'];
    }
    assert.is(await notificationsDuring(bench, enqueueUrgent), 1);
  });
});
