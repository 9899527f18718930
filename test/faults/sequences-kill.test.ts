// time-limit: 900
// Processes that run sequences are killed with SIGKILL at every named phase, four at a time. No step is made twice, no step is
// lost, and the enrolment of a list continues where it was interrupted.
// full-run: kill
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { databaseKinds } from './databases.ts';
import type { PlannedKill } from './doomed-processes.ts';
import { nodeIds, runSequences } from './sequences-run.ts';

const test = suite('sequences when processes are killed');
const contacts = 40;

/** Every phase of a step and of a batch of a list, four in each wave. Each phase kills one process. */
const waves: readonly (readonly PlannedKill[])[] = [
  [
    { phase: 'sequences.batch_enrolled', occurrence: 1 },
    { phase: 'sequences.entering', occurrence: 7 },
    { phase: 'sequences.acted', occurrence: 5 },
    { phase: 'sequences.stepped', occurrence: 9 },
  ],
  [
    { phase: 'sequences.acted', occurrence: 20 },
    { phase: 'sequences.stepped', occurrence: 1 },
    { phase: 'job.finishing', occurrence: 4 },
    { phase: 'job.finished', occurrence: 6 },
  ],
];

for (const kind of await databaseKinds())
  test(`no step is made twice, and no step is lost on ${kind}`, async () => {
    const account = await runSequences(kind, waves, contacts);
    console.log(`# ${kind}: ${account.kills} killed, ${JSON.stringify(account.runs)}`);
    assert.ok(account.kills >= 5, `only ${account.kills} of the processes reached their phase`);
    const total = contacts * waves.length;
    assert.equal(account.runs, { completed: total });
    assert.is(account.doubledRuns, 0);
    assert.equal(account.wrongSends, []);
    assert.equal(account.wrongHistories, []);
    for (const id of nodeIds) assert.is(account.reached[id], total, `the count of ${id}`);
    assert.is(account.unfinishedJobs, 0);
  });

test.run();
