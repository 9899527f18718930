// time-limit: 600
// The test of test/faults/kill.test.ts with an external queue: a service that relays jobs to BullMQ and runs them from it dies
// by SIGKILL at the phases of the relay and of a job, and at random moments. No accepted send is lost or doubled.
// full-run: kill
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { longTests } from '../support/long-tests.ts';
import { deleteRedisKeys, hasRedis, newRedisPrefix } from '../support/redis-server.ts';
import { oneKind } from './databases.ts';
import { createChance, repeatsPerKill, runWithKills, type WorkerKill } from './kill-run.ts';

const test = suite('kills at every phase with an external queue');

const seed = process.env.POSTRIDER_TEST_SEED ?? String(Date.now());

function planKills(): WorkerKill[] {
  const chance = createChance(`${seed} queue`);
  const phases = [
    'relay.marked',
    'relay.sent',
    'transaction.committed',
    'job.claimed',
    'mail.handed_over',
    'job.finishing',
  ] as const;
  const atPhases = phases.map((phase): WorkerKill => ({ phase, occurrence: chance(1, 30) }));
  const atMoments = atPhases.map((): WorkerKill => ({ afterMs: chance(0, 700) }));
  return longTests ? [...atPhases, ...atMoments] : [...atPhases, ...atMoments.slice(0, 2)];
}

if (await hasRedis()) {
  // With BullMQ, each database stores jobs as it does without.
  for (const database of await oneKind()) {
    test(`no accepted send is lost or doubled on ${database} with BullMQ, whenever the process is killed`, async () => {
      const prefix = newRedisPrefix().slice(0, -1);
      const kills = planKills();
      const result = await runWithKills({
        database,
        kills,
        sendsPerLife: longTests ? 120 : 60,
        drainMs: 100_000,
        queuePrefix: prefix,
      });
      await deleteRedisKeys(`${prefix}:`);
      console.log(
        `# ${database} with BullMQ: ${result.kills} kills, ${result.keys} sends, ${result.accepted} answers of 202; ${result.lost.length} lost, ${result.doubled.length} doubled, ${result.repeats} repeats on the wire; seed ${seed}`,
      );
      assert.equal(result.lost, [], 'keys that were accepted and lost');
      assert.equal(result.doubled, [], 'keys that were not delivered exactly once');
      assert.equal(result.repeatedAtMostOnce, [], 'at-most-once sends that were repeated');
      assert.equal(result.unexpectedAnswers, [], 'unexpected answers');
      assert.equal(result.errors, [], 'errors in the log');
      assert.equal(result.stuckLeases, [], 'leases that no process reclaimed');
      assert.is(result.unfinished, 0);
      assert.ok(result.repeats <= result.kills * repeatsPerKill, `${result.repeats} repeats`);
      assert.is(result.kills, kills.length);
    });
  }
}
test.run();
