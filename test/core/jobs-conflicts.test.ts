// Conflicts of the queue's own transactions with others: they run again without a line in the log, and are reported only
// if they persist.
import * as assert from 'uvu/assert';
import { StorageError, type StorageFault } from '../../core/contract/ports/storage.ts';
import type { Core } from '../../core/pipeline/core.ts';
import type { Database } from '../../core/storage/database.ts';
import { eachDatabase } from '../support/databases.ts';
import { createJobBench, type JobBench, manyJobs, noteJob, until } from '../support/job-bench.ts';

const realClock = { now: () => Date.now(), advance: () => Date.now() };

interface Conflicts {
  /** How many are left. */
  left(): number;
  end(): void;
}

/** Rolls back the next `times` transactions at their end, as the victim of a conflict. */
async function conflicts(core: Core, fault: StorageFault, times: number): Promise<Conflicts> {
  const database = (await core.database()) as { transact: Database['transact'] };
  const transact = database.transact.bind(database);
  let left = times;
  database.transact = (work, options) =>
    transact(async (scope) => {
      const result = await work(scope);
      if (left <= 0) return result;
      left -= 1;
      throw new StorageError(fault, 'the victim of a conflict');
    }, options);
  return {
    left: () => left,
    end() {
      left = 0;
    },
  };
}

await eachDatabase('conflicts of the queue', (test, place) => {
  const each = (name: string, work: (bench: JobBench) => Promise<void>) =>
    test(name, async () => {
      const bench = await createJobBench(place, realClock);
      try {
        await bench.addWorkspace('ws_1');
        await work(bench);
      } finally {
        await bench.close();
      }
    });

  for (const fault of ['deadlock', 'unique'] as const)
    each(`claiming and marking run again after a conflict (${fault}), and nothing is logged`, async (bench) => {
      const seen: string[] = [];
      const own = bench.process({ jobs: [noteJob('note', async (_, note) => void seen.push(note))] });
      await bench.enqueue(own, 'ws_1', manyJobs('note', 5));
      const { left } = await conflicts(own.core, fault, 3);
      assert.equal(await own.runner.drain(), { ran: 5, failed: 0, hasMore: false });
      assert.equal([left(), seen.length, own.log], [0, 5, []]);
      assert.ok((await bench.rows()).every(({ state, attempt }) => state === 'done' && attempt === 1));
    });

  each('a conflict that persists is reported once, and the work goes on when it is over', async (bench) => {
    let ran = 0;
    const own = bench.process({
      jobs: [
        noteJob('note', async () => {
          ran += 1;
        }),
      ],
      pollMs: 5,
    });
    await bench.enqueue(own, 'ws_1', manyJobs('note', 1));
    const fault = await conflicts(own.core, 'deadlock', Number.POSITIVE_INFINITY);
    await own.runner.start();
    const about = () => own.log.filter(({ message }) => message.startsWith('claiming jobs'));
    await until(() => about().length > 0);
    fault.end();
    await until(() => ran === 1);
    await own.runner.stop();
    const reported = about();
    assert.equal(
      reported.map(({ level, message }) => `${level} ${message}`),
      ['warn claiming jobs fails; it will be retried', 'warn claiming jobs works again'],
    );
  });

  each('a lease that meets a conflict is renewed, and its job is not lost', async (bench) => {
    let renewed = false;
    const own = bench.process({
      leaseMs: 300,
      jobs: [
        noteJob('note', async (context) => {
          const { left } = await conflicts(own.core, 'deadlock', 2);
          await until(() => left() === 0);
          await new Promise((resolve) => setTimeout(resolve, 400));
          renewed = !context.signal.aborted;
        }),
      ],
    });
    await bench.enqueue(own, 'ws_1', manyJobs('note', 1));
    assert.equal(await own.runner.drain(), { ran: 1, failed: 0, hasMore: false });
    assert.equal([renewed, own.log], [true, []]);
  });
});
