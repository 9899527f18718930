// time-limit: 1200
// A broadcast is sent by processes that are killed with SIGKILL at every named phase, four at a time, and is paused and resumed
// meanwhile. Each recipient has exactly one send, the mail server gets one Message-ID for each, and the counts are the same.
// full-run: kill
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { longTests } from '../support/long-tests.ts';
import { type BroadcastKills, runBroadcasts, runCanceledBroadcast } from './broadcasts-run.ts';
import { databaseKinds, oneKind } from './databases.ts';
import type { PlannedKill } from './doomed-processes.ts';
import { repeatsPerKill } from './kill-run.ts';

const test = suite('broadcasts when processes are killed');
/** In the short form, the audience is stored in two ranges. */
const contacts = longTests ? 100_000 : 2_400;

/** The number of processes that die at each phase. The queue delays a job that lost more than two processes in a row, by up to a minute. */
const deaths = longTests ? 2 : 1;

const times = (phase: PlannedKill['phase'], occurrence: number, count = deaths): PlannedKill[] =>
  Array.from({ length: count }, () => ({ phase, occurrence }));

const kills: BroadcastKills = {
  waves: [
    // A part of the audience is stored: before and after a commit.
    times('broadcasts.storing', 2),
    times('broadcasts.stored', 1),
    // A mail is claimed, or handed over without an acknowledgement. Meanwhile, the job of the broadcast finishes.
    [
      { phase: 'mail.rendered', occurrence: 20 },
      { phase: 'mail.handed_over', occurrence: 30 },
      { phase: 'job.finishing', occurrence: 40 },
    ],
    // A batch is accepted, before and after its commit.
    times('broadcasts.accepting', 1),
    times('broadcasts.stepped', 2),
  ],
  claiming: [
    // By then, batches of 5, 10 and 20 mails are accepted.
    ...times('broadcasts.accepting', 4, 1),
    { phase: 'mail.rendered', occurrence: 5 },
    { phase: 'job.finishing', occurrence: 20 },
  ],
  pausing: times('broadcasts.parking', 3),
};

for (const kind of await databaseKinds())
  test(`each of ${contacts} recipients has exactly one send on ${kind}`, async () => {
    const { kills: killedCount, repeats, ...account } = await runBroadcasts(kind, kills, contacts);
    console.log(`# ${kind}: ${killedCount} killed, ${repeats} repeated`);
    assert.ok(killedCount >= 8, `only ${killedCount} of the processes reached their phase`);
    assert.ok(repeats <= killedCount * repeatsPerKill, `${repeats} messages came again`);
    assert.equal(account, {
      status: 'sent',
      counts: { audience: contacts, recipients: contacts, accepted: contacts },
      wrongSends: [],
      states: { handed_over: contacts },
      messageIds: contacts,
      addresses: contacts,
      whilePaused: 0,
    });
  });

for (const kind of await oneKind())
  test(`after a cancel, each of ${contacts} recipients either got the mail or is canceled on ${kind}`, async () => {
    const { kills: killedCount, counts, unrecorded, ...account } = await runCanceledBroadcast(kind, contacts);
    const { canceled, accepted } = counts;
    assert.ok(killedCount >= 2, `only ${killedCount} of the processes reached their phase`);
    assert.ok(canceled > 0 && accepted > 0, JSON.stringify(counts));
    assert.equal(account, { status: 'canceled', states: { handed_over: accepted, canceled }, missing: [] });
    assert.ok(unrecorded <= killedCount * repeatsPerKill, `${unrecorded} canceled mails have left`);
    assert.is(accepted + canceled, contacts);
  });

test.run();
