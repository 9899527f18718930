// time-limit: 900
// Processes that compare watched segments are killed with SIGKILL, four at a time, after a change of all contacts. Each contact enters
// and leaves each segment exactly once: no event is lost, and no event is emitted twice.
// full-run: kill
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { longTests } from '../support/long-tests.ts';
import { databaseKinds } from './databases.ts';
import type { PlannedKill } from './doomed-processes.ts';
import { runSegments } from './segments-run.ts';

const test = suite('watched segments when processes are killed');
const contacts = longTests ? 100_000 : 2_000;

/** Before and after the commit of a transaction with changes, and at the end of a job. */
const waves: readonly (readonly PlannedKill[])[] = [
  [
    { phase: 'segments.storing_changes', occurrence: 1 },
    { phase: 'segments.storing_changes', occurrence: 2 },
    { phase: 'segments.changes_stored', occurrence: 1 },
    { phase: 'segments.changes_stored', occurrence: 3 },
  ],
  [
    { phase: 'segments.storing_changes', occurrence: 3 },
    { phase: 'segments.changes_stored', occurrence: 2 },
    { phase: 'job.finishing', occurrence: 1 },
    { phase: 'job.finished', occurrence: 1 },
  ],
];

for (const kind of await databaseKinds())
  test(`each of ${contacts} contacts enters and leaves once on ${kind}`, async () => {
    const { kills, ...account } = await runSegments(kind, waves, contacts);
    console.log(`# ${kind}: ${kills} killed, ${JSON.stringify(account.events)}`);
    assert.ok(kills >= 4, `only ${kills} of the processes reached their phase`);
    assert.equal(account, {
      events: { 'segment.entered': 2 * contacts, 'segment.left': 2 * contacts },
      doubled: 0,
      lost: 0,
      stored: 0,
      unfinishedJobs: 0,
    });
  });

test.run();
