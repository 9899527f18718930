// time-limit: 300
// Four processes work on one database with a queued batch, and two of them are killed in the middle. Nothing is lost, repeats stay
// within the window of docs/scaling.md, and a login code does not wait for the batch. The full measurement:
// test/bench/many.ts.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type DatabaseKind, serverKinds } from './databases.ts';
import { repeatsPerKill } from './kill-run.ts';
import { type ManyOptions, type ManyResult, runManyProcesses, summaryOf } from './many-run.ts';

const test = suite('many processes');
/** Short even on a slow machine, and much less than the rest of the batch takes. */
const codeWithinMs = 10_000;

async function runAndPrint(options: Omit<ManyOptions, 'leaseMs' | 'answerMs'>): Promise<ManyResult> {
  const result = await runManyProcesses({ leaseMs: 4_000, answerMs: 20, ...options });
  console.log(summaryOf(options.kind, result));
  return result;
}

function register(kind: DatabaseKind): void {
  test(`many processes lose nothing, and login codes overtake the batch on ${kind}`, async () => {
    const result = await runAndPrint({ kind, sends: 1_200, processes: 4, kills: 2 });
    assert.equal(result.lost, []);
    assert.equal(result.doubled, []);
    assert.equal(result.unexpectedAnswers, []);
    assert.equal(result.changedMessageIds, [], 'repeats with another Message-ID');
    assert.equal(result.repeatedAtMostOnce, [], 'at-most-once sends that were repeated');
    assert.is(result.unfinished, 0);
    assert.ok(result.givenUp <= result.kills, 'more codes failed than were in delivery at a kill');
    assert.equal(result.errors, []);
    assert.is(result.kills, 2);
    assert.ok(Math.min(...result.leftAtKills) > 0, 'all mail was already delivered when the processes were killed');
    assert.equal(result.endings, [0, 0], 'the other processes stop cleanly');
    assert.ok(result.repeats <= result.kills * repeatsPerKill, `${result.repeats} repeats`);
    for (const took of [...result.codesMs.inBatch, ...result.codesMs.idle]) {
      assert.ok(took < codeWithinMs, `a login code took ${took} ms`);
    }
  });
}

const kinds = await serverKinds();
for (const kind of kinds) register(kind);

const [first] = kinds;
if (first !== undefined) {
  test('a planted fault is detected: mail that is reported as sent but never was', async () => {
    const result = await runAndPrint({ kind: first, sends: 120, processes: 2, kills: 0, plant: 'swallow' });
    assert.ok(result.lost.length > 0, 'the accounting found nothing');
  });

  test('a planted fault is detected: mail that is sent twice', async () => {
    const result = await runAndPrint({ kind: first, sends: 120, processes: 2, kills: 0, plant: 'twice' });
    assert.ok(result.repeats > result.kills * repeatsPerKill, `only ${result.repeats} repeats`);
  });
}
test.run();
