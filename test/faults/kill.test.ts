// time-limit: 900
// Proof by killing: a service under load dies by SIGKILL at every named phase and at random moments, and no accepted send is lost or
// doubled. The same accounting must detect planted faults.
// With POSTRIDER_TEST_LONG=1 there are more kills at random moments: 13 for each database instead of 5.
// full-run: kill
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Phase, phases } from '../../core/contract/ports/platform.ts';
import { longTests } from '../support/long-tests.ts';
import { serverKinds } from './databases.ts';
import {
  createChance,
  type RunOptions,
  type RunResult,
  repeatsPerKill,
  runWithKills,
  type WorkerKill,
} from './kill-run.ts';
import type { InjectedFault } from './planted-faults.ts';

const test = suite('kills at every phase');

const seed = process.env.POSTRIDER_TEST_SEED ?? String(Date.now());
const sendsPerLife = 160;

/** The phases of the core and of a delivery. */
const boundaries: readonly Phase[] = [...phases, 'mail.rendered', 'mail.handed_over'];

/** Kills at every phase once. If `isThorough`, every third kill, in a long run every kill, is followed by a kill at a random moment. */
function planKills(chance: ReturnType<typeof createChance>, isThorough: boolean): WorkerKill[] {
  const remainingPhases = [...boundaries];
  const kills: WorkerKill[] = [];
  while (remainingPhases.length > 0) {
    const [phase] = remainingPhases.splice(chance(0, remainingPhases.length - 1), 1);
    if (phase === undefined) continue;
    kills.push({ phase, occurrence: chance(1, /^(job|mail)/.test(phase) ? 40 : 120) });
    if (isThorough && (longTests || remainingPhases.length % 3 === 0)) kills.push({ afterMs: chance(0, 700) });
  }
  return kills;
}

const summaryOf = (name: string, result: RunResult): string =>
  [
    `# ${name}: ${result.kills} kills, ${result.keys} sends, ${result.accepted} answers of 202 (${result.replayed} replays)`,
    `${result.lost.length} lost, ${result.doubled.length} doubled, ${result.repeats} repeats on the wire`,
    `${result.retried} retries of unanswered keys (${result.retriedReplays} had been committed)`,
    `${result.givenUp} at-most-once sends given up, ${result.repeatedAtMostOnce.length} sent twice`,
    `leases expired by at most ${result.maxLeaseMs} ms, ${result.stuckLeases.length} stuck, a job claimed ${result.maxClaims} times at most`,
    `seed ${seed}`,
  ].join('; ');

async function runAndPrint(name: string, options: Omit<RunOptions, 'sendsPerLife'>): Promise<RunResult> {
  const result = await runWithKills({ ...options, sendsPerLife });
  console.log(summaryOf(name, result));
  return result;
}

function registerKilling(database: RunOptions['database']): void {
  test(`no accepted send is lost or doubled on ${database}, whenever the process is killed`, async () => {
    const kills = planKills(createChance(`${seed} ${database}`), database !== 'mariadb' && !onOtherDriver);
    const result = await runAndPrint(database, { database, kills, drainMs: 100_000 });
    assert.equal(result.lost, [], 'keys that were accepted and lost');
    assert.equal(result.doubled, [], 'keys that were not delivered exactly once');
    assert.equal(result.changedMessageIds, [], 'repeats with another Message-ID');
    assert.equal(result.repeatedAtMostOnce, [], 'at-most-once sends that were repeated');
    assert.equal(result.changedIds, [], 'keys with two ids');
    assert.equal(result.unexpectedAnswers, [], 'unexpected answers');
    assert.equal(result.errors, [], 'errors in the log');
    assert.equal(result.stuckLeases, [], 'leases that no process reclaimed');
    assert.is(result.unfinished, 0);
    assert.ok(result.repeats <= result.kills * repeatsPerKill, `${result.repeats} repeats`);
    assert.is(result.kills, kills.length);
    for (const phase of boundaries) assert.is(result.killedAt.get(phase), 1, `killed at ${phase}`);
    // Checks the test itself: some keys were committed but unanswered, and some were neither.
    assert.ok(result.retriedReplays > 0, 'no kill fell between a commit and its answer');
    assert.ok(result.retried > result.retriedReplays, 'no kill fell before a commit');
  });
}

/** The findings that the accounting for a planted fault must contain. */
const findingsOf: Record<InjectedFault, (result: RunResult) => readonly unknown[]> = {
  lost: ({ lost }) => lost.filter((finding) => /not in the database/.test(finding)),
  doubled: ({ doubled }) => doubled.filter((finding) => /: 2 sends/.test(finding)),
  'new-message-id': ({ changedMessageIds }) => changedMessageIds,
  stuck: ({ stuckLeases }) => stuckLeases,
};

/** The kills that expose each fault. */
const revealingKills: Record<InjectedFault, readonly WorkerKill[]> = {
  // Several kills: one kill exposes the fault only if the premature answer was sent before the commit.
  lost: [25, 40, 55, 70, 85, 100, 115, 130].map((occurrence) => ({ phase: 'transaction.flushed', occurrence })),
  doubled: [{ phase: 'transaction.committed', occurrence: 40 }],
  'new-message-id': [{ phase: 'mail.handed_over', occurrence: 15 }],
  stuck: [{ phase: 'job.started', occurrence: 20 }],
};

/** True if runtimes.test.ts runs this on another driver: then one kill at each phase, and no planted faults. */
const onOtherDriver = process.env.POSTRIDER_TEST_DRIVER !== undefined;

for (const [plant, kills] of onOtherDriver
  ? []
  : (Object.entries(revealingKills) as [InjectedFault, readonly WorkerKill[]][])) {
  test(`the accounting detects a planted fault: ${plant}`, async () => {
    const result = await runAndPrint(`planted ${plant}`, { database: 'sqlite', kills, plant, drainMs: 6_000 });
    assert.ok(findingsOf[plant](result).length > 0, 'the accounting found nothing');
  });
}

registerKilling('sqlite');
for (const kind of await serverKinds()) registerKilling(kind);
test.run();
