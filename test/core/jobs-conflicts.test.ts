// Conflicts between the queue's own transactions and others: the transactions run again without a log line, and a conflict is reported
// only if it persists.
import * as assert from 'uvu/assert';
import { StorageError, type StorageFault } from '../../core/contract/ports/storage.ts';
import type { Core } from '../../core/pipeline/core.ts';
import type { Database } from '../../core/storage/database.ts';
import { eachDatabase } from '../support/databases.ts';
import { createJobBench, type JobBench, manyJobs, noteJob, until } from '../support/job-bench.ts';

const realClock = { now: () => Date.now(), advance: () => Date.now() };

interface Conflicts {
  /** The number of conflicts that have not happened yet */
  left(): number;
  end(): void;
}

/** Rolls back the next `times` transactions at their end, as the victim of a conflict. */
async function injectConflicts(core: Core, fault: StorageFault, times: number): Promise<Conflicts> {
  const database = (await core.database()) as { transact: Database['transact'] };
  const transact = database.transact.bind(database);
  let remaining = times;
  database.transact = (work, options) =>
    transact(async (scope) => {
      const result = await work(scope);
      if (remaining <= 0) return result;
      remaining -= 1;
      throw new StorageError(fault, 'the victim of a conflict');
    }, options);
  return {
    left: () => remaining,
    end() {
      remaining = 0;
    },
  };
}

await eachDatabase('conflicts of the queue', (test, testDatabase) => {
  const each = (name: string, work: (bench: JobBench) => Promise<void>) =>
    test(name, async () => {
      const bench = await createJobBench(testDatabase, realClock);
      try {
        await bench.addWorkspace('ws_1');
        await work(bench);
      } finally {
        await bench.close();
      }
    });

  for (const fault of ['deadlock', 'unique'] as const)
    each(`if claiming or marking meets a conflict (${fault}), it runs again and nothing is logged`, async (bench) => {
      const notes: string[] = [];
      const benchProcess = bench.process({ jobs: [noteJob('note', async (_, note) => void notes.push(note))] });
      await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 5));
      const { left: remainingCount } = await injectConflicts(benchProcess.core, fault, 3);
      assert.equal(await benchProcess.runner.drain(), { ran: 5, failed: 0, hasMore: false });
      assert.equal([remainingCount(), notes.length, benchProcess.log], [0, 5, []]);
      assert.ok((await bench.rows()).every(({ state, attempt }) => state === 'done' && attempt === 1));
    });

  each('a conflict that persists is reported once, and the work continues when it ends', async (bench) => {
    let runs = 0;
    const benchProcess = bench.process({
      jobs: [
        noteJob('note', async () => {
          runs += 1;
        }),
      ],
      pollMs: 5,
    });
    await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 1));
    const fault = await injectConflicts(benchProcess.core, 'deadlock', Number.POSITIVE_INFINITY);
    await benchProcess.runner.start();
    const about = () => benchProcess.log.filter(({ message }) => message.startsWith('claiming jobs'));
    await until(() => about().length > 0);
    fault.end();
    await until(() => runs === 1);
    await benchProcess.runner.stop();
    const reportLines = about();
    assert.equal(
      reportLines.map(({ level, message }) => `${level} ${message}`),
      ['warn claiming jobs fails; it will be retried', 'warn claiming jobs works again'],
    );
  });

  each('if the renewal of a lease meets a conflict, it is repeated, and the job is not lost', async (bench) => {
    let isRenewed = false;
    const benchProcess = bench.process({
      leaseMs: 300,
      jobs: [
        noteJob('note', async (context) => {
          const { left } = await injectConflicts(benchProcess.core, 'deadlock', 2);
          await until(() => left() === 0);
          await new Promise((resolve) => setTimeout(resolve, 400));
          isRenewed = !context.signal.aborted;
        }),
      ],
    });
    await bench.enqueue(benchProcess, 'ws_1', manyJobs('note', 1));
    assert.equal(await benchProcess.runner.drain(), { ran: 1, failed: 0, hasMore: false });
    assert.equal([isRenewed, benchProcess.log], [true, []]);
  });
});
