// Commits of other processes wake a process that listens on PostgreSQL. The other databases have no notifications.
// full-run: slow
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
});
