// time-limit: 900
// Processes that import contacts are killed with SIGKILL, before and after each of an import's commits. No contact is lost or doubled,
// the counts add up, each contact joins the list once, and the watched segment is compared once after the last rows.
// full-run: kill
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { longTests } from '../support/long-tests.ts';
import { databaseKinds } from './databases.ts';
import type { PlannedKill } from './doomed-processes.ts';
import { runImports } from './imports-run.ts';

const test = suite('imports when processes are killed');
const rows = longTests ? 100_000 : 1_200;

/** The number of processes that die in each phase. The second process continues the work of the first. */
const deaths = longTests ? 2 : 1;

/** One wave for each import. */
const waves: readonly (readonly PlannedKill[])[] = [
  [
    { phase: 'contacts.importing_rows', occurrence: 2 },
    { phase: 'contacts.rows_imported', occurrence: 1 },
  ],
  [
    { phase: 'contacts.following_rows', occurrence: 2 },
    { phase: 'contacts.ending_import', occurrence: 1 },
  ],
];

for (const kind of await databaseKinds())
  test(`each of ${rows} rows is imported once on ${kind}`, async () => {
    const { kills, ...account } = await runImports(kind, { waves, deaths, rows });
    console.log(`# ${kind}: ${kills} killed, ${account.imports[0]}`);
    assert.ok(kills >= 3 * deaths, `only ${kills} of the processes reached their phase`);
    const quarter = rows / 4;
    const files = waves.length;
    const repeatPerFile = (perFile: number) => [files * perFile, 0];
    const counts = `completed: ${rows} = ${quarter} + ${quarter} + ${quarter} + ${quarter}, ${rows} done`;
    assert.equal(account, {
      imports: waves.map(() => counts),
      lost: 0,
      doubled: 0,
      members: files * 3 * quarter,
      memberCount: files * 3 * quarter,
      events: {
        'contact.created': repeatPerFile(3 * quarter),
        'contact.updated': repeatPerFile(quarter),
        'list_member.added': repeatPerFile(3 * quarter),
        // Half of the contacts are on the plan. Contacts that a row does not change were in the segment before the import.
        'segment.entered': repeatPerFile(quarter),
      },
      comparisons: files,
      parts: 0,
      unfinishedJobs: 0,
    });
  });

test.run();
