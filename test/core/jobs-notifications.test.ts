// Commits of other processes wake a process that listens on PostgreSQL. The other databases have no notifications.
// full-run: slow
import * as assert from 'uvu/assert';
import { lanes } from '../../core/contract/declaration/jobs.ts';
import { notifyDueJobs } from '../../core/pipeline/notify-due-jobs.ts';
import { eachDatabase } from '../support/databases.ts';
import { eachOnRealClock, type JobBench, manyJobs, noteJob, until } from '../support/job-bench.ts';

await eachDatabase('notifications of jobs', (test, testDatabase) => {
  const each = eachOnRealClock(test, testDatabase);

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

  /** The payloads of the notifications that other processes receive during the work. */
  async function notificationsDuring({ database }: JobBench, work: () => Promise<void>): Promise<string[]> {
    const { driver, prefix } = database;
    const received: string[] = [];
    let hasEnded = false;
    const stopListening = await driver.listen?.(`${prefix}jobs`, (payload) => void received.push(payload));
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
    assert.ok(received.length >= 1 && received.length <= 45, `${received.length} notifications of 60 commits`);
    assert.equal(new Set(received), new Set(['urgent']));
  });

  each('a function on Lambda sends no notification', async (bench) => {
    const writer = bench.process({ jobs: [urgentJob] });
    const enqueueUrgent = async () => {
      await bench.enqueue(writer, 'ws_1', manyJobs('note', 1));
      await writer.runner.stop();
    };
    process.env['AWS_LAMBDA_FUNCTION_NAME'] = 'api';
    try {
      assert.equal(await notificationsDuring(bench, enqueueUrgent), []);
    } finally {
      delete process.env['AWS_LAMBDA_FUNCTION_NAME'];
    }
    assert.equal(await notificationsDuring(bench, enqueueUrgent), ['urgent']);
  });

  each('the notification of a joined call says whether a job is urgent', async (bench) => {
    const notifyFor = (lane: number, due = true) =>
      bench.database.transact((scope) =>
        notifyDueJobs(scope, {
          recorded: { events: [], jobs: [{ id: 'job_1', kind: 'note', lane, due }], mayDispatch: false, credits: 0 },
        }),
      );
    const received = await notificationsDuring(bench, async () => {
      await notifyFor(lanes.indexOf('bulk'));
      await notifyFor(lanes.indexOf('urgent'), false);
      await notifyFor(lanes.indexOf('urgent'));
    });
    assert.equal(received, ['', 'urgent']);
  });
});
